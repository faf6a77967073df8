// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_SYNTHETIC_RUN_H
#define DPDL_TEST_SYNTHETIC_RUN_H

#include "dpdl/observation/network-observer.h"

#include <functional>
#include <vector>

namespace dpdl
{

/// To whom a node sends in a round.
using Targets = std::function<std::vector<NodeId>(NodeId node, Round round)>;

/// Every node to the next one.
inline Targets
DirectedRing(std::size_t nodes)
{
    return [nodes](NodeId node, Round) {
        return std::vector<NodeId>{static_cast<NodeId>((node + 1) % nodes)};
    };
}

/// Every node to both neighbours.
inline Targets
UndirectedRing(std::size_t nodes)
{
    return [nodes](NodeId node, Round) {
        return std::vector<NodeId>{static_cast<NodeId>((node + 1) % nodes),
                                   static_cast<NodeId>((node + nodes - 1) % nodes)};
    };
}

/// In round k to the one 2^(k mod M) further on, M = floor(log2(n - 1)) + 1.
inline Targets
Exponential(std::size_t nodes)
{
    std::size_t hops = 1;
    while ((std::size_t{1} << hops) < nodes)
    {
        ++hops;
    }
    return [nodes, hops](NodeId node, Round round) {
        return std::vector<NodeId>{
            static_cast<NodeId>((node + (std::size_t{1} << (round % hops))) % nodes)};
    };
}

/// Every node to every other.
inline Targets
Complete(std::size_t nodes)
{
    return [nodes](NodeId node, Round) {
        std::vector<NodeId> targets;
        for (NodeId target = 0; target < nodes; ++target)
        {
            if (target != node)
            {
                targets.push_back(target);
            }
        }
        return targets;
    };
}

/// Gaussian releases with mu = 1 in every round, and messages that all arrive in time.
inline ObservedRun
SyntheticRun(std::size_t nodes, Round rounds, const Targets& targets)
{
    ObservedRun run;
    run.rounds = rounds;
    run.noiseInState = 1.0;
    run.largestState = 1.0;
    run.releases.resize(nodes);
    for (Round round = 0; round < rounds; ++round)
    {
        for (NodeId node = 0; node < nodes; ++node)
        {
            run.releases[node].push_back({node, round, "gaussian", "full", 1.0, 1.0, 1.0});
            const std::vector<NodeId> to = targets(node, round);
            for (const NodeId target : to)
            {
                Delivery message;
                message.round = round;
                message.source = node;
                message.target = target;
                message.weight = 1.0 / (1.0 + static_cast<double>(to.size()));
                message.arrivedAt = round;
                message.usedInRound = round;
                run.deliveries.push_back(message);
            }
        }
    }
    return run;
}

/// The release of a node in a round with other noise than SyntheticRun() gave it.
inline void
SetNoise(ObservedRun& run, NodeId node, Round round, double noise, double sensitivity = 1.0)
{
    Release fields = run.releases[node][round];
    fields.noise = noise;
    fields.sensitivity = sensitivity;
    std::vector<Release> releases;
    for (const Release& release : run.releases[node])
    {
        releases.push_back(release.round == round ? fields : release);
    }
    run.releases[node] = releases;
}

/// Only the releases of the first round of each phase; then gossip.
inline void
KeepPhases(ObservedRun& run, Round phase)
{
    for (std::vector<Release>& releases : run.releases)
    {
        std::vector<Release> kept;
        for (const Release& release : releases)
        {
            if (release.round % phase == 0)
            {
                kept.push_back(release);
            }
        }
        releases = kept;
    }
}

} // namespace dpdl

#endif // DPDL_TEST_SYNTHETIC_RUN_H
