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
 * The sampler of Canonne, Kamath and Steinke (NeurIPS 2020, algorithms 1 to 3): a discrete Laplace
 * variable is drawn and rejected. Every decision compares random bits with a fraction of integers
 * and takes as many bits as that needs. No floating-point number occurs, so that the distribution
 * is that of the formula and not an approximation of it.
 */
class DiscreteGaussian
{
  public:
    /// Largest s.
    static constexpr std::uint32_t MAX_SCALE = 0x7fffffffU;

    /**
     * @param scale s, 1 to MAX_SCALE; the standard deviation is s to within 1e-7 from s = 1 on
     * @throws UsageError if it is out of range
     */
    explicit DiscreteGaussian(std::uint32_t scale);

    /**
     * @brief One draw.
     * @param words takes as many words as the draw needs, some fifteen on average
     */
    std::int64_t Draw(WordSequence& words) const;

  private:
    std::uint32_t m_scale; ///< s
};

} // namespace dpdl

#endif // DPDL_BASE_DISCRETE_GAUSSIAN_H
