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
 * @brief Weight of each node's first state in the mean of the nodes' states now, for any number
 *        of rounds in bounded memory.
 *
 * The last rounds are kept and walked backwards. All before them are folded into n x n matrices:
 * what the first states count in each node's state where the kept rounds begin, and in those up to
 * DEEPEST rounds before, which late shares may carry. Once all their rows agree, no later round can
 * change them, and one row is left.
 *
 * The result is exact as long as no share is more than DEEPEST rounds late. One that is later, and
 * was sent before the kept rounds, counts as the earliest state of its sender that is still known.
 */
class Influence
{
  public:
    static constexpr std::size_t KEPT_ROUNDS = 64;   ///< walked back at most
    static constexpr std::size_t FOLDED_ROUNDS = 32; ///< folded at once
    static constexpr std::size_t DEEPEST = 4;        ///< earlier states that survive folding

    /// @param nodes number of nodes n
    explicit Influence(std::size_t nodes);

    /// Adds the next round.
    void AddRound(std::shared_ptr<const RoundMixing> round);

    /**
     * @brief The influences.
     * @param weights how much each node's state counts now, with sum 1
     * @return by node, with sum 1
     */
    std::vector<double> Of(const std::vector<double>& weights) const;

  private:
    using Matrix = std::vector<double>;

    void FoldOldest();
    std::vector<Matrix> FoldStrip(std::size_t first, std::size_t width, std::size_t depth) const;
    void KeepOneRowIfAllAgree();

    std::size_t m_nodes;                                    ///< n
    std::size_t m_lateness{0};                              ///< largest so far
    std::vector<std::shared_ptr<const RoundMixing>> m_kept; ///< the last rounds
    /// Element d: the nodes' states d rounds before m_kept[0], row-major; empty: the identity.
    std::vector<Matrix> m_base;
    std::vector<double> m_common; ///< the row that all of m_base share; empty: they differ
};

/**
 * @brief The rate at which a long product of rounds contracts: its Lyapunov exponent, as a factor a
 *        round.
 *
 * A few random states of the nodes are carried through all rounds; before they leave the range of
 * numbers their mean is taken off and they are scaled, which no row-stochastic round notices. Their
 * spread, weighted by w, then shrinks like the slowest part of the product, whose share grows from
 * round to round; the first half of the rounds is left out for its sake. Costs some multiplications
 * a share, and keeps the states of HISTORY rounds; a share that is later carries the oldest.
 */
class LongRunRate
{
  public:
    static constexpr std::size_t STATES = 4;   ///< carried side by side
    static constexpr std::size_t HISTORY = 16; ///< rounds whose states late shares find

    /// @param nodes number of nodes n
    explicit LongRunRate(std::size_t nodes);

    /**
     * @brief Carries the states through a round.
     * @param round what was mixed
     * @param weights of the nodes after it, with sum 1
     */
    void AddRound(const RoundMixing& round, const std::vector<double>& weights);

    /// Factor a round over the second half of all rounds, in [0, 1]; NaN before the second round.
    double Value() const;

  private:
    using Block = std::vector<double>;

    void Recentre(const std::vector<double>& weights);
    double Spread(const std::vector<double>& weights) const;

    std::size_t m_nodes;             ///< n
    std::deque<Block> m_history;     ///< n rows of STATES, the newest first
    std::vector<double> m_logSpread; ///< after each round
    double m_logScale{0.0};          ///< log of what the states were divided by
    double m_lastSpread;             ///< of the newest states, as they are scaled now
    bool m_isExact{false};           ///< a round brought all nodes together
};

/**
 * @brief sigma of a window: the largest singular value of (I - u u^T) A, see ContractionTracker.
 * @param matrix R
 * @param weights the masses at the window's end, at least one above zero
 * @return sigma in [0, 1]
 */
double MaximalCorrelation(const WindowMatrix& matrix, const std::vector<ScaledDouble>& weights);

/// sigma of a window, and by how much it may be larger.
struct Correlation
{
    double sigma; ///< in [0, 1]
    double error; ///< in [0, 1 - sigma]; 0: none but rounding
};

/**
 * @brief The same without any matrix: R is applied round by round, to vectors.
 *
 * Each product costs about as much as mixing the window's shares twice, and there are at most 64;
 * what they leave open is the error.
 * @param rounds the window's rounds, at least one
 * @param weights w at the end, with sum 1
 */
Correlation SparseCorrelation(const std::vector<std::shared_ptr<const RoundMixing>>& rounds,
                              const std::vector<double>& weights);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_CONTRACTION_FIGURES_H
