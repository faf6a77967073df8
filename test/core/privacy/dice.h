// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_DICE_H
#define DPDL_TEST_DICE_H

#include "dpdl/base/random.h"

#include <cmath>
#include <cstdint>

namespace dpdl
{

/// Random numbers of one trial of a test.
class Dice
{
  public:
    /// @param test distinguishes tests @param trial number of the trial
    Dice(std::uint32_t test, std::uint32_t trial)
        : m_stream({1, 1}, RandomPurpose::TEST, test, trial)
    {
    }

    /// Log-uniform in [low, high).
    double Between(double low, double high)
    {
        return low * std::pow(high / low, m_stream.Uniform(m_next++));
    }

  private:
    RandomStream m_stream;   ///< by test and trial
    std::uint64_t m_next{0}; ///< the next number of the stream
};

} // namespace dpdl

#endif // DPDL_TEST_DICE_H
