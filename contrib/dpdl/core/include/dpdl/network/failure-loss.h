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
 * @brief Draws the packet losses of failing links.
 *
 * The draws of a link are a function of the seed, the link, and the number of packets that it has
 * carried under such a failure. They do not depend on other links.
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
     * @param source sending node
     * @param target receiving node
     * @param condition of the link now; its `up` is ignored
     * @return true if the packet is lost
     */
    bool Loses(NodeId source, NodeId target, const LinkCondition& condition);

  private:
    /// State of a link.
    struct Link
    {
        bool isBad{false};        ///< state of its Gilbert-Elliott chain
        std::uint64_t packets{0}; ///< number of packets with draws
    };

    RandomSeed m_seed;                               ///< names the draws
    std::unordered_map<std::uint64_t, Link> m_links; ///< by source and target
};

} // namespace dpdl

#endif // DPDL_NETWORK_FAILURE_LOSS_H
