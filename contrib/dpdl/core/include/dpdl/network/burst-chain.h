// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_BURST_CHAIN_H
#define DPDL_NETWORK_BURST_CHAIN_H

#include "dpdl/network/network-conditions.h"

namespace dpdl
{

/**
 * @brief The state of one link that loses packets in bursts.
 *
 * A link is good at first. It may change before each packet, which then meets the new state.
 */
class BurstChain
{
  public:
    /**
     * @brief Sends a packet.
     * @param burst probabilities now in force
     * @param change uniform in [0, 1): decides whether the state changes
     * @param loss uniform in [0, 1): decides whether the packet is lost
     * @return true if it is lost
     */
    bool Loses(const GilbertElliott& burst, double change, double loss);

    /// Whether the last packet met the bad state.
    bool IsBad() const
    {
        return m_bad;
    }

  private:
    bool m_bad{false}; ///< see IsBad()
};

/// The fraction of packets that are lost in the long run.
double LongRunLoss(const GilbertElliott& burst);

} // namespace dpdl

#endif // DPDL_NETWORK_BURST_CHAIN_H
