// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_MOMENTS_CLAIM_H
#define DPDL_PRIVACY_MOMENTS_CLAIM_H

#include "dpdl/privacy/published-claim.h"

#include <string>
#include <vector>

namespace dpdl
{

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

#endif // DPDL_PRIVACY_MOMENTS_CLAIM_H
