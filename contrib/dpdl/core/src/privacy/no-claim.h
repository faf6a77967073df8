// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_NO_CLAIM_H
#define DPDL_PRIVACY_NO_CLAIM_H

#include "dpdl/privacy/published-claim.h"

#include <string>
#include <vector>

namespace dpdl
{

/// An algorithm that is not private, or whose privacy was not analysed here.
class NoClaim : public PublishedClaim
{
  public:
    /**
     * @param name of the algorithm
     * @param isPrivate false: it adds no noise and claims nothing
     */
    NoClaim(std::string name, bool isPrivate);

    PartInfo Info() const override;
    std::string Formula() const override;
    std::vector<Premise> Assumptions() const override;
    ClaimedRun Run(const ClaimSettings& settings, const Accountant& accountant) const override;

  private:
    std::string m_name;
    bool m_isPrivate;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_NO_CLAIM_H
