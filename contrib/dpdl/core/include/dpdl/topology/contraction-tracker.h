// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_CONTRACTION_TRACKER_H
#define DPDL_TOPOLOGY_CONTRACTION_TRACKER_H

#include "dpdl/base/scaled-double.h"
#include "dpdl/base/types.h"
#include "dpdl/topology/graph-sequence.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace dpdl
{

class Influence;
class LongRunRate;
struct RoundMixing;

/// A push-sum share that a node mixed: a share received from another node, or the share that the
/// node kept.
struct MixedShare
{
    NodeId source;   ///< sending node; the node itself for the kept share
    Round sentRound; ///< round in which the sender sent the share, at most the round of the mixing
    ScaledDouble mass; ///< weight of the edge times the sender's push-sum weight w in that round
};

/// Contraction of the differences between the nodes' models over a window of rounds.
struct WindowResult
{
    Round firstRound; ///< first round of the window
    Round lastRound;  ///< last round of the window, inclusive
    double q;         ///< contraction per round in [0, 1]: contraction^(1 / rounds)
    /// Error of q. 0: q is exact up to rounding. Above 0: q is a lower bound on the contraction per
    /// round, and q + qError is either an estimate of it, or an upper bound that holds with
    /// probability at least 1 - 1e-6; see ContractionTracker.
    double qError;
    double contraction; ///< sigma of the window, in [0, 1]; defined in class ContractionTracker
    /// Dobrushin's coefficient tau of the window, in [0, 1]; defined in class ContractionTracker.
    /// NaN: not computed.
    double worstPair;
    /// True: the edges whose shares were mixed in the window connect all nodes strongly.
    bool stronglyConnected;
    /// 1 / sum_j v_j^2 in [1, n], with the influences v_j over all rounds since the tracker's first
    /// round; NaN: not computed.
    double effectiveNodes;
    /// Largest n v_j in [1, n], with the influences v_j over all rounds since the tracker's first
    /// round; NaN: not computed.
    double largestInfluence;
    /// Smallest push-sum weight of a node after any round of the window, divided by the mean weight
    /// of the nodes.
    double smallestWeight;
    /// Largest push-sum weight of a node after any round of the window, divided by the mean weight
    /// of the nodes.
    double largestWeight;
};

/**
 * @brief Measures the contraction factor q of push-sum from the shares that were actually mixed.
 *
 * Let z be a node's model. Without gradients, mixing maps the nodes' z at the start s of a window
 * to their z at its end e: z^e = R z^s. A node's new z is the mean of the shares that it mixed,
 * weighted by mass. Each row of R therefore sums to 1, even with losses. A share that was sent
 * before the window and mixed in it gets an additional column of R, because its z may differ from
 * every node's z at s. A late share that was sent within the window counts with its sender's z in
 * the round of sending.
 *
 * Let w be the push-sum weights (masses) of the nodes at the end, scaled to sum 1. A unit of the
 * final mass is at node j and came from column c of R with probability w_j R_jc; pi_c = sum_j w_j
 * R_jc is the fraction of the final mass that comes from c. If no message is lost or late, pi is w
 * at the start. Then
 *
 *     sigma = sigma_max((I - u u^T) A),   A = diag(w)^(1/2) R diag(pi)^(-1/2),   u = w^(1/2).
 *
 * The standard deviation of z over the nodes at the end, weighted by w, is at most sigma times the
 * standard deviation at the start, weighted by pi. sigma is the maximal correlation between the
 * final and the initial position of mass, and therefore in [0, 1]. sigma is 0 if the window
 * averages exactly, and 1 if the edges of the window do not connect all nodes. If no message is
 * lost or late, sigma is the second singular value of A. For a static symmetric circulant graph,
 * sigma is the second largest modulus of an eigenvalue of the mixing matrix, to the power of the
 * number of rounds. The contraction per round is q = sigma^(1 / rounds).
 *
 * Dobrushin's coefficient is tau = 1/2 max_ij sum_c |R_ic - R_jc|: the largest difference between
 * two nodes' z at the end is at most tau times the largest difference at the start. tau is 1 if the
 * z of two nodes at the end depend on disjoint sets of nodes at the start.
 *
 * The influence v_j is the weight that node j's z before the first round has in the mean of all
 * nodes' present z, weighted by w: entry j of the w-weighted mean of the rows of the product of all
 * rounds. If no message is lost, v_j is 1/n.
 *
 * Up to mostDense nodes (default 1000), the cost of AddRound() is linear in the number of shares.
 * Until the influences have converged, every 32nd call additionally costs n times the shares of 32
 * rounds. CloseWindow() builds R at a cost of n times the shares of the window, then runs a Lanczos
 * iteration. Memory is 16 bytes per share of the current window and of at most 64 rounds, plus R
 * and at most 10 n x n matrices for the influences, independent of the run's length.
 *
 * With more nodes, no n x n matrix is built. CloseWindow() applies the rounds to vectors, at most
 * 64 times forward and backward. q is then a lower bound. If the iteration converges, qError is an
 * estimate of the error of q; otherwise it is a bound, which fails with probability at most 1e-6
 * over random start vectors (EstimateLargestEigenvalue()). qError is at the level of rounding if
 * mixing is fast. qError may exceed 1 - q if 1 - q is far below 1e-3. tau and the influences are
 * NaN.
 */
class ContractionTracker
{
  public:
    /// Default of `mostDense`: largest number of nodes for which n x n matrices are built.
    static constexpr std::size_t MOST_DENSE = 1000;

    /**
     * @param nodes number of nodes n, at least 1; each starts with mass 1
     * @param firstRound first round that AddRound() will add. Shares that were sent before it count
     *        with their sender's state before this round.
     * @param mostDense largest number of nodes for which n x n matrices are built
     */
    explicit ContractionTracker(std::size_t nodes,
                                Round firstRound = 0,
                                std::size_t mostDense = MOST_DENSE);
    ~ContractionTracker();
    ContractionTracker(ContractionTracker&&) noexcept; ///< moves the state of another tracker
    /// Moves the state of another tracker.
    ContractionTracker& operator=(ContractionTracker&&) noexcept;

    /**
     * @brief Adds the next round.
     * @param round index of the round; one above the previous call's round
     * @param mixedByNode by node: the shares that the node mixed in this round, in any order, with
     *        its kept share. An empty list means that the node did not mix and kept its z and w. If
     *        all shares in a list have mass 0, the node's w becomes 0. Other shares with mass 0 are
     *        ignored.
     * @throws Error if the round is not the next round, the number of nodes is wrong, a source is
     *         not a node, or a share was sent after the round in which it was mixed
     */
    void AddRound(Round round, const std::vector<std::vector<MixedShare>>& mixedByNode);

    /**
     * @brief Ends the current window and starts the next one.
     * @return the result of the window
     * @throws Error if no round was added since the last call
     */
    WindowResult CloseWindow();

    /**
     * @brief Asymptotic contraction factor per round, from the Lyapunov exponent of the product of
     *        all rounds. The factor is estimated from the decay of the standard deviation over the
     *        nodes of 4 random states, in the second half of the rounds.
     * @return in [0, 1]: 0 if the product of the rounds averages exactly; NaN with fewer than two
     *         rounds
     */
    double LongRunQ() const;

    /// Push-sum weight w (mass) of each node after the last round, [n].
    const std::vector<ScaledDouble>& Weights() const
    {
        return m_weights;
    }

  private:
    using Rounds = std::vector<std::shared_ptr<const RoundMixing>>;

    void Measure(const std::vector<double>& weights, WindowResult& result) const;
    void NoteInfluence(const std::vector<double>& weights, WindowResult& result) const;
    void NoteWeights(const std::vector<double>& weights);

    std::vector<ScaledDouble> m_weights; ///< mass at each node
    Round m_firstRound;                  ///< round of m_window[0]
    Rounds m_window;                     ///< rounds of the current window
    double m_smallestWeight; ///< smallest push-sum weight / mean weight in the current window
    double m_largestWeight;  ///< largest push-sum weight / mean weight in the current window
    std::unique_ptr<Influence> m_influence; ///< influences of the nodes; null above mostDense nodes
    std::unique_ptr<LongRunRate> m_longRun; ///< estimates the contraction over all rounds
    Rounds m_lastWindow;                    ///< rounds of the last closed window
    std::vector<double> m_lastWeights;      ///< push-sum weights at the end of m_lastWindow, scaled
    /// Result of m_lastWindow, reused if the next window is equal.
    std::unique_ptr<WindowResult> m_last;
};

/**
 * @brief Shares that every node mixes in a round if no message is lost or late.
 * @param sequence graph sequence of the topology
 * @param round index of the round, from 0
 * @param weights push-sum weight w of each node before the round, [n]
 * @return by node: the shares that the node mixes, with its kept share, in ascending order of
 *         source
 */
std::vector<std::vector<MixedShare>> DesignedShares(const GraphSequence& sequence,
                                                    Round round,
                                                    const std::vector<ScaledDouble>& weights);

/**
 * @brief Contraction of a topology on a network that loses and delays no message.
 *
 * The class passes the topology's mixing weights to a ContractionTracker, starting from w = 1 at
 * round 0. The results are bit-identical to those of a run without lost or late messages whose
 * nodes sum the masses in ascending order of source.
 */
class DesignedContraction
{
  public:
    /// @param sequence the topology, periodic or aperiodic
    explicit DesignedContraction(std::shared_ptr<const GraphSequence> sequence);

    /// Mixes the next round.
    void AddRound();

    /// Ends the current window and returns its contraction.
    /// @throws Error if no round was added since the last call
    WindowResult CloseWindow();

    /// Asymptotic contraction factor per round, in [0, 1]; see ContractionTracker::LongRunQ().
    double LongRunQ() const
    {
        return m_tracker.LongRunQ();
    }

    /// Push-sum weight w of each node after the last round, [n].
    const std::vector<ScaledDouble>& Weights() const
    {
        return m_tracker.Weights();
    }

  private:
    std::shared_ptr<const GraphSequence> m_sequence; ///< graph sequence of the topology
    ContractionTracker m_tracker;                    ///< measures the contraction
    Round m_nextRound{0};                            ///< round that AddRound() adds next
};

} // namespace dpdl

#endif // DPDL_TOPOLOGY_CONTRACTION_TRACKER_H
