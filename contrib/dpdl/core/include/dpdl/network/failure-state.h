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

/// Start or end of a failure.
struct FailureChange
{
    double time{0.0};  ///< time of the change, in simulated seconds
    bool begins{true}; ///< true: the failure starts; false: it ends
    /// Event of the failure, never nullptr; valid during the lifetime of the FailureState.
    const FailureEvent* event{nullptr};
    std::optional<LinkId> link; ///< affected link; empty: all links of the event
    /// Affected node; empty: all nodes of the event. REGION, JAM: node that enters or leaves the
    /// circle.
    std::optional<NodeId> node;
};

/**
 * @brief State of a network over simulated time, under failure events.
 *
 * Time starts at -infinity, and AdvanceTo() advances it. A query of a link takes a few nanoseconds
 * if no failure so far has affected a link with the same source. Otherwise the query needs a hash
 * lookup. Memory does not grow with the number of node pairs: an event on more than 16 links is
 * stored once for all its links.
 *
 * Random times are a function of the seed, the start of the event, its text before the first time
 * clause, and the link or node. Random times do not depend on the order of the events.
 */
class FailureState : public NetworkState
{
  public:
    /// Returns the current position of a node; empty: not known.
    using PositionOf = std::function<std::optional<Position>(NodeId)>;

    /**
     * @param events failure events of the run
     * @param nodes number of nodes of the network
     * @param seed seed of the random times
     * @param links all links that the run uses; random times per link are drawn for these links
     *        only
     */
    FailureState(std::vector<FailureEvent> events,
                 std::size_t nodes,
                 RandomSeed seed,
                 const std::vector<LinkId>& links);
    ~FailureState() override;

    /// Sets the source of the nodes' positions, for failures of kinds REGION and JAM. Must be
    /// called before such a failure starts.
    void SetPositions(PositionOf positions);

    /// Simulated time of the next start or end of a failure, in s; infinity: none follows.
    double NextChange() const;

    /**
     * @brief Advances time, and applies all starts and ends of failures up to the new time.
     * @param time simulated time in s, not less than in earlier calls. The argument is not checked:
     *        an earlier time has no effect, because time is not set back
     * @return the applied changes, in order of time, including those less than half a nanosecond
     *         after @p time; valid until the next call
     */
    const std::vector<FailureChange>& AdvanceTo(double time);

    /**
     * @brief Starts or ends an event with FailureTiming::isReported for one node.
     * @param event index of the event in the constructor's list
     * @param node any node, even if the event does not name it
     * @param begins true: the event starts; false: it ends
     * @param time simulated time in s, not less than in earlier calls
     * @return the change; valid until the next call
     */
    const std::vector<FailureChange>& Report(std::size_t event,
                                             NodeId node,
                                             bool begins,
                                             double time);

    /// True while a failure within a circle is active. The caller must then call Follow()
    /// regularly, because after the start of the failure only Follow() detects that a node enters
    /// or leaves the circle.
    bool FollowsPositions() const;

    /**
     * @brief Updates the nodes within the circles of active failures. AdvanceTo() also does this
     *        when a failure starts.
     * @param time current time, in simulated seconds
     * @return changes for nodes that entered or left a circle; valid until the next call
     */
    const std::vector<FailureChange>& Follow(double time);

    LinkCondition Link(NodeId source, NodeId target) const override;

    /// True if a link was down at any time from @p since, in simulated seconds, to the current
    /// time. Times less than half a nanosecond apart count as equal.
    bool WasDown(NodeId source, NodeId target, double since) const override;

    NodeCondition Node(NodeId node) const override;

    /// True if at least one node is crashed or paused and will recover.
    bool AwaitsNodes() const;

    /// True if a node has crashed permanently.
    bool IsGone(NodeId node) const;

  private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

/**
 * @brief Refuses failures within a circle if positions are unknown.
 * @param events failure events of the run
 * @param nodes number of nodes
 * @param positions source of the nodes' positions
 * @throws UsageError naming the first such event if a node has no position
 */
void RequirePositions(const std::vector<FailureEvent>& events,
                      std::size_t nodes,
                      const FailureState::PositionOf& positions);

} // namespace dpdl

#endif // DPDL_NETWORK_FAILURE_STATE_H
