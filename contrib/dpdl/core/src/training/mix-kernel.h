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
    const float* values; ///< the vector, from its first coordinate on
    float coefficient;   ///< weight of the vector
};

/// Coordinates of a sum.
struct Columns
{
    std::size_t begin; ///< first coordinate
    std::size_t end;   ///< one past the last coordinate
};

/// Cache policy for the stores of a sum.
enum class SumStore
{
    CACHED,  ///< normal stores: the sum is read soon
    STREAMED ///< non-temporal stores; call FinishStreaming() before reading the sum
};

/**
 * @brief out = sum over the summands, in their order, at some coordinates. All mixing code uses it,
 *        so all results are bit-identical.
 * @param summands [count]
 * @param count number of summands; 0 gives zero
 * @param columns coordinates; few of them fit the L1 cache
 * @param[out] out of all coordinates, aligned to 64 bytes
 * @param store cache policy
 */
void SumColumns(const Summand* summands,
                std::size_t count,
                const Columns& columns,
                float* out,
                SumStore store);

/// Orders streamed stores before later ones, so that notified threads see them.
void FinishStreaming();

/// Distance of a mix from the sum in double precision at some coordinates.
struct MixProbe
{
    double magnitude{0.0}; ///< largest |double sum|
    double error{0.0};     ///< largest |double sum - out|

    /// Number of coordinates that are probed.
    static constexpr std::size_t COUNT = 16;

    /// Coordinate of a probe. @param probe below COUNT @param size elements of the vector
    static std::size_t Coordinate(std::size_t probe, std::size_t size)
    {
        return probe * size / COUNT;
    }

    /// Includes the coordinates of another probe.
    void Add(const MixProbe& other);

    /// The error relative to the magnitude; 0 if all is zero.
    double Relative() const;
};

/// Measures one coordinate. @param coordinate below the size of @p out
MixProbe ProbeMix(const std::vector<MixTerm>& terms,
                  const ParameterVector& out,
                  std::size_t coordinate);

/**
 * @brief Appends the adjacent terms of one range of coordinates to a list of summands.
 * @param terms of a mix
 * @param first index of the first of these terms
 * @param[in,out] summands receives the terms
 * @return index one past the last of these terms
 */
std::size_t AppendSummands(const std::vector<MixTerm>& terms,
                           std::size_t first,
                           std::vector<Summand>& summands);

} // namespace dpdl

#endif // DPDL_TRAINING_MIX_KERNEL_H
