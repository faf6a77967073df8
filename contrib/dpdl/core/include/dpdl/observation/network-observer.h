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
 * @brief Information about each private input that an observer gains from linear combinations of
 *        all inputs. The information is the orthogonal projector Pi = R^+ R onto the row space of
 *        the matrix R of coefficients.
 *
 * An observer sees y = R (g + N), with private inputs g and noise N of variance 1. The observer
 * distinguishes two inputs that differ by h like a Gaussian mechanism with mu^2 = |Pi h|^2
 * (Denisov, McMahan, Rush, Smith and Thakurta, NeurIPS 2022; Bellet et al., arXiv 2510.17480).
 *
 * The rows of R are scaled to unit length, which does not change the row space. A singular value
 * decomposition computes this space. Singular values up to max(rows, columns) * 2^-52 times the
 * largest count as zero. If rounding hides a linear dependence of rows, the projector has
 * additional dimensions, so it overstates the information.
 */
class KnowledgeMatrix
{
  public:
    /**
     * @param rows rows of R, each with one coefficient per private input; shorter rows are padded
     *        with zeros
     * @param columns number of private inputs
     * @throws Error if a coefficient is not finite, or the decomposition does not converge
     */
    KnowledgeMatrix(const std::vector<const std::vector<double>*>& rows, std::size_t columns);

    /// Rank of R: number of dimensions of the private inputs that the observer can determine up to
    /// noise.
    std::size_t Rank() const
    {
        return m_rank;
    }

    /// Smallest nonzero singular value of R divided by the largest, in (0, 1]; 1 if R is 0 or
    /// empty.
    double Conditioning() const
    {
        return m_conditioning;
    }

    /// Smallest absolute value of the nonzero coefficients of R after its rows are scaled to unit
    /// length, at most 1.
    double LeastEntry() const
    {
        return m_leastEntry;
    }

    /**
     * @brief Submatrix of Pi with the rows and columns of the given inputs.
     * @param columns indices of c private inputs, each below the number of inputs; not checked
     * @return [c, c] symmetric, row-major, in the order of @p columns
     */
    std::vector<double> Block(const std::vector<std::size_t>& columns) const;

  private:
    std::size_t m_rank{0}; ///< rank of R
    /// Smallest nonzero singular value of R divided by the largest; 1 if R is 0 or empty.
    double m_conditioning{1.0};
    /// Smallest absolute nonzero coefficient in the rows of unit length, at most 1.
    double m_leastEntry{1.0};
    /// Right singular vectors of R that span its row space, [columns, rank], row-major.
    std::vector<double> m_vectors;
};

class RecordedRun;

/// Data of a recorded run from which an observer's knowledge is computed.
struct ObservedRun : FlowRules
{
    bool sums{false};   ///< true (lossPolicy=running-sum): messages carry the sum of
                        ///< all shares sent on their link
    double delta{1e-5}; ///< delta of the epsilons in TargetView, in (0, 1)
    Adjacency adjacency{Adjacency::ADD_REMOVE}; ///< neighbouring relation of datasets
    std::vector<std::vector<Release>> releases; ///< ledger entries, by node
    std::vector<Delivery> deliveries;           ///< all messages of the run, with their fates
    Medium medium; ///< nodes that overhear messages addressed to other nodes
    /// True: the duration of local steps was measured, so it depends on private batches.
    bool isTimed{false};
    /// True: a node crashed and may have lost its state, which the deliveries do not record.
    bool crashed{false};
    /// Largest number of nodes whose shared secrets an observer may know under the run's
    /// guarantees; empty: no limit.
    std::optional<double> colluders{};
    /// Smallest standard deviation of the noise that any release adds to its node's state; 0: not
    /// known.
    double noiseInState{0.0};
    /// Upper bound on the largest absolute value in any node's state, computed from public numbers;
    /// infinity: not known.
    double largestState{std::numeric_limits<double>::infinity()};
    std::size_t leakers{0}; ///< number of nodes whose shared secrets every observer knows
    /// First analysed round. The private inputs of earlier rounds count as known to the observer.
    Round firstRound{0};
    /// True: the observer is assumed to see all states after the last round.
    bool endIsKnown{false};
};

/**
 * @brief Reads the data of a run from its trace.
 * @throws UsageError if the run is incomplete, its trace does not have every message, or
 *         MessageFlow does not model it: unknown `stepScale`, local steps other than one gradient
 *         step of constant step size before sending, chunks, compression, mixing rules other than
 *         the average, Byzantine nodes, a server that weights nodes unequally, or the schedule
 *         `wait-free`. Also if ReadMedium() throws it
 */
ObservedRun ReadObservedRun(const RecordedRun& run);

/**
 * @brief Unproven bound on the information that an observer gained about one node's data (a
 *        "what-if", see NetworkObserver).
 *
 * Information is measured as mu^2 of Gaussian differential privacy, without amplification by
 * sampling: the example counts as part of every batch. mu_k is sensitivity / noise standard
 * deviation of the node's step k. The seen fraction of mu_k^2 is the fraction of this information
 * that the observer gains.
 */
