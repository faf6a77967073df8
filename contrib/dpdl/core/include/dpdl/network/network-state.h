// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_NETWORK_STATE_H
#define DPDL_NETWORK_NETWORK_STATE_H

#include "dpdl/base/lie.h"
#include "dpdl/base/types.h"
#include "dpdl/network/gilbert-elliott.h"

#include <optional>

namespace dpdl
{

/// Effect of failures on a directed link, in addition to its normal rate, delay and loss.
struct LinkCondition
{
    bool up{true};                       ///< false: nothing is delivered
    double lossProbability{0.0};         ///< of a packet, independent of the link's normal loss
    std::optional<GilbertElliott> burst; ///< bursty loss, independent of the others
    std::optional<double> delay;         ///< seconds >= 0; replaces the link's delay
    std::optional<double> rate;          ///< bit/s > 0; replaces the link's rate
};

/// Effect of failures on a node.
struct NodeCondition
{
    bool up{true};        ///< false: crashed; all its links are also down
    bool paused{false};   ///< neither computes nor sends, still receives
    double slowdown{1.0}; ///< factor on the time of its local steps, > 0
    Lie lie;              ///< its attack, if any
};

/**
 * @brief Interface to the current state of a network under failures.
 *
 * Transports of every fidelity query it; they do not depend on the source of the failures. All
 * links of a crashed node are down.
 */
class NetworkState
{
  public:
    virtual ~NetworkState() = default;

    /// Condition of the link from @p source to @p target.
    virtual LinkCondition Link(NodeId source, NodeId target) const = 0;

    /**
     * @brief True if a link was down at any time in [@p since, now].
     * @param source of the link
     * @param target of the link
     * @param since simulated seconds, at most now
     */
    virtual bool WasDown(NodeId source, NodeId target, double since) const = 0;

    /// Condition of a node.
    virtual NodeCondition Node(NodeId node) const = 0;
};

} // namespace dpdl

#endif // DPDL_NETWORK_NETWORK_STATE_H
