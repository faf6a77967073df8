// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/verdict.h"

#include "dpdl/base/quantity.h"

#include <cmath>

namespace dpdl
{

namespace
{

Finding
Judge(const Verdict::Figures& figures)
{
    if (figures.observed > figures.certified)
    {
        return Finding::CERTIFIED_BROKEN;
    }
    return figures.observed > figures.claimed ? Finding::CLAIM_FALSE : Finding::CONSISTENT;
}

/// "at least X with 99.9 % confidence"
std::string
AtLeast(const Verdict::Figures& figures)
{
    if (std::isinf(figures.observed))
    {
        return "no finite epsilon holds at this delta";
    }
    const std::string bound = "epsilon is at least " + ShowRounded(figures.observed, 4);
    return figures.confidence < 1.0
               ? bound + " with " + ShowRounded(100.0 * figures.confidence, 4) + " % confidence"
               : bound;
}

/// The line if neither the claim nor the certified bound is exceeded.
std::string
NothingFound(const Verdict::Figures& figures)
{
    if (!std::isnan(figures.claimed))
    {
        return "nothing contradicts the claim";
    }
    return std::isinf(figures.certified) ? "nothing is claimed or certified: " + AtLeast(figures)
                                         : "nothing contradicts the certified bound";
}

} // namespace

std::string
ToString(Finding finding)
{
    switch (finding)
    {
    case Finding::CLAIM_FALSE:
        return "claim-false";
    case Finding::CERTIFIED_BROKEN:
        return "certified-broken";
    default:
        return "consistent";
    }
}

int
ExitStatus(Finding finding)
{
    return finding == Finding::CERTIFIED_BROKEN ? 1 : 0;
}

Verdict::Verdict(const Figures& figures)
    : m_figures(figures),
      m_finding(Judge(figures))
{
}

std::string
Verdict::Event() const
{
    switch (m_finding)
    {
    case Finding::CLAIM_FALSE:
        return "the claim is false: " + AtLeast(m_figures);
    case Finding::CERTIFIED_BROKEN:
        return "the certified bound does not hold for what was audited: " + AtLeast(m_figures);
    default:
        return NothingFound(m_figures);
    }
}

} // namespace dpdl
