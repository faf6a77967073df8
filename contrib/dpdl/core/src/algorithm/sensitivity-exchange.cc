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
        distances[a->first]; // a single node has distance 0
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

} // namespace dpdl
