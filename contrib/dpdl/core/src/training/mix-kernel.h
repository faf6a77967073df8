// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_MIX_KERNEL_H
#define DPDL_TRAINING_MIX_KERNEL_H

#include "dpdl/training/gossip.h"

#include <cstddef>
#include <vector>

namespace dpdl
{

/// One vector of a weighted sum, with its coefficient.
struct Summand
{
    const float* values; ///< address of the vector's first coordinate
    float coefficient;   ///< factor by which the vector is multiplied
};

/// Range of coordinates [begin, end) of a vector.
struct Columns
{
    std::size_t begin; ///< index of the first coordinate
    std::size_t end;   ///< index one past the last coordinate
};

/// Kind of the stores that write a sum to memory.
enum class SumStore
{
    CACHED,  ///< normal stores through the cache, for sums that are read soon
    STREAMED ///< non-temporal stores that bypass the cache; call FinishStreaming() before reading
             ///< the sum
};

/**
 * @brief Writes the weighted sum of the summands, added in their order, in a range of coordinates.
 *        All mixing code calls this function, so all results are bit-identical.
 * @param summands [count]
 * @param count number of summands; 0: the sum is zero
 * @param columns range of coordinates; the sums of a small range stay in the L1 cache
 * @param[out] out the whole output vector, aligned to 64 bytes; only the range is written
 * @param store kind of the stores
 */
void SumColumns(const Summand* summands,
                std::size_t count,
                const Columns& columns,
                float* out,
                SumStore store);

/// Store fence: streamed stores before this call become visible to other threads before stores
/// after it. Call it in the writing thread before notifying the threads that read the sums.
void FinishStreaming();

/// Rounding error of a float32 mix `out` at probed coordinates, compared to the sum in double
/// precision.
struct MixProbe
{
    double magnitude{0.0}; ///< largest |double sum| of the probed coordinates
    double error{0.0};     ///< largest absolute error |double sum - out| of the probed coordinates

    /// Number of probed coordinates per vector.
    static constexpr std::size_t COUNT = 16;

    /// Index of a probed coordinate; the probed coordinates are evenly spaced.
    /// @param probe number of the probe, below COUNT
    /// @param size number of elements of the vector
    static std::size_t Coordinate(std::size_t probe, std::size_t size)
    {
        return probe * size / COUNT;
    }

    /// Replaces the magnitude by the larger of the two magnitudes, and the error by the larger of
    /// the two errors.
    void Add(const MixProbe& other);

    /// Relative rounding error: error / magnitude; 0 if the magnitude is 0.
    double Relative() const
    {
        return magnitude > 0.0 ? error / magnitude : 0.0;
    }
};

/// Measures the rounding error of a mix at one coordinate.
/// @param terms summands of the mix
/// @param out result of the mix
/// @param coordinate index below the size of @p out
MixProbe ProbeMix(const std::vector<MixTerm>& terms,
                  const ParameterVector& out,
                  std::size_t coordinate);

/**
 * @brief Appends the terms of one group, which have the same coordinates and are adjacent, to a
 *        list of summands.
 * @param terms terms of a mix
 * @param first index of the group's first term
 * @param[in,out] summands receives the terms of the group
 * @return index one past the group's last term
 */
std::size_t AppendSummands(const std::vector<MixTerm>& terms,
                           std::size_t first,
                           std::vector<Summand>& summands);

} // namespace dpdl

#endif // DPDL_TRAINING_MIX_KERNEL_H
