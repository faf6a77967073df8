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
 * @brief Weight of each node's first state in the current mean of all nodes' states, for any number
 *        of rounds in bounded memory.
 *
 * The last rounds are kept and traversed backwards. Earlier rounds are folded into n x n matrices:
 * the weights of the first states in each node's state at the start of the kept rounds, and at up
 * to DEEPEST rounds before, for late shares. Once all rows agree, no later round changes them, and
 * only one row is stored.
 *
 * The result is exact if no share is more than DEEPEST rounds late. A later one that was sent
 * before the kept rounds counts as the earliest stored state of its sender.
 */
class Influence
{
  public:
    static constexpr std::size_t KEPT_ROUNDS = 64; ///< largest number of kept rounds
    /// Number of kept rounds that are folded at once.
    static constexpr std::size_t FOLDED_ROUNDS = 32;
    /// Number of earlier rounds whose states are stored, for late shares.
    static constexpr std::size_t DEEPEST = 4;

    /// @param nodes number of nodes n
    explicit Influence(std::size_t nodes);

    /// Adds the next round.
    void AddRound(std::shared_ptr<const RoundMixing> round);

    /**
     * @brief The influences.
     * @param weights of the nodes' current states, with sum 1
     * @return by node, with sum 1
     */
    std::vector<double> Of(const std::vector<double>& weights) const;

  private:
    using Matrix = std::vector<double>;

    void FoldOldest();
    std::vector<Matrix> FoldStrip(std::size_t first, std::size_t width, std::size_t depth) const;
    void KeepOneRowIfAllAgree();

    std::size_t m_nodes;                                    ///< number of nodes
    std::size_t m_lateness{0};                              ///< largest lateness so far, in rounds
    std::vector<std::shared_ptr<const RoundMixing>> m_kept; ///< the last rounds
    /// Element d: the nodes' states d rounds before m_kept[0], row-major; empty: the identity.
    std::vector<Matrix> m_base;
    std::vector<double> m_common; ///< the row that all of m_base share; empty: the rows differ
};

/**
 * @brief Lyapunov exponent of the product of all rounds, as a contraction factor per
 *        round.
 *
 * A few random states are propagated through all rounds. Before they underflow, their mean is
 * subtracted and they are rescaled, which commutes with row-stochastic rounds. Their spread,
 * weighted by w, then shrinks like the slowest mode, which dominates after a transient: the first
 * half of the rounds is ignored. It costs some multiplications per share and keeps the states of
 * HISTORY rounds; a share later than that uses the oldest.
 */
class LongRunRate
{
  public:
    static constexpr std::size_t STATES = 4;   ///< number of random states
    static constexpr std::size_t HISTORY = 16; ///< rounds with stored states, for late shares

    /// @param nodes number of nodes n
    explicit LongRunRate(std::size_t nodes);

    /**
     * @brief Propagates the states through a round.
     * @param round mixing coefficients of the round
     * @param weights of the nodes after it, with sum 1
     */
    void AddRound(const RoundMixing& round, const std::vector<double>& weights);

    /// Factor per round over the second half of all rounds, in [0, 1]; NaN before the second round.
    double Value() const;

  private:
    using Block = std::vector<double>;

    void Recentre(const std::vector<double>& weights);
    double Spread(const std::vector<double>& weights) const;

    std::size_t m_nodes;             ///< number of nodes
    std::deque<Block> m_history;     ///< n rows of STATES, the newest first
    std::vector<double> m_logSpread; ///< logarithm of the spread after each round
    double m_logScale{0.0};          ///< log of the accumulated scaling
    double m_lastSpread;             ///< spread of the newest states, as scaled now
    bool m_isExact{false};           ///< true: a round averaged exactly
};

/**
 * @brief sigma of a window: the largest singular value of (I - u u^T) A, see ContractionTracker.
 * @param matrix R
 * @param weights the masses at the window's end, at least one above zero
 * @return sigma in [0, 1]
 */
double MaximalCorrelation(const WindowMatrix& matrix, const std::vector<ScaledDouble>& weights);

/// sigma of a window, with an error bound.
struct Correlation
{
    double sigma; ///< contraction sigma of the window, in [0, 1]
    double error; ///< error of sigma, in [0, 1 - sigma]; 0: none but rounding
};

/**
 * @brief Computes sigma without a matrix: R is applied to vectors round by round.
 *
 * It uses at most 64 products, each of which costs about as much as mixing the window's shares
 * twice. The error bounds the remaining uncertainty.
 * @param rounds the window's rounds, at least one
 * @param weights w at the end, with sum 1
 */
Correlation SparseCorrelation(const std::vector<std::shared_ptr<const RoundMixing>>& rounds,
                              const std::vector<double>& weights);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_CONTRACTION_FIGURES_H
