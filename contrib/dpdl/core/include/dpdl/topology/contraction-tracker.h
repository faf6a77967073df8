// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_CONTRACTION_TRACKER_H
#define DPDL_TOPOLOGY_CONTRACTION_TRACKER_H

#include "dpdl/base/scaled-double.h"
#include "dpdl/base/types.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace dpdl
{

class Influence;
class LongRunRate;
struct RoundMixing;

/// Push-sum mass that a node took in when it mixed: a share that arrived, or the one it kept.
struct MixedShare
{
    NodeId source;     ///< who sent it; the node itself for what it kept
    Round sentRound;   ///< the round whose state it carries, at most the round of the mixing
    ScaledDouble mass; ///< its weight times the sender's w in that round
};

/// What a window of rounds did to the disagreement between the nodes.
struct WindowResult
{
    Round firstRound;        ///< s: the window's first round
    Round lastRound;         ///< its last round, included
    double q;                ///< contraction per round in [0, 1]: contraction^(1 / rounds)
    double qError;           ///< by how much q may be larger; 0: by rounding alone
    double contraction;      ///< contraction of the whole window in [0, 1]: sigma, see the class
    double worstPair;        ///< Dobrushin's tau of the window in [0, 1], see the class, or NaN
    bool stronglyConnected;  ///< whether the edges that carried mass join all nodes, both ways
    double effectiveNodes;   ///< 1 / sum v_j^2 since the first round of all, in [1, n], or NaN
    double largestInfluence; ///< largest n v_j since the first round, in [1, n], or NaN
    double smallestWeight;   ///< smallest w of any node after any of its rounds, over their mean
    double largestWeight;    ///< largest, over the mean w of the nodes in that round
};

/**
 * @brief Measures how fast push-sum averages: the contraction q of what really was mixed.
 *
 * Without gradients, mixing maps the nodes' z at the start s of a window to those at its end e:
 * z^e = R z^s. A node's new z is the mean of what it mixed, weighted by mass, so that each row of R
 * sums to 1 whatever was lost. A share that was sent before the window and mixed in it is a column
 * of its own next to the nodes': it carries a z that perhaps no node has now. A share that is
 * late within the window carries its sender's z of the round it was sent in, exactly.
 *
 * Let w be the masses at the nodes at the end, scaled to sum 1. A unit of mass that is at node j at
 * the end was in column c at the start with probability w_j R_jc; pi_c = sum_j w_j R_jc is the part
 * of the final mass that comes from c. Without loss pi is w at the start. Then
 *
 *     sigma = sigma_max((I - u u^T) A),   A = diag(w)^(1/2) R diag(pi)^(-1/2),   u = w^(1/2):
 *
 * the spread of z at the end, weighted by w, is at most sigma times the spread at the start,
 * weighted by pi. It is the maximal correlation between where mass is and where it was, hence in
 * [0, 1]: 0 if the window averages exactly, 1 if some nodes had no contact with the others. Without
 * loss it is the second singular value of A, and for a static symmetric circulant graph the
 * second largest modulus of an eigenvalue. q is sigma^(1 / rounds).
 *
 * tau = 1/2 max_ij sum_c |R_ic - R_jc| bounds the largest difference of two nodes in the same way.
 * It is 1 as long as two nodes have no common ancestor in the window.
 *
 * The influence v_j says how much node j's state of the first round counts in the mean of all
 * nodes: the mean of the rows of the product of all rounds, weighted by w. It is 1/n each without
 * loss.
 *
 * Up to some number of nodes (1000 unless told) AddRound() costs about as much as reading the
 * shares, and every 32 rounds n^2 times the shares per node of 32 rounds, until the influences
 * stand still. CloseWindow() builds R: time of n^2 times shares per node and round, then a Lanczos
 * iteration. Memory is 16 bytes a share of the current window and of at most 64 rounds, and some n
 * x n matrices, however long the run.
 *
 * With more nodes there is no n x n matrix. CloseWindow() applies the rounds to vectors, at most
 * 64 times forward and backward; q is then a lower bound, with an error. Where it averages fast
 * the error is that of rounding; where 1 - q is far below 1e-3 it may be larger than 1 - q. tau and
 * the influences are not measured.
 */
class ContractionTracker
{
  public:
    /// Most nodes for which matrices of all pairs are made.
    static constexpr std::size_t MOST_DENSE = 1000;

    /**
     * @param nodes number of nodes n, at least 1; every one starts with mass 1
     * @param firstRound the first round that will be added. Shares sent before it count as
     *        influence of their sender.
     * @param mostDense nodes up to which matrices of all pairs are made
     */
    explicit ContractionTracker(std::size_t nodes,
                                Round firstRound = 0,
                                std::size_t mostDense = MOST_DENSE);
    ~ContractionTracker();
    ContractionTracker(ContractionTracker&&) noexcept;            ///< moves
    ContractionTracker& operator=(ContractionTracker&&) noexcept; ///< moves

    /**
     * @brief Adds the next round.
     * @param round its number: one more than the last, without gaps
     * @param mixedByNode element j: all that node j mixed in this round, in any order, its own part
     *        included. Nothing at all means that j slept and kept its z and w; nothing but shares
     *        without mass, that it lost its w. Otherwise these are ignored.
     * @throws Error if the round is not the next one, the number of nodes is wrong, a source is not
     *         a node, or a share was sent later than it was mixed
     */
    void AddRound(Round round, const std::vector<std::vector<MixedShare>>& mixedByNode);

    /**
     * @brief Ends the current window and starts the next one.
     * @return what the window did
     * @throws Error if no round was added since the last call
     */
    WindowResult CloseWindow();

    /**
     * @brief The factor per round by which disagreement shrinks in the long run: the Lyapunov
     *        exponent of the product of all rounds, from the spread of a few random states over the
     *        second half of them.
     * @return in [0, 1]: 0 if the rounds together average exactly; NaN before the second round
     */
    double LongRunQ() const;

    /// Number of rounds in the current window.
    Round RoundsInWindow() const;

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
    Rounds m_window;                        ///< the rounds of the current window
    double m_smallestWeight;                ///< since the window began, over the mean
    double m_largestWeight;                 ///< since the window began, over the mean
    std::unique_ptr<Influence> m_influence; ///< of the first states; empty: too many nodes
    std::unique_ptr<LongRunRate> m_longRun; ///< rate of all rounds
    Rounds m_lastWindow;                    ///< the window that m_lastResult belongs to
    std::vector<double> m_lastWeights;      ///< its weights at the end
    std::unique_ptr<WindowResult> m_last;   ///< its measures, good for an equal window
};

} // namespace dpdl

#endif // DPDL_TOPOLOGY_CONTRACTION_TRACKER_H
