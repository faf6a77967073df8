// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_LAPLACE_CLAIM_H
#define DPDL_PRIVACY_LAPLACE_CLAIM_H

#include "dpdl/privacy/published-claim.h"

#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief DPPS and the algorithms built on it (Zhou, Xue and Chen, arXiv:2602.11544, Theorem 1).
 *
 * A round adds gamma_n times Laplace noise of scale S / b and is claimed to be (b / gamma_n)-DP;
 * rounds add up. S is computed from the private gradients, and each round broadcasts a number from
 * which the norm of the noise of the round before follows.
 */
class LaplaceClaim : public PublishedClaim
{
  public:
    /// @param name of the algorithm
    explicit LaplaceClaim(std::string name);

    PartInfo Info() const override;
    std::string Formula() const override;
    std::vector<Premise> Assumptions() const override;
    ClaimedRun Run(const ClaimSettings& settings, const Accountant& accountant) const override;

  private:
    std::string m_name;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_LAPLACE_CLAIM_H
