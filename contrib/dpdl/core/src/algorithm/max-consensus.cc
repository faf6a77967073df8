// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/max-consensus.h"

#include <algorithm>

namespace dpdl
{

MaxConsensus::MaxConsensus(NodeId node,
                           std::size_t nodes,
                           const SensitivityRule& rule,
                           double initialNorm)
    : m_node(node),
      m_nodes(nodes),
      m_estimate(rule, initialNorm)
{
}

const std::vector<Share>&
MaxConsensus::Announce(Round round, double perturbation, double now)
{
    if (m_estimated <= round)
    {
        m_own = m_estimate.Next(perturbation);
        m_estimated = round + 1;
    }
    m_announcements.clear();
    for (NodeId target = 0; target < m_nodes; ++target)
    {
        if (target != m_node)
        {
            Share announcement;
            announcement.source = m_node;
            announcement.target = target;
            announcement.round = round;
            announcement.mass = m_own;
            announcement.chunk = Share::ANNOUNCEMENT;
            announcement.sentAt = now;
            m_announcements.push_back(announcement);
        }
    }
    return m_announcements;
}

void
MaxConsensus::Hear(const Share& announcement)
{
    m_heard[announcement.round][announcement.source] = announcement.mass.ToDouble();
}

bool
MaxConsensus::HeardAll(Round round) const
{
    const auto heard = m_heard.find(round);
    return heard != m_heard.end() && heard->second.size() + 1 == m_nodes;
}

std::vector<NodeId>
MaxConsensus::Missing(Round round) const
{
    const auto heard = m_heard.find(round);
    std::vector<NodeId> missing;
    for (NodeId node = 0; node < m_nodes; ++node)
    {
        if (node != m_node && (heard == m_heard.end() || heard->second.count(node) == 0))
        {
            missing.push_back(node);
        }
    }
    return missing;
}

double
MaxConsensus::Maximum(Round round) const
{
    double maximum = m_own;
    const auto heard = m_heard.find(round);
    if (heard != m_heard.end())
    {
        for (const auto& [node, estimate] : heard->second)
        {
            maximum = std::max(maximum, estimate);
        }
    }
    return maximum;
}

void
MaxConsensus::Agree(Round round, double maximum, double noise)
{
    m_estimate.Agree(maximum, noise);
    m_heard.erase(m_heard.begin(), m_heard.upper_bound(round));
}

} // namespace dpdl
