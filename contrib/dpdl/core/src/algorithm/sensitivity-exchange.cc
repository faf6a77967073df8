// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/sensitivity-exchange.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dpdl
{

SensitivityExchange::SensitivityExchange(std::size_t nodes, std::size_t shared)
    : m_nodes(nodes),
      m_shared(shared)
{
}

void
SensitivityExchange::Post(NodeId node, Round round, ParameterHandle z, double w)
{
    Entry& entry = m_entries[round];
    if (!entry.distances.empty())
    {
        return; // a crashed node repeats its step
    }
    entry.states[node] = std::move(z);
    entry.weights[node] = w;
    if (m_entries.size() > MOST_ROUNDS)
    {
        m_entries.erase(m_entries.begin());
    }
}

std::map<NodeId, double>
SensitivityExchange::Compare(const Entry& entry) const
{
    std::map<NodeId, double> distances;
    for (auto a = entry.states.begin(); a != entry.states.end(); ++a)
    {
        const float* const x = a->second->Data();
        const double v = entry.weights.at(a->first);
        distances[a->first]; // creates the entry; a single node has distance 0
        for (auto b = std::next(a); b != entry.states.end(); ++b)
        {
            const float* const y = b->second->Data();
            const double w = entry.weights.at(b->first);
            double sum = 0.0;
            for (std::size_t i = 0; i < std::min(m_shared, a->second->Size()); ++i)
            {
                sum += std::abs(v * x[i] - w * y[i]);
            }
            distances[a->first] = std::max(distances[a->first], sum);
            distances[b->first] = std::max(distances[b->first], sum);
        }
    }
    return distances;
}

void
SensitivityExchange::Complete(Entry& entry) const
{
    if (entry.distances.empty() && entry.states.size() == m_nodes)
    {
        entry.distances = Compare(entry);
        entry.states.clear();
    }
}

std::optional<double>
SensitivityExchange::Of(NodeId node, Round round)
{
    const auto entry = m_entries.find(round);
    if (entry == m_entries.end())
    {
        return std::nullopt;
    }
    Complete(entry->second);
    const auto found = entry->second.distances.find(node);
    return found == entry->second.distances.end() ? std::nullopt
                                                  : std::optional<double>(found->second);
}

double
SensitivityExchange::Largest(Round round)
{
    const auto entry = m_entries.find(round);
    if (entry == m_entries.end())
    {
        return 0.0;
    }
    Complete(entry->second);
    const std::map<NodeId, double> distances =
        entry->second.distances.empty() ? Compare(entry->second) : entry->second.distances;
    double largest = 0.0;
    for (const auto& [node, distance] : distances)
    {
        largest = std::max(largest, distance);
    }
    return largest;
}

MaxConsensus::MaxConsensus(NodeId node,
                           std::size_t nodes,
                           const SensitivityRule& rule,
                           double initialNorm)
    : m_node(node),
      m_rule(rule),
      m_nodes(nodes),
      m_initialNorm(rule.initialNorm ? initialNorm : 0.0)
{
}

const std::vector<Share>&
MaxConsensus::Announce(Round round, double perturbation, double now)
{
    if (m_estimated <= round)
    {
        const double twice = 2.0 * m_rule.factor;
        m_own = m_isFresh ? twice * (m_initialNorm + perturbation)
                          : m_rule.decay * (m_previous + twice * m_noise) + twice * perturbation;
        m_isFresh = false;
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
    m_previous = m_rule.ownEstimate ? m_own : maximum;
    m_noise = noise;
    m_heard.erase(m_heard.begin(), m_heard.upper_bound(round));
}

void
MaxConsensus::Restart()
{
    m_isFresh = true;
    m_initialNorm = 0.0;
}

} // namespace dpdl
