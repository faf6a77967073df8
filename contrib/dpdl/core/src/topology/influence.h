// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_INFLUENCE_H
#define DPDL_TOPOLOGY_INFLUENCE_H

#include "round-mixing.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace dpdl
{

/**
 * @brief How much each node's first state counts in a mean of the nodes' states now, for any number
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

} // namespace dpdl

#endif // DPDL_TOPOLOGY_INFLUENCE_H
