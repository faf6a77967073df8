// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/designed-contraction.h"

#include <utility>

namespace dpdl
{

std::vector<std::vector<MixedShare>>
DesignedShares(const GraphSequence& sequence, Round round, const std::vector<ScaledDouble>& weights)
{
    const std::size_t nodes = sequence.Nodes();
    std::vector<std::vector<MixedShare>> mixed(nodes);
    for (NodeId node = 0; node < nodes; ++node)
    {
        mixed[node].reserve(sequence.InNeighbours(node, round).size() + 1);
    }
    for (NodeId source = 0; source < nodes; ++source)
    {
        const auto give = [&](NodeId target) {
            const double weight = sequence.Weight(source, target, round);
            mixed[target].push_back({source, round, weights[source] * weight});
        };
        give(source);
        for (const NodeId target : sequence.OutNeighbours(source, round))
        {
            give(target);
        }
    }
    return mixed;
}

DesignedContraction::DesignedContraction(std::shared_ptr<const GraphSequence> sequence)
    : m_sequence(std::move(sequence)),
      m_tracker(m_sequence->Nodes())
{
}

void
DesignedContraction::AddRound()
{
    m_tracker.AddRound(m_nextRound, DesignedShares(*m_sequence, m_nextRound, m_tracker.Weights()));
    ++m_nextRound;
}

WindowResult
DesignedContraction::CloseWindow()
{
    return m_tracker.CloseWindow();
}

} // namespace dpdl
