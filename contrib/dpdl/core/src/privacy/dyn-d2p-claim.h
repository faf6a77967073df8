// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_DYN_D2P_CLAIM_H
#define DPDL_PRIVACY_DYN_D2P_CLAIM_H

#include "dpdl/privacy/published-claim.h"

#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Dyn-D2P and its variants (Zhu et al., IJCAI 2025).
 *
 * mu_k = mu_0 growth^(k/K). In mode paper mu_0 solves the central-limit formula at p = 1/J (eq. 8),
 * or follows from Proposition 4 (eq. 10), which replaces exp(x) - 1 by 2x and is wrong by more
 * wherever mu_k^2 > 1.26. The clip bound cancels: only its ratio to the noise counts.
 */
class DynD2pClaim : public PublishedClaim
{
  public:
    /// How mode paper computes the noise.
    enum class Calibration
    {
        EQUATION_8,  ///< Proposition 3 solved for mu_0
        EQUATION_10, ///< Proposition 4
    };

    /**
     * @param name of the algorithm
     * @param growth rho_mu where the user gives none
     * @param calibration of mode paper
     */
    DynD2pClaim(std::string name, double growth, Calibration calibration);

    PartInfo Info() const override;
    std::string Formula() const override;
    std::vector<Premise> Assumptions() const override;
    ClaimedRun Run(const ClaimSettings& settings, const Accountant& accountant) const override;

  private:
    double PaperScale(const std::vector<double>& shape,
                      double rate,
                      const ClaimSettings& settings) const;

    std::string m_name;
    double m_growth;
    Calibration m_calibration;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_DYN_D2P_CLAIM_H
