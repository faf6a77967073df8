// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_OBSERVATION_NETWORK_OBSERVER_H
#define DPDL_OBSERVATION_NETWORK_OBSERVER_H

#include "dpdl/base/types.h"
#include "dpdl/observation/knowledge-matrix.h"
#include "dpdl/observation/message-flow.h"
#include "dpdl/observation/observer.h"
#include "dpdl/privacy/privacy-step.h"
#include "dpdl/privacy/release.h"
#include "dpdl/trace/network-rows.h"

#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dpdl
{

class RecordedRun;

/// What an observer's knowledge is computed from.
struct ObservedRun
{
    Round rounds{0};                            ///< K
    bool byWeight{true};                        ///< option `stepScale`
    bool refunds{false};                        ///< option `lossPolicy` is refund
    bool renormalises{false};                   ///< option `lossPolicy` is renormalise
    bool sums{false};                           ///< option `lossPolicy` is running-sum
    double delta{1e-5};                         ///< delta of the what-if epsilons, in (0, 1)
    Adjacency adjacency{Adjacency::ADD_REMOVE}; ///< what neighbouring datasets differ in
    std::vector<std::vector<Release>> releases; ///< ledger of each node
    std::vector<Delivery> deliveries;           ///< what became of every message
    Medium medium;                              ///< who hears messages to others
    bool isTimed{false}; ///< steps took the time that was measured, which depends on batches
    bool crashed{false}; ///< a node crashed: it may have lost its state, which no row shows
    /// How many nodes' secrets the guarantees of the run allow an observer to know; empty: all.
    std::optional<double> colluders{};
    /// Least deviation of a release's noise in its node's state, and the largest value there; 0 and
    /// infinity: not known.
    double noiseInState{0.0};
    double largestState{std::numeric_limits<double>::infinity()};
    std::size_t leakers{0}; ///< nodes whose secrets every observer knows
    /// Private inputs of earlier rounds count as known: results are about later steps only.
    Round firstRound{0};
    bool endIsKnown{false}; ///< all states after the last round count as seen
};

/**
 * @brief Reads from a trace what an observer's knowledge is computed from.
 * @throws UsageError if the run has not reached its end (its messages would be missing), has no row
 *         for each message, no `stepScale` that is known, steps other than a gradient with a
 *         constant step size before the nodes send, or models sent in chunks; as ReadMedium()
 */
ObservedRun ReadObservedRun(const RecordedRun& run);

/**
 * @brief Information that an observer gained about one node's data; a what-if, not a guarantee.
 *
 * In the units of Gaussian differential privacy and without amplification by sampling: as if the
 * example had been in every batch.
 */
struct TargetView
{
    NodeId target{0};            ///< whose data
    std::size_t rounds{0};       ///< steps of which anything is seen: more than 1e-9 of mu^2
    double muSquared{0.0};       ///< bound on mu^2 of all steps together
    double localMuSquared{0.0};  ///< the same for an observer who sees every message of the node
    double meanStep{0.0};        ///< mean over the steps of the part of mu_k^2 that is seen
    double worstStep{0.0};       ///< the largest of these parts
    Round worstRound{0};         ///< and its round
    double singleMuSquared{0.0}; ///< bound on mu^2 if an example takes part in one step only
    double epsilon{0.0};         ///< of muSquared; infinity if there is no such value
    double localEpsilon{0.0};    ///< of localMuSquared
    std::string reason;          ///< why epsilon is infinite, one line, else ""

    /// muSquared / localMuSquared; 1 where nothing is left to compare.
    double Ratio() const;
};

/**
 * @brief Network differential privacy as a what-if: what an observer could learn from the messages
 *        that this run really delivered.
 *
 * With B the part of the KnowledgeMatrix that belongs to the steps s of a node, and a_s = mu_s of
 * its releases, mu^2 <= min(sum_{s,t} |B_st| a_s a_t, lambda_max(B) sum_s a_s^2), and
 * max_s B_ss a_s^2 if an example takes part once.
 *
 * Assumptions. Noise is Gaussian and independent between nodes and rounds. The gradients of all
 * nodes count as given, or as chosen from what the observer himself saw (the adaptivity of Denisov
 * et al., NeurIPS 2022, theorem 2.1): what a node's gradient carries on of another node's data
 * through a state that the observer did not see is left out, so that the result is no proven bound.
 * Inputs of nodes that are not protected by Gaussian noise count as known to the observer.
 */
class NetworkObserver
{
  public:
    /// Largest number of releases if all nodes release in every round; the time grows with its
    /// cube. Fewer releases allow for more rounds.
    static constexpr std::size_t MOST_INPUTS = 3000;

    /**
     * @brief Follows all messages of the run.
     * @param run what happened; must outlive the observer
     * @param observer who watches
     * @throws UsageError if there are more than MOST_INPUTS inputs, a node released twice in a
     * round, or the deliveries cannot have happened
     * @throws Error if rounding has voided the knowledge matrix: sum_u trace B_u is not its rank
     */
    NetworkObserver(const ObservedRun& run, const Observer& observer);

    /// Information about one node. @param target no member of the observer
    TargetView View(NodeId target) const;

    /// The same for every node that is not a member, ascending.
    std::vector<TargetView> Views() const;

    /// Number of messages, or final models, that are seen.
    std::size_t MessagesSeen() const
    {
        return m_messages;
    }

    /// The view as a linear space.
    const KnowledgeMatrix& Knowledge() const
    {
        return *m_knowledge;
    }

    /// Number of private inputs that the observer does not know from the start.
    std::size_t Inputs() const
    {
        return m_flow->Columns();
    }

  private:
    FlowSettings InputsOf(const ObservedRun& run);
    void CheckIdentity() const;
    std::vector<Round> StepsOf(NodeId node) const;
    std::vector<double> BlockOf(NodeId node) const;
    void Measure(TargetView& view) const;

    const ObservedRun& m_run;                     ///< what happened
    Observer m_observer;                          ///< who watches
    std::size_t m_messages{0};                    ///< see MessagesSeen()
    std::vector<double> m_mu;                     ///< by (round, node): mu of the release
    std::map<NodeId, std::string> m_unsupported;  ///< why a node has no what-if
    std::unique_ptr<MessageFlow> m_flow;          ///< inputs and states
    std::unique_ptr<KnowledgeMatrix> m_knowledge; ///< see Knowledge()
};

} // namespace dpdl

#endif // DPDL_OBSERVATION_NETWORK_OBSERVER_H
