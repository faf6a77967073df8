// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_DISCRETE_GAUSSIAN_H
#define DPDL_BASE_DISCRETE_GAUSSIAN_H

#include "dpdl/base/random.h"

#include <cstdint>

namespace dpdl
{

/**
 * @brief Draws integers y with probability proportional to exp(-y^2 / (2 s^2)), exactly.
 *
 * The sampler of Canonne, Kamath and Steinke (NeurIPS 2020, algorithms 1 to 3) draws a discrete
 * Laplace variable and applies rejection. Every decision compares random bits with a fraction of
 * integers and uses as many bits as needed. There is no floating-point arithmetic, so the
 * distribution is exact.
 */
class DiscreteGaussian
{
  public:
    /// Largest accepted scale s, 2^31 - 1.
    static constexpr std::uint32_t MAX_SCALE = 0x7fffffffU;

    /**
     * @param scale s, 1 to MAX_SCALE; the standard deviation equals s to within 1e-7
     * @throws UsageError if the scale is out of range
     */
    explicit DiscreteGaussian(std::uint32_t scale);

    /**
     * @brief Draws one integer y.
     * @param words source of random words; a draw uses about fifteen words on average
     */
    std::int64_t Draw(WordSequence& words) const;

  private:
    std::uint32_t m_scale; ///< s in exp(-y^2 / (2 s^2))
};

} // namespace dpdl

#endif // DPDL_BASE_DISCRETE_GAUSSIAN_H
