// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/network/network-state.h"

namespace dpdl
{

double
GilbertElliott::LongRunLoss() const
{
    const double bad = toBad / (toBad + toGood);
    return bad * lossBad + (1.0 - bad) * lossGood;
}

bool
FailureLoss::Loses(NodeId source, NodeId target, const LinkCondition& condition)
{
    if (condition.lossProbability <= 0.0 && !condition.burst.has_value())
    {
        return false;
    }
    constexpr std::uint64_t draws = 3; // random numbers reserved for each packet
    Link& link = m_links[(static_cast<std::uint64_t>(source) << 32) | target];
    const RandomStream random(m_seed, RandomPurpose::FAILURE_LOSS, source, target);
    const std::uint64_t first = draws * link.packets++;
    const bool alone = random.Uniform(first) < condition.lossProbability;
    if (!condition.burst.has_value())
    {
        return alone;
    }
    link.isBad ^= random.Uniform(first + 1) < condition.burst->Change(link.isBad);
    return alone || random.Uniform(first + 2) < condition.burst->Loss(link.isBad);
}

} // namespace dpdl