struct TargetView
{
    NodeId target{0}; ///< node that owns the data
    /// Number of the node's steps of which the observer sees more than a fraction 1e-9 of mu_k^2.
    std::size_t rounds{0};
    /// Unproven upper bound on mu^2 of all steps together, given the observer's view.
    double muSquared{0.0};
    /// mu^2 of all steps together for an observer that sees all messages of the node.
    double localMuSquared{0.0};
    /// Mean over the node's steps k of the fraction of mu_k^2 that the observer sees, in [0, 1].
    double meanStep{0.0};
    /// Largest fraction of mu_k^2 of a step k that the observer sees, in [0, 1].
    double worstStep{0.0};
    Round worstRound{0}; ///< round of the step with the fraction `worstStep`
    /// Unproven upper bound on mu^2 if each example takes part in only one step.
    double singleMuSquared{0.0};
    double epsilon{0.0}; ///< epsilon of muSquared at ObservedRun::delta; may be infinite
    /// Epsilon of localMuSquared at ObservedRun::delta; may be infinite.
    double localEpsilon{0.0};
    std::string reason; ///< reason for an infinite epsilon, one line; "": epsilon is finite

    /// Ratio muSquared / localMuSquared; 1 if muSquared is infinite or localMuSquared is 0.
    double Ratio() const;
};

/**
 * @brief Estimates the information that an observer could gain from the messages that a run
 *        delivered, under assumptions that are not proven (a "what-if" for network differential
 *        privacy).
 *
 * Let B be the submatrix of the projector in KnowledgeMatrix with the rows and columns of a node's
 * steps, and a_s = sensitivity / noise standard deviation of step s. Then mu^2 <= min(sum_{s,t}
 * |B_st| a_s a_t, lambda_max(B) sum_s a_s^2), and mu^2 <= max_s B_ss a_s^2 if an example takes part
 * in only one step.
 *
 * Assumptions: Noise is Gaussian and independent between nodes and rounds. The gradients of all
 * nodes are fixed or depend only on the observer's view (the adaptivity of Denisov et al., NeurIPS
 * 2022, theorem 2.1). A real gradient can also depend on another node's data through a state that
 * the observer did not see. The estimate ignores this, so it is not a proven bound. Private inputs
 * without Gaussian noise count as known to the observer.
 */
class NetworkObserver
{
  public:
    /// Limit on the size of a run: nodes * rounds * releases must not exceed MOST_INPUTS^2. The
    /// time is cubic in the number of releases.
    static constexpr std::size_t MOST_INPUTS = 3000;

    /**
     * @brief Replays all messages of the run.
     * @param run data of the run; must outlive this object
     * @param observer observer whose view is analysed
     * @throws UsageError if the run is too large (MOST_INPUTS), a node made two releases in a
     *         round, or the deliveries are impossible
     * @throws Error if rounding has invalidated the knowledge matrix: the traces of the submatrices
     *         B of all nodes do not add up to its rank
     */
    NetworkObserver(const ObservedRun& run, const Observer& observer);

    /**
     * @brief Estimates the information that the observer gained about the data of one node; not
     *        proven.
     *
     * If the node has a release with correlated or non-Gaussian noise, mu and epsilon are infinite,
     * and `reason` is set.
     * @param target node that does not belong to the observer; not checked
     */
    TargetView View(NodeId target) const;

    /// View() of every node that does not belong to the observer, in ascending order of nodes.
    std::vector<TargetView> Views() const;

    /// Number of different states, sums of states, and final models that the observer sees: the
    /// rows of Knowledge().
    std::size_t MessagesSeen() const
    {
        return m_messages;
    }

    /// Knowledge matrix of the observer, with the columns of MessageFlow. Valid during the lifetime
    /// of this object.
    const KnowledgeMatrix& Knowledge() const
    {
        return *m_knowledge;
    }

    /**
     * @brief True if Knowledge() may lack dimensions that the observer sees, because their singular
     *        values are small.
     *
     * Knowledge() treats a small singular value as zero. The result is correct if a dimension
     * vanishes from the states of all nodes at once, as in an exact average. Other dimensions
     * shrink round by round in gossip, until rounding hides them. The function returns true if, in
     * some round, the matrix of all nodes' states has a nonzero singular value or coefficient below
     * 1e-6 of the largest.
     */
    bool MayMissDirections() const;

    /// Number of private inputs whose noise the observer does not know.
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
    Observer m_observer;       ///< observer whose view is analysed
    std::size_t m_messages{0}; ///< number of rows of the knowledge matrix, see MessagesSeen()
    /// Sensitivity / noise standard deviation of each release; at index round * n + node.
    std::vector<double> m_mu;
    std::map<NodeId, std::string> m_unsupported; ///< reason for a missing analysis, by node
    std::unique_ptr<MessageFlow> m_flow; ///< states as linear combinations of the private inputs
    std::unique_ptr<KnowledgeMatrix> m_knowledge; ///< knowledge matrix of the observer
};

} // namespace dpdl

#endif // DPDL_OBSERVATION_NETWORK_OBSERVER_H
