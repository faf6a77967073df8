// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_ADP_VRSGP_CLAIM_H
#define DPDL_PRIVACY_ADP_VRSGP_CLAIM_H

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

} // namespace dpdl

#endif // DPDL_PRIVACY_ADP_VRSGP_CLAIM_H
