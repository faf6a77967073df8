// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_MIX_KERNEL_H
#define DPDL_TRAINING_MIX_KERNEL_H

#include "dpdl/training/gossip.h"

#include <cstddef>
#include <vector>

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
    STREAMED ///< past the caches; call FinishStreaming() before it is read
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

/// Makes what was streamed visible to threads that are notified afterwards.
void FinishStreaming();

/// Distance of a mix from the sum in double precision at some coordinates.
struct MixProbe
{
    double magnitude{0.0}; ///< largest |double sum|
    double error{0.0};     ///< largest |double sum - out|

    /// How many coordinates of a vector are looked at.
    static constexpr std::size_t COUNT = 16;

    /// One of them. @param probe below COUNT @param size elements of the vector
    static std::size_t Coordinate(std::size_t probe, std::size_t size)
    {
        return probe * size / COUNT;
    }

    /// Takes the coordinates of another probe in.
    void Add(const MixProbe& other);

    /// The error relative to the magnitude; 0 where all is zero.
    double Relative() const;
};

/// Looks at one coordinate. @param coordinate below the size of @p out
MixProbe ProbeMix(const std::vector<MixTerm>& terms,
                  const ParameterVector& out,
                  std::size_t coordinate);

/**
 * @brief Lists the terms that are of the same coordinates.
 * @param terms of a mix
 * @param first of the list
 * @param[in,out] summands get the terms at their end
 * @return the first term that is of other coordinates
 */
std::size_t AppendSummands(const std::vector<MixTerm>& terms,
                           std::size_t first,
                           std::vector<Summand>& summands);

} // namespace dpdl

#endif // DPDL_TRAINING_MIX_KERNEL_H
