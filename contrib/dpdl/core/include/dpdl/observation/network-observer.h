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
 * @brief Information of linear views R of the private inputs about each input: the orthogonal
 *        projector onto the row space of R, Pi = R^+ R.
 *
 * An observer sees y = R (g + N), with private inputs g and noise N of variance 1. It distinguishes
 * two inputs that differ by h like a Gaussian mechanism with mu^2 = |Pi h|^2 (Denisov, McMahan,
 * Rush, Smith and Thakurta, NeurIPS 2022; Bellet et al., arXiv 2510.17480).
 *
 * The rows of R are scaled to unit length, which does not change the row space. A singular value
 * decomposition yields the space. Singular values up to max(rows, columns) * 2^-52 times the
 * largest count as zero. If rounding hides a linear dependence of rows, the projector has
 * additional directions, so it overstates the information.
 */
class KnowledgeMatrix
{
  public:
    /**
     * @param rows rows of R, each with one coefficient per private input; shorter rows are padded
     *        with zeros
     * @param columns number of private inputs
     * @throws Error if a coefficient is not finite or the decomposition does not converge
     */
    KnowledgeMatrix(const std::vector<const std::vector<double>*>& rows, std::size_t columns);

    /// Rank of R: dimension of the space that the observer knows.
    std::size_t Rank() const
    {
        return m_rank;
    }

    /// Smallest nonzero singular value of R divided by the largest; 1 if R is 0 or empty.
    double Conditioning() const
    {
        return m_conditioning;
    }

    /// Smallest absolute value of the nonzero coefficients in the rows of unit length, at most 1.
    double LeastEntry() const
    {
        return m_leastEntry;
    }

    /**
     * @brief Submatrix of Pi with the rows and columns of the given inputs.
     * @param columns indices of the private inputs
     * @return [columns, columns] symmetric, row-major
     */
    std::vector<double> Block(const std::vector<std::size_t>& columns) const;

  private:
    std::size_t m_rank{0}; ///< rank of R
    /// Smallest nonzero singular value of R divided by the largest; 1 if R is 0 or empty.
    double m_conditioning{1.0};
    double m_leastEntry{1.0}; ///< see LeastEntry()
    /// [columns, rank] right singular vectors of R that span its row space, row-major.
    std::vector<double> m_vectors;
};

class RecordedRun;

/// Data of a run from which an observer's knowledge is computed.
struct ObservedRun : FlowRules
{
    bool sums{false};   ///< true: option `lossPolicy` is running-sum, so messages carry the sum of
                        ///< all shares sent on their link
    double delta{1e-5}; ///< delta of the epsilons of TargetView, in (0, 1)
    Adjacency adjacency{Adjacency::ADD_REMOVE}; ///< neighbouring relation of datasets
    std::vector<std::vector<Release>> releases; ///< ledger entries of each node, by node
    std::vector<Delivery> deliveries;           ///< fate of every message of the run
    Medium medium; ///< nodes that overhear messages addressed to other nodes
    /// True: local steps took the measured time, which depends on private batches.
    bool isTimed{false};
    bool crashed{false}; ///< true: a node crashed and may have lost its state, which the deliveries
                         ///< do not show
    /// Largest number of nodes whose secrets an observer may know under the guarantees of the run;
    /// empty: no limit.
    std::optional<double> colluders{};
    /// Smallest standard deviation that the noise of any release has in its node's state; 0: not
    /// known.
    double noiseInState{0.0};
    /// Bound on the largest absolute value in any node's state, from public numbers; infinity: not
    /// known.
    double largestState{std::numeric_limits<double>::infinity()};
    std::size_t leakers{0}; ///< number of nodes whose secrets every observer knows
    /// First analysed round: the private inputs of earlier rounds count as known to the observer.
    Round firstRound{0};
    /// True: the observer is assumed to see all states after the last round.
    bool endIsKnown{false};
};

/**
 * @brief Reads the data of a run from its trace.
 * @throws UsageError if the run is incomplete, its trace does not have every message, or
 *         MessageFlow does not model it: unknown `stepScale`, steps other than a gradient with
 *         constant step size before sending, chunks, compression, other mixing rules than the
 *         average, lying nodes, a server of unequal nodes, or the schedule wait-free; also as
 *         ReadMedium()
 */
ObservedRun ReadObservedRun(const RecordedRun& run);

/**
 * @brief Unproven bound on the information that an observer gained about one node's data (a
 *        "what-if", see NetworkObserver).
 *
 * Information is measured as mu^2 of Gaussian differential privacy, without amplification by
 * sampling: the example counts as part of every batch. Let mu_k be sensitivity / noise of the
 * node's step k.
 */
