// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_FAILURE_STATE_H
#define DPDL_NETWORK_FAILURE_STATE_H

#include "dpdl/base/random.h"
#include "dpdl/network/failure-event.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace dpdl
{

/// A failure begins or ends.
struct FailureChange
{
    double time{0.0};                   ///< simulated seconds
    bool begins{true};                  ///< false: it ends
    const FailureEvent* event{nullptr}; ///< what fails; never nullptr
    std::optional<LinkId> link;         ///< the one link of the set that does
    /// The one node that does; of a region or a jam: who comes within, or leaves.
    std::optional<NodeId> node;
};

/**
 * @brief The conditions that events of the failure language make, as time goes by.
 *
 * Time stands at -infinity first and is moved on by AdvanceTo(). Asking for a link costs some
 * nanoseconds where no failure has concerned its source yet, a hash lookup otherwise. Nothing is
 * kept for each pair of nodes: events about many links stay one thing.
 *
 * Random times are a function of the seed, of what the event says but for its mean times and its
 * length, and of the link or node; not of the order of the events.
 */
class FailureState : public NetworkState
{
  public:
    /// Position of a node now; empty: not known.
    using PositionOf = std::function<std::optional<Position>(NodeId)>;

    /**
     * @param events what goes wrong
     * @param nodes number of nodes of the network
     * @param seed names the random times
     * @param links those that are used: the ones that fail where each draws its own times
     */
    FailureState(std::vector<FailureEvent> events,
                 std::size_t nodes,
                 RandomSeed seed,
                 const std::vector<LinkId>& links);
    ~FailureState() override;

    /// Gives the nodes' positions, for failures within a circle; see RequirePositions().
    void SetPositions(PositionOf positions);

    /// When the next failure begins or ends, in seconds; infinity: never.
    double NextChange() const;

    /**
     * @brief Moves time on.
     * @param time seconds, not less than the last one
     * @return what has changed up to and including @p time, in order; valid until the next call
     */
    const std::vector<FailureChange>& AdvanceTo(double time);

    /**
     * @brief An event whose times are reported (FailureTiming) begins or ends now, for one node.
     * @param event its index among the events
     * @param node the node, which the event need not name
     * @param begins false: it ends
     * @param time seconds, not less than the last one
     * @return the change; valid until the next call
     */
    const std::vector<FailureChange>& Report(std::size_t event,
                                             NodeId node,
                                             bool begins,
                                             double time);

    /// True while a failure within a circle lasts, so that Follow() is needed.
    bool FollowsPositions() const;

    /**
     * @brief Looks anew who is within the circles; AdvanceTo() looks when a failure begins.
     * @param time now
     * @return who has come and who has left; valid until the next call
     */
    const std::vector<FailureChange>& Follow(double time);

    LinkCondition Link(NodeId source, NodeId target) const override;

    /// Times that are less than half a nanosecond apart count as equal.
    bool WasDown(NodeId source, NodeId target, double since) const override;

    NodeCondition Node(NodeId node) const override;

    /// True if a node is crashed or paused, and will recover.
    bool AwaitsNodes() const;

    /// True if a node has crashed permanently.
    bool IsGone(NodeId node) const;

  private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

/**
 * @brief Refuses failures within a circle where positions are not known.
 * @param events what goes wrong
 * @param nodes number of nodes
 * @param positions gives their positions
 * @throws UsageError naming the first such event if a node has no position
 */
void RequirePositions(const std::vector<FailureEvent>& events,
                      std::size_t nodes,
                      const FailureState::PositionOf& positions);

} // namespace dpdl

#endif // DPDL_NETWORK_FAILURE_STATE_H
