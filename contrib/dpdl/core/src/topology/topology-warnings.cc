// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/topology-warnings.h"

#include "directed-graph.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/registry.h"
#include "graph-families.h"

namespace dpdl
{

std::vector<std::string>
TopologyWarnings(const GraphSequence& sequence)
{
    const std::optional<std::vector<Edge>> edges = sequence.PossibleEdges();
    if (!edges)
    {
        return {};
    }
    std::vector<bool> sends(sequence.Nodes(), false);
    std::vector<bool> hears(sequence.Nodes(), false);
    for (const Edge& edge : *edges)
    {
        sends[edge.source] = true;
        hears[edge.target] = true;
    }
    std::vector<NodeId> deaf;
    std::vector<NodeId> mute;
    for (NodeId node = 0; node < sequence.Nodes(); ++node)
    {
        if (!hears[node])
        {
            deaf.push_back(node);
        }
        if (!sends[node])
        {
            mute.push_back(node);
        }
    }
    constexpr std::size_t MOST = 3;
    std::vector<std::string> warnings;
    if (!deaf.empty())
    {
        warnings.push_back("the topology sends nothing to " + NameNodes(deaf, MOST) +
                           (deaf.size() == 1 ? ", which never learns" : ", which never learn") +
                           " from others");
    }
    if (!mute.empty())
    {
        warnings.push_back("the topology lets no node hear " + NameNodes(mute, MOST) +
                           ", from which others never learn");
    }
    if (!DirectedGraph(sequence.Nodes(), *edges).IsStronglyConnected())
    {
        warnings.emplace_back("the edges of all rounds together do not connect every node with "
                              "every other: the models will not agree");
    }
    return warnings;
}

bool
IsDoublyStochastic(const GraphSequence& sequence)
{
    constexpr double ROUNDING = 1e-9;
    for (Round round = 0; round < sequence.Period(); ++round)
    {
        if (RowError(sequence, round) > ROUNDING)
        {
            return false;
        }
    }
    return sequence.Period() > 0;
}

void
RequireDoublyStochastic(const GraphSequence& sequence,
                        const std::string& topology,
                        const std::string& algorithm)
{
    DPDL_REFUSE_IF(!IsDoublyStochastic(sequence),
                   TOPOLOGY_OPTION,
                   topology,
                   "one in which every node hears as much as it sends, such as ring, "
                   "exponential or complete, for " +
                       algorithm);
}

} // namespace dpdl
