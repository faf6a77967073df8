// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_LONG_RUN_RATE_H
#define DPDL_TOPOLOGY_LONG_RUN_RATE_H

#include "round-mixing.h"

#include <cstddef>
#include <deque>
#include <vector>

namespace dpdl
{

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

} // namespace dpdl

#endif // DPDL_TOPOLOGY_LONG_RUN_RATE_H
