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

/// The beginning or end of a failure.
struct FailureChange
{
    double time{0.0};                   ///< time of the change in simulated seconds
    bool begins{true};                  ///< true: the failure begins; false: it ends
    const FailureEvent* event{nullptr}; ///< event of the failure; never nullptr
    std::optional<LinkId> link;         ///< the affected link; empty: all links of the event
    /// The affected node; empty: all nodes of the event. REGION, JAM: the node that enters or
    /// leaves the circle.
    std::optional<NodeId> node;
};

/**
 * @brief State of the network over time, under events of the failure language.
 *
 * Time starts at -infinity; AdvanceTo() advances it. A query of a link takes a few nanoseconds if
 * no failure has affected links of its source yet, otherwise a hash lookup. There is no storage per
 * pair of nodes: an event about more than 16 pairs of source and target has one entry.
 *
 * Random times are a function of the seed, the beginning of the event, its text before the first
 * time clause, and the link or node. They do not depend on the order of the events.
 */
class FailureState : public NetworkState
{
  public:
    /// Returns the current position of a node; empty: not known.
    using PositionOf = std::function<std::optional<Position>(NodeId)>;

    /**
     * @param events the failures
     * @param nodes number of nodes of the network
     * @param seed of the random times
     * @param links the used links; random failures per link are drawn for these only
     */
    FailureState(std::vector<FailureEvent> events,
                 std::size_t nodes,
                 RandomSeed seed,
                 const std::vector<LinkId>& links);
    ~FailureState() override;

    /// Sets the nodes' positions, for failures within a circle; see RequirePositions().
    void SetPositions(PositionOf positions);

    /// Simulated time of the next change in s; infinity: no change follows.
    double NextChange() const;

    /**
     * @brief Advances time.
     * @param time simulated time in s, not less than in earlier calls
     * @return changes up to and including @p time, in order; valid until the next call
     */
    const std::vector<FailureChange>& AdvanceTo(double time);

    /**
     * @brief Begins or ends an event with reported times (FailureTiming) for one node.
     * @param event index of the event
     * @param node the node, which the event need not name
     * @param begins false: it ends
     * @param time simulated time in s, not less than in earlier calls
     * @return the change; valid until the next call
     */
    const std::vector<FailureChange>& Report(std::size_t event,
                                             NodeId node,
                                             bool begins,
                                             double time);

    /// True while a failure within a circle lasts; Follow() is then needed.
    bool FollowsPositions() const;

    /**
     * @brief Updates the nodes within circles; AdvanceTo() does so when a failure begins.
     * @param time current time in seconds
     * @return nodes that entered or left; valid until the next call
     */
    const std::vector<FailureChange>& Follow(double time);

    LinkCondition Link(NodeId source, NodeId target) const override;

    /// True if a link was down at any time from @p since, in simulated s, to the current time.
    /// Times less than half a nanosecond apart count as equal.
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
 * @brief Refuses failures within a circle if positions are unknown.
 * @param events the failures
 * @param nodes number of nodes
 * @param positions gives their positions
 * @throws UsageError with the first such event if a node has no position
 */
void RequirePositions(const std::vector<FailureEvent>& events,
                      std::size_t nodes,
                      const FailureState::PositionOf& positions);

} // namespace dpdl

#endif // DPDL_NETWORK_FAILURE_STATE_H
