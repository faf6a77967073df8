// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_MIX_KERNEL_H
#define DPDL_TRAINING_MIX_KERNEL_H

#include <cstddef>

namespace dpdl
{

/// One vector of a weighted sum.
struct Summand
{
    const float* values; ///< of all coordinates
    float coefficient;   ///< what they are multiplied by
};

/// Coordinates of a sum.
struct Columns
{
    std::size_t begin; ///< the first one
    std::size_t end;   ///< behind the last one
};

/// Where a sum goes.
enum class SumStore
{
    CACHED,  ///< it is read soon
    STREAMED ///< past the caches; call FinishStreaming() before anybody reads it
};

/**
 * @brief out = sum over the summands, in their order, at some coordinates: what every way of mixing
 *        is made of, so that all of them give the same bits.
 * @param summands [count]
 * @param count how many; none give zero
 * @param columns which coordinates; what is read and written fits the first cache if there are few
 * @param[out] out of all coordinates, aligned to 64 bytes
 * @param store where the sum goes
 */
void SumColumns(const Summand* summands,
                std::size_t count,
                const Columns& columns,
                float* out,
                SumStore store);

/// Makes what was streamed visible to whoever is told afterwards.
void FinishStreaming();

} // namespace dpdl

#endif // DPDL_TRAINING_MIX_KERNEL_H
