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
 * @brief Gilbert-Elliott model of bursty loss: a link is good or bad, and may change its state at
 * every packet.
 *
 * Gilbert (1960) and Elliott (1963). A link is initially good. The caller stores the state of each
 * link and uses both probabilities at each packet. In message mode the state changes before the
 * loss is drawn, in packet mode after it.
 */
struct GilbertElliott
{
    double toBad{0.0};    ///< p: probability that a good link turns bad, per packet, [0, 1]
    double toGood{1.0};   ///< r: probability that a bad link turns good, per packet, (0, 1]
    double lossBad{1.0};  ///< probability of loss while bad, [0, 1]
    double lossGood{0.0}; ///< probability of loss while good, [0, 1]

    /// Probability that a link changes its state at a packet. @param isBad true: the link is in the
    /// bad state
    double Change(bool isBad) const
    {
        return isBad ? toGood : toBad;
    }

    /// Probability that a packet is lost. @param isBad true: the link is in the bad state
    double Loss(bool isBad) const
    {
        return isBad ? lossBad : lossGood;
    }

    /// True if every burst ends.
    bool Ends() const
    {
        return toGood > 0.0;
    }

    /// Stationary loss probability.
    double LongRunLoss() const;
};

/// Effect of failures on a directed link, in addition to its normal rate, delay and loss.
struct LinkCondition
{
    bool up{true}; ///< false: the link delivers nothing
    /// Loss probability of a packet, independent of the link's normal loss.
    double lossProbability{0.0};
    std::optional<GilbertElliott> burst; ///< bursty loss, independent of the other losses
    std::optional<double> delay;         ///< delay in place of the link's, in seconds, >= 0
    std::optional<double> rate;          ///< data rate in place of the link's, in bit/s, > 0
};

/// Effect of failures on a node.
struct NodeCondition
{
    bool up{true};        ///< false: the node has crashed, and all its links are down
    bool paused{false};   ///< true: the node neither computes nor sends, but receives
    double slowdown{1.0}; ///< factor on the time of the node's local steps, > 0
    Lie lie;              ///< Byzantine attack of the node; by default none
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

/**
 * @brief Draws the packet losses of failing links.
 *
 * The draws of a link are a function of the seed, the link, and the number of packets that it has
 * carried under such a failure. They do not depend on other links.
 */
class FailureLoss
{
  public:
    /// @param seed of the run, from which the losses are drawn
    explicit FailureLoss(RandomSeed seed)
        : m_seed(seed)
    {
    }

    /**
     * @brief Draws the loss of one packet on a link, and counts the packet.
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
        bool isBad{false};        ///< true: the link's Gilbert-Elliott chain is in the bad state
        std::uint64_t packets{0}; ///< number of packets whose loss was drawn
    };

    RandomSeed m_seed;                               ///< seed of the draws
    std::unordered_map<std::uint64_t, Link> m_links; ///< links, by source and target
};

} // namespace dpdl

#endif // DPDL_NETWORK_NETWORK_STATE_H
