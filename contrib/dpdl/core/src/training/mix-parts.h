// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_MIX_PARTS_H
#define DPDL_TRAINING_MIX_PARTS_H

#include "dpdl/training/gossip.h"
#include "mix-kernel.h"

#include <vector>

namespace dpdl
{

/// How far a mix is from the sum in double precision at some coordinates.
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

#endif // DPDL_TRAINING_MIX_PARTS_H
