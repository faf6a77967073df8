// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_FAILURE_TIMELINE_H
#define DPDL_NETWORK_FAILURE_TIMELINE_H

#include "dpdl/network/failure-state.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace dpdl
{

/// Probability of at least one of two independent events.
inline double
EitherOf(double a, double b)
{
    return a + b - a * b;
}

/// True if a failure targets the nodes within a circle.
inline bool
IsCircle(const FailureEvent& event)
{
    return event.kind == FailureKind::REGION || event.kind == FailureKind::JAM;
}

/**
 * @brief State of links under the current link failures and partitions.
 *
 * A failure of at most 16 pairs of source and target is stored with each link. A failure of more
 * pairs, and every partition, is stored once in a list. The resulting state of a link is cached
 * until one of its failures changes.
 */
class FailureLinks
{
  public:
    /// State of a link.
    struct Summary
    {
        LinkCondition condition; ///< current condition
        double downUntil;        ///< last end of an outage of the link; -infinity: never
    };

    /**
     * @param events outlive this object
     * @param nodes number of nodes
     */
    FailureLinks(const std::vector<FailureEvent>& events, std::size_t nodes);

    /**
     * @brief Begins or ends a failure.
     * @param index of the event
     * @param link the affected link; empty: all links of the event
     * @param begins false: it ends
     * @param time now, in seconds
     */
    void Change(std::size_t index, const std::optional<LinkId>& link, bool begins, double time);

    /// State of a link; nullptr if no failure has affected its source yet.
    const Summary* Find(NodeId source, NodeId target) const
    {
        return m_allConcerned || m_concerned[source] ? &Look(source, target) : nullptr;
    }

  private:
    /// One link.
    struct Link
    {
        /// Failures of at most 16 pairs of source and target that affect this link.
        std::vector<const FailureEvent*> active;
        double downUntil; ///< last end of an outage by the failures in `active`; -infinity: never
        /// Value of m_version when `summary` was computed; 0: it is out of date.
        std::uint64_t version{0};
        Summary summary; ///< state under all failures
    };

    /// A failure of more than 16 pairs of source and target, or a partition, that has begun.
    struct Wide
    {
        const FailureEvent* event; ///< event of the failure
        bool active;               ///< true: in force
        double downUntil;          ///< last end of the failure; -infinity: never
    };

    const Summary& Look(NodeId source, NodeId target) const;
    void Summarise(NodeId source, NodeId target, Link& link) const;
    void ChangeLink(const FailureEvent& event, const LinkId& link, bool begins, double time);
    void ChangeWide(std::size_t index, bool begins, double time);
    void Concern(const NodeSet& sources);
    Link& At(NodeId source, NodeId target) const;

    const std::vector<FailureEvent>& m_events; ///< all failure events
    /// Failures that are stored once, in the order in which they first began.
    std::vector<Wide> m_wide;
    std::vector<std::size_t> m_places; ///< index in m_wide, by event
    bool m_allConcerned{false};        ///< true: a failure has affected links of every source
    std::vector<char> m_concerned;     ///< by source: true if a failure has affected its links
    std::uint64_t m_version{1};        ///< counts changes of m_wide
    mutable std::unordered_map<std::uint64_t, Link> m_links; ///< links that failed or were queried
    mutable std::vector<const FailureEvent*> m_scratch;      ///< used by Summarise()
};

/// State of nodes, and of all links of a node, under failures of nodes and within circles.
class FailureNodes
{
  public:
    /**
     * @param events outlive this object
     * @param nodes number of nodes
     */
    FailureNodes(const std::vector<FailureEvent>& events, std::size_t nodes);

    /// Sets the nodes' positions; see FailureState::SetPositions().
    void SetPositions(FailureState::PositionOf positions)
    {
        m_positions = std::move(positions);
    }

    /**
     * @brief Begins or ends a failure.
     * @param index of the event
     * @param node the affected node; empty: all nodes of the event
     * @param begins false: it ends
     * @param time now, in seconds
     * @param[out] changes receives nodes that leave an ending circle or are in a new one
     */
    void Change(std::size_t index,
                const std::optional<NodeId>& node,
                bool begins,
                double time,
                std::vector<FailureChange>& changes);

    /// Updates the nodes within the circles. @param[out] changes receives the nodes that enter or
    /// leave
    void Follow(double time, std::vector<FailureChange>& changes);

    /// True if there is a circle.
    bool HasCircle() const
    {
        return !m_circles.empty();
    }

    /// Condition of a node.
    NodeCondition At(NodeId node) const;

    /// True if all links of a node are down: it has crashed, or is within a failed region.
    bool IsCut(NodeId node) const
    {
        return m_nodes[node].cuts > 0;
    }

    /// Last time at which all links of a node were down; -infinity: never.
    double CutUntil(NodeId node) const
    {
        return m_nodes[node].cutUntil;
    }

    /// Loss probability, by jammers, of messages sent to a node.
    double JamLoss(NodeId node) const
    {
        return m_nodes[node].jamLoss;
    }

    /// Number of current pauses and crashes that will end.
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
    /// One node.
    struct State
    {
        std::uint32_t crashes{0}; ///< number of active crashes
        std::uint32_t pauses{0};  ///< number of active pauses
        std::uint32_t cuts{0};    ///< number of active crashes, and of active regions with the node
        bool gone{false};         ///< true: crashed permanently
        double slowdown{1.0};     ///< factor on the time of local steps
        Lie lie;                  ///< its Byzantine attack, if it has one
        double cutUntil;          ///< last time at which all its links were down; -infinity: never
        double jamLoss{0.0};      ///< loss probability by jammers, [0, 1]
    };

    /// Circles by event: for each node, nonzero if the node is within the circle.
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

    const std::vector<FailureEvent>& m_events; ///< all failure events
    std::vector<State> m_nodes;                ///< state of each node
    std::size_t m_standStills{0};         ///< number of current pauses and crashes that will end
    FailureState::PositionOf m_positions; ///< gives the nodes' positions
    Circles m_circles;                    ///< circles of each event
};

} // namespace dpdl

#endif // DPDL_NETWORK_FAILURE_TIMELINE_H
