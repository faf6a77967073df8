// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_FAILURE_NODES_H
#define DPDL_NETWORK_FAILURE_NODES_H

#include "dpdl/network/failure-state.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace dpdl
{

/// What the failures of nodes, and those within a circle, make of nodes and of all links of a node.
class FailureNodes
{
  public:
    /**
     * @param sentences outlive this object
     * @param nodes number of nodes
     */
    FailureNodes(const std::vector<FailureEvent>& sentences, std::size_t nodes);

    /// See FailureState::SetPositions().
    void SetPositions(FailureState::PositionOf positions);

    /**
     * @brief A failure begins or ends.
     * @param index of the sentence
     * @param node the only one concerned; empty: all of the sentence
     * @param begins false: it ends
     * @param time now, in seconds
     * @param[out] changes receives who was within a circle that vanishes, and who is in a new one
     */
    void Change(std::size_t index,
                const std::optional<NodeId>& node,
                bool begins,
                double time,
                std::vector<FailureChange>& changes);

    /// Looks anew who is within the circles.
    void Follow(double time, std::vector<FailureChange>& changes);

    /// Whether there is a circle.
    bool HasCircle() const
    {
        return !m_circles.empty();
    }

    /// Condition of a node.
    NodeCondition At(NodeId node) const;

    /// Whether all links of a node are down: it has crashed, or is within a dead region.
    bool IsCut(NodeId node) const
    {
        return m_nodes[node].cuts > 0;
    }

    /// When that was so for the last time; -infinity: never.
    double CutUntil(NodeId node) const
    {
        return m_nodes[node].cutUntil;
    }

    /// Probability that a jammer loses what is sent to a node.
    double JamLoss(NodeId node) const
    {
        return m_nodes[node].jamLoss;
    }

    /// How many pauses and crashes are going on that will end.
    std::size_t StandStills() const
    {
        return m_standStills;
    }

    /// Whether a node has crashed for ever.
    bool IsGone(NodeId node) const
    {
        return m_nodes[node].gone;
    }

  private:
    /// One node.
    struct State
    {
        std::uint32_t crashes{0}; ///< going on
        std::uint32_t pauses{0};  ///< going on
        std::uint32_t cuts{0};    ///< crashes and regions going on
        bool gone{false};         ///< see IsGone()
        double slowdown{1.0};     ///< factor
        double cutUntil;          ///< see CutUntil()
        double jamLoss{0.0};      ///< see JamLoss()
    };

    /// A circle, and who is within it, by node.
    using Circles = std::map<std::size_t, std::vector<char>>;

    void ChangeNode(const FailureEvent& sentence, NodeId node, bool begins, double time);
    void Cut(NodeId node, bool begins, double time);
    void LookInto(Circles::value_type& circle, double time, std::vector<FailureChange>& changes);
    void Move(Circles::value_type& circle,
              NodeId node,
              bool within,
              double time,
              std::vector<FailureChange>& changes);
    void SumUpJams(NodeId node);

    const std::vector<FailureEvent>& m_sentences; ///< all
    std::vector<State> m_nodes;                   ///< by number
    std::size_t m_standStills{0};                 ///< see StandStills()
    FailureState::PositionOf m_positions;         ///< where nodes are
    Circles m_circles;                            ///< by sentence
};

} // namespace dpdl

#endif // DPDL_NETWORK_FAILURE_NODES_H
