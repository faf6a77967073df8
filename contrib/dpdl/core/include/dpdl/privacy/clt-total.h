// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_CLT_TOTAL_H
#define DPDL_PRIVACY_CLT_TOTAL_H

namespace dpdl
{

/// The claimed total of the central-limit formula (CltMu), as it grows step by step.
class CltTotal
{
  public:
    /**
     * @brief Adds a step.
     * @param mu sensitivity / noise, at least 0
     * @param rate sampling probability in [0, 1]
     */
    void Add(double mu, double rate);

    /// The claimed total mu so far; 0 before the first step, infinity where the formula overflows.
    double Mu() const;

  private:
    double m_sum{0.0}; ///< of rate^2 (exp(mu^2) - 1)
};

} // namespace dpdl

#endif // DPDL_PRIVACY_CLT_TOTAL_H