struct TargetView
{
    NodeId target{0}; ///< node that owns the data
    /// Number of the node's steps k of whose mu_k^2 the observer sees a fraction above 1e-9.
    std::size_t rounds{0};
    double muSquared{0.0}; ///< bound on mu^2 of all steps together, given the observer's view
    /// mu^2 of all steps together for an observer that sees every message of the node.
    double localMuSquared{0.0};
    /// Mean over the node's steps k of the fraction of mu_k^2 that the observer sees, in [0, 1].
    double meanStep{0.0};
    double worstStep{0.0};       ///< largest fraction of a mu_k^2 that the observer sees, in [0, 1]
    Round worstRound{0};         ///< round of the step with this fraction
    double singleMuSquared{0.0}; ///< bound on mu^2 if an example takes part in only one step
    double epsilon{0.0};         ///< epsilon for muSquared; may be infinite
    double localEpsilon{0.0};    ///< epsilon for localMuSquared; may be infinite
    std::string reason;          ///< reason for an infinite epsilon, one line; else empty

    /// muSquared / localMuSquared; 1 if muSquared is infinite or localMuSquared is 0.
    double Ratio() const;
};

/**
 * @brief Network differential privacy as a "what-if": the information that an observer could gain
 *        from the messages that this run delivered, under assumptions that are not proven.
 *
 * Let B be the submatrix of the KnowledgeMatrix with the rows and columns of a node's steps, and
 * a_s the mu (sensitivity / noise) of step s. Then mu^2 <= min(sum_{s,t} |B_st| a_s a_t,
 * lambda_max(B) sum_s a_s^2), and mu^2 <= max_s B_ss a_s^2 if an example takes part in only one
 * step.
 *
 * Assumptions. Noise is Gaussian and independent between nodes and rounds. The gradients of all
 * nodes are fixed or depend only on the observer's view (the adaptivity of Denisov et al., NeurIPS
 * 2022, theorem 2.1). In fact a gradient can depend on another node's data through a state that the
 * observer did not see; this is ignored, so the result is not a proven bound. Private inputs
 * without Gaussian noise count as known to the observer.
 */
class NetworkObserver
{
  public:
    /// Limit of the size of a run: nodes * rounds * releases must be at most MOST_INPUTS^2. The
    /// time is cubic in the number of releases.
    static constexpr std::size_t MOST_INPUTS = 3000;

    /**
     * @brief Replays all messages of the run.
     * @param run the run; must outlive this object
     * @param observer the observer
     * @throws UsageError if the run is too large (MOST_INPUTS), a node released twice in a round,
     *         or the deliveries are impossible
     * @throws Error if rounding has invalidated the knowledge matrix: the traces of the submatrices
     *         B of all nodes do not add up to its rank
     */
    NetworkObserver(const ObservedRun& run, const Observer& observer);

    /**
     * @brief Estimate of what the observer learned about the data of one node; not proven.
     *
     * If a release of the node cannot be analysed (noise not Gaussian, or correlated), mu and
     * epsilon are infinite, and the reason is set.
     * @param target node that does not belong to the observer; not checked
     */
    TargetView View(NodeId target) const;

    /// View() of every node that does not belong to the observer, in ascending order.
    std::vector<TargetView> Views() const;

    /// Number of different states, sums of states and final models that the observer sees.
    std::size_t MessagesSeen() const
    {
        return m_messages;
    }

    /// Knowledge matrix of the observer, over the columns of MessageFlow.
    const KnowledgeMatrix& Knowledge() const
    {
        return *m_knowledge;
    }

    /**
     * @brief True if Knowledge() may lack directions that the observer sees faintly.
     *
     * A direction that Knowledge() leaves out counts as a dependence of the rows only if the states
     * of all nodes lose it at once, as in an exact average. Gossip lowers other directions round by
     * round, so that the states of some round have a nonzero singular value, or a coefficient,
     * below 1e-6 of the largest.
     */
    bool MayMissDirections() const;

    /// Number of private inputs that have noise unknown to the observer.
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

    const ObservedRun& m_run;  ///< data of the run
    Observer m_observer;       ///< the observer
    std::size_t m_messages{0}; ///< number of rows that the observer sees, see MessagesSeen()
    std::vector<double> m_mu;  ///< mu (sensitivity / noise) of each release, by (round, node)
    std::map<NodeId, std::string> m_unsupported; ///< for nodes without a result: the reason
    std::unique_ptr<MessageFlow> m_flow; ///< states as linear combinations of the private inputs
    std::unique_ptr<KnowledgeMatrix> m_knowledge; ///< knowledge matrix of the observer
};

} // namespace dpdl

#endif // DPDL_OBSERVATION_NETWORK_OBSERVER_H
