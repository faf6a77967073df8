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
    ContractionTracker m_tracker;                    ///< measures the contraction
    Round m_nextRound{0};                            ///< round of the next AddRound()
};

} // namespace dpdl

#endif // DPDL_TOPOLOGY_DESIGNED_CONTRACTION_H
