// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_CERTIFIED_CURVE_H
#define DPDL_PRIVACY_CERTIFIED_CURVE_H

#include "dpdl/base/types.h"
#include "dpdl/privacy/accountant.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dpdl
{

/// What the nodes of a run mean to release. It saves work where they do, and nothing rests on it.
struct ReleasePlan
{
    Round rounds{0}; ///< of the run
    /// The releases of a node in a round, in the order in which they leave.
    std::function<std::vector<Release>(NodeId, Round)> releases;
    /// The same for two nodes only if they mean to release the same.
    std::function<const void*(NodeId)> kind;
};

/**
 * @brief What the nodes of a run have spent so far, by the run's accountant.
 *
 * After each round Largest() is an upper bound of the largest epsilon of any node. It is not below
 * what the accountant says of the releases so far, where that one is as close to the exact value as
 * it means to be, and at most TOLERANCE, relative, above it.
 *
 * The accountant is not asked for each round: a bound of the releases so far *and* of those that
 * the plan has for the next rounds holds until then, whichever of them are made. It is kept as long
 * as it is within the tolerance, and dropped with the first release that it does not cover. Nodes
 * that have released the same things share one state, and part when they differ. A node whose bound
 * for many rounds ahead is below what another one has spent already is not looked at before these
 * rounds have passed.
 */
class CertifiedCurve
{
  public:
    /// Largest relative distance from the accountant's value; 4e-7 is allowed in any case.
    static constexpr double TOLERANCE = 1e-3;

    /**
     * @param nodes number of nodes
     * @param guarantees the accountant and its question
     * @param plan what may be released next
     */
    CertifiedCurve(std::size_t nodes,
                   std::shared_ptr<AccountantCache> guarantees,
                   const ReleasePlan& plan);
    ~CertifiedCurve();

    /// Adds one release to those of its node.
    void Add(const Release& release);

    /**
     * @brief Bounds what any node without UnsupportedReason() has spent.
     * @param closed rounds that every node has closed
     * @return at least what the last call returned; 0 if there is no such node
     */
    double Largest(Round closed);

    /// Why no accountant whatsoever has an answer for the node, one line; "" if one may have.
    const std::string& UnsupportedReason(NodeId node) const;

    /**
     * @brief Names the nodes that share a state.
     * @return equal for two nodes only if they have released the same things
     */
    std::shared_ptr<const void> Group(NodeId node) const
    {
        return m_nodes[node].state;
    }

  private:
    struct State;
    struct Track;

    /// One node.
    struct Node
    {
        std::shared_ptr<State> state; ///< what it has released
        Round round{0};               ///< of its last release
        std::size_t number{0};        ///< of the releases in that round
        bool strayed{false};          ///< it has released what the plan does not have
    };

    bool Covers(Node& node, const Release& release, const std::optional<CountedStep>& counted);
    double PlanTotal(NodeId node);
    std::vector<CountedStep> Planned(NodeId node, Round first, Round last) const;
    void Refresh(Track& track, NodeId node, Round from);

    std::shared_ptr<AccountantCache> m_guarantees;
    ReleasePlan m_plan;
    std::vector<Node> m_nodes;              ///< by node
    std::map<const void*, double> m_totals; ///< what a whole plan costs, by kind
    double m_known{0.0};                    ///< some node's epsilon is hardly below this
    double m_largest{0.0};                  ///< last answer
    std::size_t m_serial{0};                ///< number of bounds found
    double m_row{0.0};                      ///< next answer, as far as it is known
};

} // namespace dpdl

#endif // DPDL_PRIVACY_CERTIFIED_CURVE_H
