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

/// A share that a node mixed: one that arrived, or the one it kept.
struct MixedShare
{
    NodeId source;     ///< sending node; the node itself for the kept share
    Round sentRound;   ///< round of the state in the share, at most the round of the mixing
    ScaledDouble mass; ///< weight of the share times the sender's w in that round
};

/// Contraction of the disagreement between nodes over a window of rounds.
struct WindowResult
{
    Round firstRound;        ///< s: the window's first round
    Round lastRound;         ///< the window's last round, included
    double q;                ///< contraction per round in [0, 1]: contraction^(1 / rounds)
    double qError;           ///< q is at most q + qError; 0: exact up to rounding
    double contraction;      ///< contraction of the whole window in [0, 1]: sigma, see the class
    double worstPair;        ///< Dobrushin's tau of the window in [0, 1], see the class, or NaN
    bool stronglyConnected;  ///< true if the edges that carried mass connect all nodes strongly
    double effectiveNodes;   ///< 1 / sum v_j^2 since the first round of all, in [1, n], or NaN
    double largestInfluence; ///< largest n v_j since the first round, in [1, n], or NaN
    double smallestWeight;   ///< smallest w of a node after a round, over the mean w
    double largestWeight;    ///< largest w of a node after a round, over the mean w
};

/**
 * @brief Measures the contraction factor q of push-sum from the shares that were actually mixed.
 *
 * Without gradients, mixing maps the nodes' z at the start s of a window to those at its end e:
 * z^e = R z^s. A node's new z is the mean of the shares it mixed, weighted by mass, so each row of
 * R sums to 1, also with losses. A share sent before the window and mixed in it gets an additional
 * column of R, because its z may belong to no node at s. A late share within the window carries its
 * sender's z of the round in which it was sent, exactly.
 *
 * Let w be the masses of the nodes at the end, scaled to sum 1. A unit of the final mass is at node
 * j and came from column c with probability w_j R_jc; pi_c = sum_j w_j R_jc is the fraction of the
 * final mass that comes from c. Without loss pi is w at the start. Then
 *
 *     sigma = sigma_max((I - u u^T) A),   A = diag(w)^(1/2) R diag(pi)^(-1/2),   u = w^(1/2):
 *
 * the spread of z at the end, weighted by w, is at most sigma times the spread at the start,
 * weighted by pi. It is the maximal correlation between the final and the initial position of mass,
 * hence in [0, 1]: 0 if the window averages exactly, 1 if some nodes had no contact with the
 * others. Without loss it is the second singular value of A, and for a static symmetric circulant
 * graph the second largest modulus of an eigenvalue. q is sigma^(1 / rounds).
 *
 * tau = 1/2 max_ij sum_c |R_ic - R_jc| bounds the largest difference of two nodes in the same way.
 * It is 1 if two nodes have no common ancestor in the window.
 *
 * The influence v_j is the weight of node j's state of the first round in the mean of all nodes:
 * the mean of the rows of the product of all rounds, weighted by w. Without loss it is 1/n.
 *
 * Up to a number of nodes (default 1000), AddRound() costs about as much as reading the shares, and
 * every 32 rounds additionally n^2 times the shares per node of 32 rounds, until the influences
 * have converged. CloseWindow() builds R in time n^2 times shares per node and round, then runs a
 * Lanczos iteration. Memory is 16 bytes per share of the current window and of at most 64 rounds,
 * plus some n x n matrices, independent of the run's length.
 *
 * With more nodes no n x n matrix is built. CloseWindow() applies the rounds to vectors, at most 64
 * times forward and backward; q is then a lower bound, with an error. If mixing is fast, the error
 * is at the level of rounding. If 1 - q is far below 1e-3, it may exceed 1 - q. tau and the
 * influences are not measured.
 */
class ContractionTracker
{
  public:
    /// Largest number of nodes for which n x n matrices are built, by default.
    static constexpr std::size_t MOST_DENSE = 1000;

