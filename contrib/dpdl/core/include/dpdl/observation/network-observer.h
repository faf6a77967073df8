// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_OBSERVATION_NETWORK_OBSERVER_H
#define DPDL_OBSERVATION_NETWORK_OBSERVER_H

#include "dpdl/base/release.h"
#include "dpdl/base/types.h"
#include "dpdl/observation/message-flow.h"
#include "dpdl/observation/observer.h"
#include "dpdl/privacy/privacy-step.h"
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

/**
 * @brief Information of a set of linear views about each input: the orthogonal projector onto the
 *        row space of R, Pi = R^+ R.
 *
 * If an observer sees y = R (g + N) with unit noise N, its best estimate of a change of g keeps the
 * part Pi g and loses the rest. The remaining noise gives mu^2 = |Pi g|^2 (Denisov, McMahan, Rush,
 * Smith and Thakurta, NeurIPS 2022; Bellet et al., arXiv 2510.17480).
 *
 * A singular value decomposition of R yields the space; scaling the rows of R to unit
 * length does not change it. Singular values up to max(rows, columns) * 2^-52 times the largest
 * count as zero. If rounding hides a linear dependence of rows, unseen directions are added: the
 * matrix then reveals too much, never too little.
 */
class KnowledgeMatrix
{
  public:
    /**
     * @param rows views, each with one coefficient per input; shorter rows are padded with zeros
     * @param columns number of private inputs
     * @throws Error if a coefficient is not finite or the decomposition does not converge
     */
    KnowledgeMatrix(const std::vector<const std::vector<double>*>& rows, std::size_t columns);

    /// Rank of R: dimension of the space that the observer knows.
    std::size_t Rank() const
    {
        return m_rank;
    }

    /// Smallest nonzero singular value divided by the largest; 1 if nothing is seen.
    double Conditioning() const
    {
        return m_conditioning;
    }

    /**
     * @brief Submatrix of Pi with the rows and columns of some of the inputs.
     * @param columns indices of these inputs
     * @return symmetric, row-major, with as many rows as @p columns has entries
     */
    std::vector<double> Block(const std::vector<std::size_t>& columns) const;

  private:
    std::size_t m_rank{0}; ///< rank of R
    /// Smallest nonzero over largest singular value of R; 1: nothing seen.
    double m_conditioning{1.0};
    /// Right singular vectors of R that span Pi, [columns, rank], row-major.
    std::vector<double> m_vectors;
};

class RecordedRun;

/// Input from which an observer's knowledge is computed.
struct ObservedRun : FlowRules
{
    bool sums{false};                           ///< true: option `lossPolicy` is running-sum
    double delta{1e-5};                         ///< delta of the what-if epsilons, in (0, 1)
    Adjacency adjacency{Adjacency::ADD_REMOVE}; ///< neighbouring relation of datasets
    std::vector<std::vector<Release>> releases; ///< ledger entries of each node, by node
    std::vector<Delivery> deliveries;           ///< fate of every message of the run
    Medium medium;                              ///< nodes that overhear messages to others
    bool isTimed{false}; ///< true: steps took the measured time, which depends on private batches
    bool crashed{false}; ///< true: a node crashed; it may have lost its state, which no row shows
    /// Number of nodes whose secrets an observer may know under the guarantees of the run; empty:
    /// all.
    std::optional<double> colluders{};
    /// Least standard deviation of a release's noise in its node's state, and the largest value
    /// there; 0 and infinity: not known.
    double noiseInState{0.0};
    double largestState{std::numeric_limits<double>::infinity()};
    std::size_t leakers{0}; ///< number of nodes whose secrets every observer knows
    /// First round that the results cover: private inputs of earlier rounds count as known.
    Round firstRound{0};
    bool endIsKnown{false}; ///< true: all states after the last round count as seen
};

/**
 * @brief Reads the input of the analysis from a trace.
 * @throws UsageError if the run is incomplete (its messages would be missing), has no row for each
 *         message or no known `stepScale`, takes steps other than a gradient with a constant step
 *         size before the nodes send, or sends models in chunks; also as ReadMedium()
 */
