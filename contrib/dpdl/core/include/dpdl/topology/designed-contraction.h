// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_DESIGNED_CONTRACTION_H
#define DPDL_TOPOLOGY_DESIGNED_CONTRACTION_H

#include "dpdl/topology/contraction-tracker.h"
#include "dpdl/topology/graph-sequence.h"

#include <memory>
#include <vector>

namespace dpdl
{

/**
 * @brief Shares that every node mixes in a round in which every share arrives in time.
 * @param sequence the topology
 * @param round the round
 * @param weights w of each node before the round
 * @return for each node the shares that it mixes, its own included, in ascending order of source
 */
std::vector<std::vector<MixedShare>> DesignedShares(const GraphSequence& sequence,
                                                    Round round,
                                                    const std::vector<ScaledDouble>& weights);

/**
 * @brief The contraction that a topology would have on a network that loses nothing.
 *
 * It feeds a ContractionTracker with the topology's own weights, carrying w along from w = 1 at
 * round 0. A run that lost nothing, and whose nodes add up the masses they mix in ascending order
 * of source, therefore has the same results bit for bit.
 */
class DesignedContraction
{
  public:
    /// @param sequence the topology, any period
    explicit DesignedContraction(std::shared_ptr<const GraphSequence> sequence);

    /// Mixes one more round.
    void AddRound();

    /// As ContractionTracker::CloseWindow().
    WindowResult CloseWindow();

    /// As ContractionTracker::LongRunQ().
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
    ContractionTracker m_tracker;                    ///< what measures
    Round m_nextRound{0};                            ///< the round that AddRound() mixes
};

} // namespace dpdl

#endif // DPDL_TOPOLOGY_DESIGNED_CONTRACTION_H
