// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_LOSS_POLICY_H
#define DPDL_ALGORITHM_LOSS_POLICY_H

#include "dpdl/base/registry.h"

#include <cstdint>
#include <string>

namespace dpdl
{

/// Policy for lost shares and their push-sum mass.
enum class LossPolicy
{
    NONE,        ///< the mass of a lost share disappears: the total mass of the run falls
    RUNNING_SUM, ///< the next message of the same link carries the mass
    RELIABLE,    ///< the share is retransmitted; the mass is lost when the transport gives up
    REFUND,      ///< the sender takes the mass back when it is notified of the loss
    RENORMALISE, ///< every node resets its w to 1 after mixing, so lost mass has no effect
};

/// Reason why a message did not arrive as it was sent.
enum class DropReason
{
    LINK,         ///< random loss on the link, by option `drop` or a loss model
    FAILURE,      ///< the link or one of its ends had failed
    NODE_DOWN,    ///< the receiver had crashed when the message arrived
    QUEUE_DISC,   ///< a queue disc was full when a packet of the message came
    DEVICE_QUEUE, ///< the queue of a device, or of a link in message mode, was full
    /// ARP did not resolve the next hop's address, or the queue of packets that wait for it was
    /// full.
    ARP,
    RLC,           ///< the queue of LTE's radio link control was full
    MAC,           ///< the MAC layer gave up: too many retries, or a full queue
    PHY,           ///< a radio received a frame of the message with errors
    TTL,           ///< a packet of the message exceeded its largest number of hops
    NO_ROUTE,      ///< no route to the target, or the interface was down
    RECEIVE_GATE,  ///< a DpdlReceiveGate blocked the message
    SOCKET_BUFFER, ///< the buffer of a socket was full
    /// The transport gave the message up: UDP after SilenceTimeout without progress,
    /// lossPolicy=reliable after MaxAttempts transmissions, TCP after Attempts broken or failed
    /// connections in a row. The place where packets were lost is unknown.
    DEADLINE,
    CORRUPT,    ///< the message arrived damaged and was dropped
    END_OF_RUN, ///< the message was in flight at the end of the run
    /// The message arrived intact after the transport had given it up (MessageLoss::mayArrive), and
    /// was dropped.
    LATE,
    NEWER_ROUND, ///< the sender sent its next round before the link began to send the message
};

/// Reason and place of the loss of a message.
struct MessageLoss
{
    /// Value of `node` and `device` if unknown.
    static constexpr std::uint32_t NOWHERE = UINT32_MAX;

    DropReason reason{DropReason::LINK};
    /// Index of the node where the message was lost; NOWHERE: not known.
    std::uint32_t node{NOWHERE};
    /// Index in ns-3 of the device on that node; NOWHERE: not known.
    std::uint32_t device{NOWHERE};
    bool isOutside{false}; ///< the node is not part of the run; `node` is then its index in ns-3
    /// True: the transport gave up; a LATE loss follows if the message arrives after all.
    bool mayArrive{false};

    /// Name of the reason in the trace's view `delivery`.
    std::string Cause() const;

    /// Place of the loss, as in the trace's view `delivery`; "": unknown.
    std::string Place() const;

    /// Advice for the user, on reducing losses for this reason.
    std::string Remedy() const;
};

/// Registry of all policies, by their name in option `lossPolicy` and in traces.
const Registry<LossPolicy>& LossPolicies();

} // namespace dpdl

#endif // DPDL_ALGORITHM_LOSS_POLICY_H
