// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/node-odometers.h"

#include <optional>
#include <utility>

namespace dpdl
{

/// Everything that one or more nodes have released, in the same order.
struct NodeOdometers::State
{
    explicit State(const RdpOdometer& start)
        : odometer(start)
    {
    }

    /// What distinguishes two releases as far as their cost goes: the step, and its epoch.
    using Key = std::pair<PrivacyStep, std::uint32_t>;

    RdpOdometer odometer;                     ///< of all of it
    std::string obstacle;                     ///< see Obstacle()
    std::map<Key, std::weak_ptr<State>> next; ///< where nodes went from here, while one is there
    std::optional<std::pair<double, double>> known; ///< delta last asked for, and its epsilon
};

NodeOdometers::NodeOdometers(std::size_t nodes, Adjacency adjacency)
    : m_nodes(nodes, std::make_shared<State>(RdpOdometer(std::make_shared<RdpCurves>(adjacency))))
{
}

void
NodeOdometers::Add(const Release& release)
{
    std::shared_ptr<State>& state = m_nodes[release.Node()];
    if (!state->obstacle.empty())
    {
        return;
    }
    const std::string obstacle = release.Obstacle();
    if (!obstacle.empty())
    {
        // The reason names its node: such a node has a state of its own.
        state = std::make_shared<State>(state->odometer);
        state->obstacle = obstacle;
        state->odometer.Add(release);
        return;
    }
    const StepCounts steps = NormalForm({release});
    if (steps.empty())
    {
        return;
    }
    const bool shuffled = release.Get().sampler == "shuffle";
    std::weak_ptr<State>& next =
        state->next[{steps.begin()->first, shuffled ? release.Get().epoch + 1 : 0}];
    std::shared_ptr<State> reached = next.lock();
    if (!reached)
    {
        reached = std::make_shared<State>(state->odometer);
        reached->odometer.Add(release);
        next = reached;
    }
    state = std::move(reached);
}

double
NodeOdometers::Epsilon(NodeId node, double delta) const
{
    State& state = *m_nodes[node];
    if (!state.known || state.known->first != delta)
    {
        state.known = {delta, state.odometer.Epsilon(delta)};
    }
    return state.known->second;
}

const std::string&
NodeOdometers::Obstacle(NodeId node) const
{
    return m_nodes[node]->obstacle;
}

} // namespace dpdl
