// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_NETWORK_STATE_H
#define DPDL_NETWORK_NETWORK_STATE_H

#include "dpdl/base/lie.h"
#include "dpdl/base/random.h"
#include "dpdl/base/types.h"

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace dpdl
{

/**
 * @brief Gilbert-Elliott model of bursty loss (Gilbert 1960; Elliott 1963): a link is in a good or
 *        a bad state, and may change its state at every packet.
 *
 * A link is initially good. The caller stores the state of each link, and draws change and loss at
 * each packet. In message mode the change is drawn before the loss, in packet mode after the loss.
 */
struct GilbertElliott
{
    double toBad{0.0};    ///< p: probability per packet that a good link turns bad, in [0, 1]
    double toGood{1.0};   ///< r: probability per packet that a bad link turns good, in (0, 1]
    double lossBad{1.0};  ///< probability that a packet is lost in the bad state, in [0, 1]
    double lossGood{0.0}; ///< probability that a packet is lost in the good state, in [0, 1]

    /// Probability that a link changes its state at a packet.
    /// @param isBad true: the link is in the bad state
    double Change(bool isBad) const
    {
        return isBad ? toGood : toBad;
    }

    /// Probability that a packet is lost.
    /// @param isBad true: the link is in the bad state
    double Loss(bool isBad) const
    {
        return isBad ? lossBad : lossGood;
    }

    /// True if a link leaves the bad state eventually.
    bool Ends() const
    {
        return toGood > 0.0;
    }

    /// Stationary probability that a packet is lost, in [0, 1].
    double LongRunLoss() const;
};

/// Effect of failures on a directed link.
struct LinkCondition
{
    bool up{true}; ///< false: the link delivers nothing
    /// Probability, in [0, 1], that failures cause the loss of a packet; independent of the link's
    /// normal loss (LinkParameters::drop).
    double lossProbability{0.0};
    /// Bursty packet loss, independent of `lossProbability` and of the link's normal loss; empty:
    /// none.
    std::optional<GilbertElliott> burst;
    /// Latency in s that replaces the link's latency, >= 0; empty: unchanged.
    std::optional<double> delay;
    /// Data rate in bit/s that replaces the link's rate, > 0; empty: unchanged.
    std::optional<double> rate;
};

/// Effect of failures on a node.
struct NodeCondition
{
    bool up{true};        ///< false: the node has crashed, and all its links are down
    bool paused{false};   ///< true: the node neither computes nor sends, but still receives
    double slowdown{1.0}; ///< factor on the duration of the node's local steps, > 0
    Lie lie;              ///< Byzantine attack of the node; by default none
};

/**
 * @brief Interface of the current effect of failures on a network.
 *
 * All network models query this interface, so they do not depend on the source of the failures. All
 * links of a crashed node are down.
 */
class NetworkState
{
  public:
    virtual ~NetworkState() = default;

    /// Effect of the active failures on the link from @p source to @p target.
    virtual LinkCondition Link(NodeId source, NodeId target) const = 0;

    /**
     * @brief True if a link was down at any time from @p since to the current time.
     * @param source sending node of the link
     * @param target receiving node of the link
     * @param since start of the interval, in simulated seconds, at most the current time
     */
    virtual bool WasDown(NodeId source, NodeId target, double since) const = 0;

    /// Effect of the active failures on a node.
    virtual NodeCondition Node(NodeId node) const = 0;
};

/**
 * @brief Draws the packet losses of failing links.
 *
 * The draws of a link are a function of the seed, the link, and the number of earlier draws on the
 * link. The draws do not depend on other links.
 */
class FailureLoss
{
  public:
    /// @param seed seed of the run; determines the losses
    explicit FailureLoss(RandomSeed seed)
        : m_seed(seed)
    {
    }

    /**
     * @brief Draws the loss of one packet on a link, and counts the packet.
     * @param source sending node
     * @param target receiving node
     * @param condition current effect of failures on the link; `up` is ignored
     * @return true if the packet is lost
     */
    bool Loses(NodeId source, NodeId target, const LinkCondition& condition);

  private:
    /// State of the loss draws of a link.
    struct Link
    {
        bool isBad{false};        ///< true: the link's Gilbert-Elliott chain is in the bad state
        std::uint64_t packets{0}; ///< number of packets whose loss was drawn
    };

    RandomSeed m_seed; ///< seed of the draws
    /// States of links; the key combines source and target.
    std::unordered_map<std::uint64_t, Link> m_links;
};

} // namespace dpdl

#endif // DPDL_NETWORK_NETWORK_STATE_H