ObservedRun ReadObservedRun(const RecordedRun& run);

/**
 * @brief Information that an observer gained about one node's data; a what-if, not a guarantee.
 *
 * In the units of Gaussian differential privacy, without amplification by sampling: the example
 * counts as part of every batch.
 */
struct TargetView
{
    NodeId target{0};      ///< node that owns the data
    std::size_t rounds{0}; ///< number of steps of which more than 1e-9 of mu^2 is seen
    double muSquared{0.0}; ///< upper bound on mu^2 of all steps together, given the observer's view
    double localMuSquared{0.0}; ///< the same bound for an observer of every message of the node
    /// Mean over the node's steps k of the part of mu_k^2 that the observer sees.
    double meanStep{0.0};
    double worstStep{0.0};       ///< largest part of any mu_k^2 that the observer sees
    Round worstRound{0};         ///< round of the step with the largest seen part
    double singleMuSquared{0.0}; ///< upper bound on mu^2 if an example takes part in one step only
    double epsilon{0.0};         ///< epsilon for muSquared; infinity if there is none
    double localEpsilon{0.0};    ///< epsilon for localMuSquared; infinity if there is none
    std::string reason;          ///< reason for an infinite epsilon, one line; else empty

    /// Fraction muSquared / localMuSquared of the local mu^2 that the observer sees; 1 if there is
    /// nothing to compare.
    double Ratio() const;
};

/**
 * @brief Network differential privacy as a what-if: information that an observer could gain from
 *        the messages that this run delivered.
 *
 * With B the part of the KnowledgeMatrix that belongs to the steps s of a node, and a_s = mu_s of
 * its releases, mu^2 <= min(sum_{s,t} |B_st| a_s a_t, lambda_max(B) sum_s a_s^2), and max_s B_ss
 * a_s^2 if an example takes part once.
 *
 * Assumptions. Noise is Gaussian and independent between nodes and rounds. The gradients of all
 * nodes count as given, or as chosen from the observer's view (the adaptivity of Denisov et al.,
 * NeurIPS 2022, theorem 2.1). A gradient can also carry another node's data through a state that
 * the observer did not see. The analysis ignores this path, so the result is not a proven bound.
 * Inputs of nodes without Gaussian noise count as known to the observer.
 */
class NetworkObserver
{
  public:
    /// Largest number of releases if all nodes release in every round; the time is cubic in it.
    /// With fewer releases per round, runs may have more rounds.
    static constexpr std::size_t MOST_INPUTS = 3000;

    /**
     * @brief Replays all messages of the run.
     * @param run data of the run; must outlive this object
     * @param observer the observer
     * @throws UsageError if there are more than MOST_INPUTS inputs, a node released twice in a
     *         round, or the deliveries are impossible
     * @throws Error if rounding has invalidated the knowledge matrix: sum_u trace B_u differs from
     *         its rank
     */
    NetworkObserver(const ObservedRun& run, const Observer& observer);

    /// Information about one node. @param target a node outside the observer
    TargetView View(NodeId target) const;

    /// Information about every node outside the observer, ascending.
    std::vector<TargetView> Views() const;

    /// Number of messages, or final models, that the observer sees.
    std::size_t MessagesSeen() const
    {
        return m_messages;
    }

    /// Knowledge matrix of the observer, over the columns of MessageFlow.
    const KnowledgeMatrix& Knowledge() const
    {
        return *m_knowledge;
    }

    /// Number of private inputs that the observer does not know at the start.
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

    const ObservedRun& m_run;                     ///< data of the run
    Observer m_observer;                          ///< the observer
    std::size_t m_messages{0};                    ///< number of messages that the observer has seen
    std::vector<double> m_mu;                     ///< mu of each release, by (round, node)
    std::map<NodeId, std::string> m_unsupported;  ///< reasons for nodes without a what-if
    std::unique_ptr<MessageFlow> m_flow;          ///< sent states as combinations of the inputs
    std::unique_ptr<KnowledgeMatrix> m_knowledge; ///< knowledge matrix of the observer
};

} // namespace dpdl

#endif // DPDL_OBSERVATION_NETWORK_OBSERVER_H
