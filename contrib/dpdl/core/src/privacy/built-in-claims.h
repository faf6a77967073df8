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
 * of gradients is a fixed linear map of sent messages, hence post-processing.
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
 * or follows from Proposition 4 (eq. 10). The latter replaces exp(x) - 1 by 2x, which is inaccurate
 * for mu_k^2 > 1.26. Only the ratio of clip bound to noise matters, so the clip bound cancels.
 */
class DynD2pClaim : public PublishedClaim
{
  public:
    /// Formula for the noise in mode paper.
    enum class Calibration
    {
        EQUATION_8,  ///< Proposition 3 solved for mu_0
        EQUATION_10, ///< Proposition 4
    };

    /**
     * @param name of the algorithm
     * @param growth default of rho_mu
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
 *        algorithms that its paper compares with.
 *
 * Only the algorithm with a fixed clip bound can be accounted for. The others multiply the noise by
 * a number computed from the private gradients.
 */
class MomentsClaim : public PublishedClaim
{
  public:
    /// Reference quantity that multiplies the noise.
    enum class Scale
    {
        FIXED_BOUND,    ///< the clip bound
        OWN_NORM,       ///< the norm of the gradient that the noise hides
        SEARCHED_BOUND, ///< the largest norm in non-private runs; gradients are not clipped
    };

    /**
     * @param name of the algorithm
     * @param scale reference quantity that multiplies the noise
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
