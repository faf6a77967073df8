// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_FAILURE_LOSS_H
#define DPDL_NETWORK_FAILURE_LOSS_H

#include "dpdl/base/random.h"
#include "dpdl/network/network-state.h"

#include <cstdint>
#include <unordered_map>

namespace dpdl
{

/**
 * @brief Draws which packets the failures of links lose.
 *
 * The draws of a link are a function of the seed, the link, and how many packets it has carried
 * under such a failure; not of what happens on other links.
 */
class FailureLoss
{
  public:
    /// @param seed names the draws
    explicit FailureLoss(RandomSeed seed)
        : m_seed(seed)
    {
    }

    /**
     * @brief Sends a packet over a link.
     * @param source who sends
     * @param target who receives
     * @param condition of the link now; whether it is up does not count
     * @return true if the packet is lost
     */
    bool Loses(NodeId source, NodeId target, const LinkCondition& condition);

  private:
    /// State of a link.
    struct Link
    {
        bool isBad{false};        ///< of its bursts
        std::uint64_t packets{0}; ///< for which numbers were drawn
    };

    RandomSeed m_seed;                               ///< names the draws
    std::unordered_map<std::uint64_t, Link> m_links; ///< by ends
};

} // namespace dpdl

#endif // DPDL_NETWORK_FAILURE_LOSS_H
