// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_FAILURE_TIMELINE_H
#define DPDL_NETWORK_FAILURE_TIMELINE_H

#include "dpdl/network/failure-state.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace dpdl
{

/// Probability of at least one of two independent events with probabilities @p a and @p b.
inline double
EitherOf(double a, double b)
{
    return a + b - a * b;
}

/**
 * @brief State of links under the current link failures and partitions.
 *
 * A failure of at most 16 pairs of source and target is stored with each link. A failure of more
 * pairs, a failure of all sources or targets, and every partition are stored once in a list. The
 * resulting state of a link is cached until one of its failures begins or ends.
 */
class FailureLinks
{
  public:
    /// State of a link under all its failures.
    struct Summary
    {
        LinkCondition condition; ///< present condition of the link
        /// Latest end, in simulated seconds, of an outage of the link; -infinity: never.
        double downUntil;
    };

    /**
     * @param events all failure events; must outlive this object
     * @param nodes number of nodes
     */
    FailureLinks(const std::vector<FailureEvent>& events, std::size_t nodes);

    /**
     * @brief Begins or ends a failure.
     * @param index index of the event
     * @param link the affected link; empty: all links of the event
     * @param begins true: the failure begins; false: it ends
     * @param time simulated time, in seconds
     */
    void Change(std::size_t index, const std::optional<LinkId>& link, bool begins, double time);

    /// State of a link, valid until the next call of Change(). Null if no failure so far has
    /// affected a link with this source.
    const Summary* Find(NodeId source, NodeId target) const
    {
        return m_allConcerned || m_concerned[source] ? &Look(source, target) : nullptr;
    }

  private:
    /// Failures and cached state of one link.
    struct Link
    {
        /// Current failures of this link that have at most 16 pairs of source and target.
        std::vector<const FailureEvent*> active;
        /// Latest end of an outage by a failure that was in `active`; -infinity: never.
        double downUntil;
        /// Value of m_version when `summary` was computed; 0 if `summary` is outdated.
        std::uint64_t version{0};
        Summary summary; ///< cached state of the link under all failures
    };

    /// A failure of many links, which is not stored with each of them: a failure of more than 16
    /// pairs of source and target, a failure of all sources or targets, or a partition. The failure
    /// has begun at least once.
    struct Wide
    {
        const FailureEvent* event; ///< event of the failure
        bool active;               ///< true: the failure is in force
        /// Latest end of the failure, in simulated seconds; -infinity: never.
        double downUntil;
    };

    const Summary& Look(NodeId source, NodeId target) const;
    void Summarise(NodeId source, NodeId target, Link& link) const;
    void ChangeLink(const FailureEvent& event, const LinkId& link, bool begins, double time);
    void ChangeWide(std::size_t index, bool begins, double time);
    void Concern(const NodeSet& sources);
    Link& At(NodeId source, NodeId target) const;

    const std::vector<FailureEvent>& m_events; ///< all failure events; must outlive this object
    /// Failures of many links, in the order of their first begin. Each is stored once in this list,
    /// instead of in Link::active of every affected link.
    std::vector<Wide> m_wide;
    /// Element i: index in m_wide of event i; NOWHERE if event i is not in m_wide.
    std::vector<std::size_t> m_places;
    bool m_allConcerned{false}; ///< true: a failure has affected links of all sources
    /// Element i: true if a failure has affected links of source i.
    std::vector<char> m_concerned;
    std::uint64_t m_version{1}; ///< number of changes of m_wide so far, plus 1
    /// Links that failed or were queried; key: source in the upper 32 bits, target in the lower 32
    /// bits.
    mutable std::unordered_map<std::uint64_t, Link> m_links;
    mutable std::vector<const FailureEvent*> m_scratch; ///< scratch vector of Summarise()
};

/// State of the nodes under failures of nodes and failures within circles (region, jam).
class FailureNodes
{
  public:
    /**
     * @param events all failure events; must outlive this object
     * @param nodes number of nodes
     */
    FailureNodes(const std::vector<FailureEvent>& events, std::size_t nodes);

    /// Sets the function that returns a node's position in metres. Must be called before a failure
    /// within a circle begins.
    void SetPositions(FailureState::PositionOf positions)
    {
        m_positions = std::move(positions);
    }

    /**
     * @brief Begins or ends a failure.
     * @param index index of the event
     * @param node the affected node; empty: all nodes of the event
     * @param begins true: the failure begins; false: it ends
     * @param time simulated time, in seconds
     * @param[out] changes each node that leaves an ending circle, or is in a new circle, is
     *             appended
     */
    void Change(std::size_t index,
                const std::optional<NodeId>& node,
                bool begins,
                double time,
                std::vector<FailureChange>& changes);

    /// Recomputes which nodes are within the circle of each region or jam in force.
    /// @param time simulated time, in seconds
    /// @param[out] changes each node that enters or leaves a circle is appended
    void Follow(double time, std::vector<FailureChange>& changes);

    /// True if a failure of a circle (region or jam) is in force.
    bool HasCircle() const
    {
        return !m_circles.empty();
    }

    /// Present condition of a node.
    NodeCondition At(NodeId node) const;

    /// True if all links of a node are down, because it has crashed or is within a failed region.
    bool IsCut(NodeId node) const
    {
        return m_nodes[node].cuts > 0;
    }

    /// Latest end, in simulated seconds, of an interval in which all links of a node were down;
    /// -infinity: never.
    double CutUntil(NodeId node) const
    {
        return m_nodes[node].cutUntil;
    }

    /// Probability, in [0, 1], that jammers cause the loss of a message sent to a node.
    double JamLoss(NodeId node) const
    {
        return m_nodes[node].jamLoss;
    }

    /// Number of current pauses and crashes that have an end.
    std::size_t StandStills() const
    {
        return m_standStills;
    }

    /// True if a node has crashed permanently.
    bool IsGone(NodeId node) const
    {
        return m_nodes[node].gone;
    }

  private:
    /// Failures of one node.
    struct State
    {
        std::uint32_t crashes{0}; ///< number of crashes of the node in force
        std::uint32_t pauses{0};  ///< number of pauses of the node in force
        /// Number of current crashes, and of failed regions that contain the node.
        std::uint32_t cuts{0};
        bool gone{false};     ///< true: the node has crashed permanently
        double slowdown{1.0}; ///< factor, > 0, on the duration of local steps
        Lie lie;              ///< current Byzantine attack of the node, if there is one
        /// Latest end of an interval with all links down, in simulated seconds; -infinity: never.
        double cutUntil{-std::numeric_limits<double>::infinity()};
        double jamLoss{0.0}; ///< loss probability by jammers, [0, 1]
    };

    /// Circles in force; key: index of the event. Element i of the value: 1 if node i is within the
    /// circle.
    using Circles = std::map<std::size_t, std::vector<char>>;

    void ChangeNode(const FailureEvent& event, NodeId node, bool begins, double time);
    void Cut(NodeId node, bool begins, double time);
    void LookInto(Circles::value_type& circle, double time, std::vector<FailureChange>& changes);
    void Move(Circles::value_type& circle,
              NodeId node,
              bool within,
              double time,
              std::vector<FailureChange>& changes);
    void SumUpJams(NodeId node);

    const std::vector<FailureEvent>& m_events; ///< all failure events; must outlive this object
    std::vector<State> m_nodes;                ///< failures of each node; index: node
    std::size_t m_standStills{0};         ///< number of current pauses and crashes that have an end
    FailureState::PositionOf m_positions; ///< returns the position of a node, m
    Circles m_circles;                    ///< circles in force
};

} // namespace dpdl

#endif // DPDL_NETWORK_FAILURE_TIMELINE_H
