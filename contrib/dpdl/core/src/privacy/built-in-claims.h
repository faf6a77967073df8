// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_BUILT_IN_CLAIMS_H
#define DPDL_PRIVACY_BUILT_IN_CLAIMS_H

#include "dpdl/privacy/published-claim.h"

#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief ADP-VRSGP (Wu et al., IEEE Internet of Things Journal 2025, Theorem 1).
 *
 * The noise of round t is a base times alpha(T - t), alpha(t) = (floor(t / tau) + 10)^s. The fusion
 * of gradients is a fixed linear map of what was sent: it costs nothing and protects nothing.
 */
class AdpVrsgpClaim : public PublishedClaim
{
  public:
    PartInfo Info() const override;
    std::string Formula() const override;
    std::vector<Premise> Assumptions() const override;
    ClaimedRun Run(const ClaimSettings& settings, const Accountant& accountant) const override;
};

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

/**
 * @brief Constant noise from the moments accountant's formula at p = 1/J: AdaD2P and the two
 * algorithms that its paper compares with.
 *
 * Only the one that clips to a fixed bound can be accounted for. The others multiply the noise by a
 * number that was computed from the private gradients.
 */
class MomentsClaim : public PublishedClaim
{
  public:
    /// What the noise is a multiple of.
    enum class Scale
    {
        FIXED_BOUND,    ///< the clip bound
        OWN_NORM,       ///< the norm of the gradient that it hides
        SEARCHED_BOUND, ///< the largest norm seen in non-private runs; gradients are not clipped
    };

    /**
     * @param name of the algorithm
     * @param scale what its noise is a multiple of
     */
    MomentsClaim(std::string name, Scale scale);

    PartInfo Info() const override;
    std::string Formula() const override;
    std::vector<Premise> Assumptions() const override;
    ClaimedRun Run(const ClaimSettings& settings, const Accountant& accountant) const override;

  private:
    void Refuse(ClaimedRun& run) const;

    std::string m_name;
    Scale m_scale;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_BUILT_IN_CLAIMS_H
