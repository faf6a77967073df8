// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_MOMENTS_FORMULA_H
#define DPDL_PRIVACY_MOMENTS_FORMULA_H

#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief The asymptotic noise formula of the moments accountant (Abadi et al., 2016, Theorem 1).
 *
 *     noise = c2 q sqrt(sum_t a_t^-2 log(1 / delta)) / epsilon
 *
 * The theorem says that constants c1 and c2 exist for which this suffices if epsilon < c1 q^2 T.
 * Its proof holds for noise >= 1, q < 1 / (16 noise), and needs a whole order lambda <= noise^2
 * log(1 / (q noise)). Papers leave the constants open; the algebra of the original gives c2 = 2.
 */
class MomentsFormula
{
  public:
    /**
     * @param rate q, in (0, 1]
     * @param weight sum of the a_t^-2; the number of steps T where the noise is constant
     * @param delta in (0, 1)
     * @param c2 the constant, > 0
     */
    MomentsFormula(double rate, double weight, double delta, double c2);

    /// The noise, as a multiple of the sensitivity at a_t = 1, that the formula gives epsilon.
    double Noise(double epsilon) const;

    /// The epsilon that the formula gives a noise.
    double Epsilon(double noise) const;

    /**
     * @brief Which of the theorem's preconditions do not hold.
     * @param epsilon claimed
     * @param noise the smallest of the schedule, as a multiple of the sensitivity
     * @param steps T
     * @return one sentence each, with the name of the assumption, `moments-regime`, first
     */
    std::vector<std::string> Warnings(double epsilon, double noise, double steps) const;

  private:
    double m_rate;
    double m_root; ///< noise * epsilon
};

} // namespace dpdl

#endif // DPDL_PRIVACY_MOMENTS_FORMULA_H