    /**
     * @param nodes number of nodes n, at least 1; each starts with mass 1
     * @param firstRound the first round that will be added. Shares sent before it count as
     *        influence of their sender.
     * @param mostDense maximum nodes for which n x n matrices are built
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
     * @param round number of the round: one more than the last, without gaps
     * @param mixedByNode element j: the shares that node j mixed in this round, in any order, with
     *        its kept share. An empty list means that j slept and kept its z and w. Only shares
     *        without mass mean that it lost its w; otherwise shares without mass are ignored.
     * @throws Error if the round is not the next one, the number of nodes is wrong, a source is not
     *         a node, or a share was sent later than it was mixed
     */
    void AddRound(Round round, const std::vector<std::vector<MixedShare>>& mixedByNode);

    /**
     * @brief Ends the current window and starts the next one.
     * @return the result of the window
     * @throws Error if no round was added since the last call
     */
    WindowResult CloseWindow();

    /**
     * @brief Asymptotic contraction factor per round: the Lyapunov exponent of the product of all
     *        rounds, estimated from the spread of a few random states over the second half of the
     *        rounds.
     * @return in [0, 1]: 0 if the rounds together average exactly; NaN before the second round
     */
    double LongRunQ() const;

    /// w: the mass at each node after the last round.
    const std::vector<ScaledDouble>& Weights() const
    {
        return m_weights;
    }

  private:
    using Rounds = std::vector<std::shared_ptr<const RoundMixing>>;

    void Measure(const std::vector<double>& weights, WindowResult& result) const;
    void NoteInfluence(const std::vector<double>& weights, WindowResult& result) const;
    void NoteWeights(const std::vector<double>& weights);

    std::vector<ScaledDouble> m_weights;    ///< mass at each node
    Round m_firstRound;                     ///< round of m_window[0]
    Rounds m_window;                        ///< rounds of the current window
    double m_smallestWeight;                ///< smallest w over the mean w since the window began
    double m_largestWeight;                 ///< largest w over the mean w since the window began
    std::unique_ptr<Influence> m_influence; ///< influences; empty: too many nodes
    std::unique_ptr<LongRunRate> m_longRun; ///< estimates the contraction over all rounds
    Rounds m_lastWindow;                    ///< rounds of the window of m_last
    std::vector<double> m_lastWeights;      ///< weights at the end of that window
    std::unique_ptr<WindowResult> m_last;   ///< result of the last window, reused for an equal one
};

/**
 * @brief Shares that every node mixes in a round without losses or delays.
 * @param sequence the topology
 * @param round the round
 * @param weights w of each node before the round
 * @return for each node the shares that it mixes, the kept one included, in ascending order of
 * source
 */
std::vector<std::vector<MixedShare>> DesignedShares(const GraphSequence& sequence,
                                                    Round round,
                                                    const std::vector<ScaledDouble>& weights);

/**
 * @brief Contraction of a topology on a network without loss.
 *
 * It feeds a ContractionTracker with the topology's mixing weights, starting from w = 1 at round 0.
 * A run without loss whose nodes sum the masses in ascending order of source has bit-identical
 * results.
 */
class DesignedContraction
{
  public:
    /// @param sequence the topology, any period
    explicit DesignedContraction(std::shared_ptr<const GraphSequence> sequence);

    /// Mixes one more round.
    void AddRound();

    /// See ContractionTracker::CloseWindow().
    WindowResult CloseWindow();

    /// See ContractionTracker::LongRunQ().
    double LongRunQ() const
    {
        return m_tracker.LongRunQ();
    }

    /// w of each node after the last round.
    const std::vector<ScaledDouble>& Weights() const
    {
        return m_tracker.Weights();
    }

  private:
    std::shared_ptr<const GraphSequence> m_sequence; ///< the topology
    ContractionTracker m_tracker;                    ///< measures the contraction
    Round m_nextRound{0};                            ///< round of the next AddRound()
};

} // namespace dpdl

#endif // DPDL_TOPOLOGY_CONTRACTION_TRACKER_H
