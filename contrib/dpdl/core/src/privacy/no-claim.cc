// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "no-claim.h"

#include "claim-inputs.h"

#include <limits>

namespace dpdl
{

NoClaim::NoClaim(std::string name, bool isPrivate)
    : m_name(std::move(name)),
      m_isPrivate(isPrivate)
{
}

PartInfo
NoClaim::Info() const
{
    return {m_name, m_isPrivate ? "not analysed" : "not private", "", {}};
}

std::string
NoClaim::Formula() const
{
    return "";
}

std::vector<Premise>
NoClaim::Assumptions() const
{
    return {};
}

ClaimedRun
NoClaim::Run(const ClaimSettings& settings, const Accountant& /* accountant */) const
{
    const ClaimInputs inputs(settings, Info());
    ClaimedRun run;
    if (m_isPrivate)
    {
        run.obstacle = "the privacy of '" + m_name + "' has not been analysed";
        return run;
    }
    run.claimed = std::numeric_limits<double>::infinity();
    run.flags = ReleaseFlag::UNNOISED_RELEASE | ReleaseFlag::NO_CLIP;
    run.obstacle = "'" + m_name + "' adds no noise";
    return run;
}

} // namespace dpdl
