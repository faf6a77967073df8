// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_CONTRACTION_FIGURES_H
#define DPDL_TOPOLOGY_CONTRACTION_FIGURES_H

#include "window-matrix.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

namespace dpdl
{

/**
 * @brief Computes the influence of each node: the weight of its initial state in the current mean
 *        of all nodes' states. Memory is bounded for any number of rounds.
 *
 * The last rounds are stored and traversed backwards. Earlier rounds are multiplied ("folded") into
 * an n x n matrix. Row i has the weights of the initial states in node i's state before the first
 * stored round. For late shares, further matrices have these weights for up to DEEPEST earlier
 * rounds. If all rows are equal, later rounds do not change the rows, and only one row is stored.
 *
 * The result is exact if no share is more than DEEPEST rounds late. A share that is more than
 * DEEPEST rounds late, and was sent before the stored rounds, counts as the earliest state of its
 * sender that has a matrix.
 */
class Influence
{
  public:
    static constexpr std::size_t KEPT_ROUNDS = 64; ///< largest number of stored rounds
    /// Number of stored rounds that are multiplied into the matrices at once.
    static constexpr std::size_t FOLDED_ROUNDS = 32;
    /// Number of rounds before the stored rounds for which a matrix is stored, for late shares.
    static constexpr std::size_t DEEPEST = 4;

    /// @param nodes number of nodes n
    explicit Influence(std::size_t nodes);

    /// Adds the next round. It must have the mixing coefficients of all n nodes.
    void AddRound(std::shared_ptr<const RoundMixing> round);

    /**
     * @brief Computes the influences after the last added round.
     * @param weights push-sum weights of the nodes' current states, scaled to sum 1, [n]
     * @return influence of each node, with sum 1, [n]
     */
    std::vector<double> Of(const std::vector<double>& weights) const;

  private:
    using Matrix = std::vector<double>;

    void FoldOldest();
    std::vector<Matrix> FoldStrip(std::size_t first, std::size_t width, std::size_t depth) const;
    void KeepOneRowIfAllAgree();

    std::size_t m_nodes;       ///< number of nodes
    std::size_t m_lateness{0}; ///< largest lateness, in rounds, of any share so far
    /// Mixing coefficients of the last rounds, oldest first; at most KEPT_ROUNDS - 1 rounds.
    std::vector<std::shared_ptr<const RoundMixing>> m_kept;
    /// Element d: weights [n, n] of the initial states (columns) in the nodes' states (rows) d
    /// rounds before m_kept[0]. Empty: the identity matrix.
    std::vector<Matrix> m_base;
    /// The row [n] to which all rows of m_base converged; empty: the rows differ.
    std::vector<double> m_common;
};

/**
 * @brief Long-run contraction factor per round: exp of the Lyapunov exponent of the product of all
 *        mixing matrices.
 *
 * STATES random states per node are propagated through all rounds. After each round their mean is
 * subtracted, and they are rescaled before they underflow. Both operations commute with
 * row-stochastic rounds. The standard deviation of the states over the nodes, weighted by push-sum
 * weight, then shrinks like the slowest mode. This mode dominates after a transient, so the first
 * half of the rounds is ignored. A share costs STATES multiplications. The states of the last
 * HISTORY rounds are stored. A share that is more than HISTORY - 2 rounds late uses its sender's
 * state of HISTORY - 2 rounds ago.
 */
class LongRunRate
{
  public:
    static constexpr std::size_t STATES = 4; ///< number of random states per node
    /// Number of rounds whose states are stored, for late shares.
    static constexpr std::size_t HISTORY = 16;

    /// @param nodes number of nodes n
    explicit LongRunRate(std::size_t nodes);

    /**
     * @brief Propagates the states through a round.
     * @param round mixing coefficients of the round
     * @param weights push-sum weights of the nodes after the round, scaled to sum 1, [n]
     */
    void AddRound(const RoundMixing& round, const std::vector<double>& weights);

    /// Contraction factor per round over the second half of all rounds, in [0, 1]. NaN with fewer
    /// than two rounds.
    double Value() const;

  private:
    using Block = std::vector<double>;

    void Recentre(const std::vector<double>& weights);
    double Spread(const std::vector<double>& weights) const;

    std::size_t m_nodes; ///< number of nodes
    /// States of each stored round, [n, STATES], the newest round first.
    std::deque<Block> m_history;
    std::vector<double> m_logSpread; ///< natural logarithm of the states' standard deviation, at
                                     ///< the start and after each round
    /// Natural logarithm of the product of all factors by which the states were divided.
    double m_logScale{0.0};
    double m_lastSpread;   ///< standard deviation of the newest states, after rescaling
    bool m_isExact{false}; ///< true: a round averaged exactly, so the factor is 0
};

/**
 * @brief Maximal correlation sigma of a window: the largest singular value of (I - u u^T) A, with u
 *        and A of ContractionTracker.
 * @param matrix the product R of the window's mixing matrices, [nodes, columns]
 * @param weights push-sum weight of each node at the window's end, [n]; at least one is above 0
 * @return sigma in [0, 1]
 */
double MaximalCorrelation(const WindowMatrix& matrix, const std::vector<ScaledDouble>& weights);

/// Lower bound of a window's maximal correlation, with the error of this bound.
struct Correlation
{
    double sigma; ///< lower bound of the window's maximal correlation, in [0, 1]
    /// The maximal correlation is at most sigma + error; in [0, 1 - sigma]. An estimate or a
    /// probable bound, as EigenvalueEstimate::error.
    double error;
};

/**
 * @brief Computes the maximal correlation sigma of a window without its n x n matrix. It applies
 *        the rounds to vectors one after another.
 *
 * The window's rounds are applied to a vector at most 64 times forward and 64 times backward. Each
 * of these passes costs about as much as mixing one coordinate of the window's shares once.
 * @param rounds the window's rounds, at least one
 * @param weights push-sum weights of the nodes at the window's end, scaled to sum 1, [n]
 */
Correlation SparseCorrelation(const std::vector<std::shared_ptr<const RoundMixing>>& rounds,
                              const std::vector<double>& weights);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_CONTRACTION_FIGURES_H
