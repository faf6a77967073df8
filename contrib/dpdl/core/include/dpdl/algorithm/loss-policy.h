// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_LOSS_POLICY_H
#define DPDL_ALGORITHM_LOSS_POLICY_H

#include "dpdl/base/registry.h"

#include <cstdint>
#include <string>

namespace dpdl
{

/// What becomes of a share that the network drops.
enum class LossPolicy
{
    NONE,        ///< its mass is gone
    RUNNING_SUM, ///< the next message of the same link brings it
    RELIABLE,    ///< it is sent again; its mass is gone when the transport gives up
    REFUND,      ///< its sender takes its mass back when it learns of the loss
    RENORMALISE, ///< every node sets its w to 1 when it has mixed: what is lost is not missed
};

/// Why a message never arrives as it was sent.
enum class DropReason
{
    LINK,          ///< its link lost it by chance: option `drop`, a loss model
    FAILURE,       ///< its link or an end of it had failed
    NODE_DOWN,     ///< its receiver had crashed when it arrived
    QUEUE_DISC,    ///< a queue disc had no room for a packet of it
    DEVICE_QUEUE,  ///< the queue of a device, or of a link in message mode, had none
    ARP,           ///< the address behind its next hop was not found, or too much waited for it
    RLC,           ///< the radio link control of LTE had no room
    MAC,           ///< its radio gave it up: retries, or a full queue
    PHY,           ///< it was received with errors
    TTL,           ///< it went through too many routers
    NO_ROUTE,      ///< a node knew no way to its target, or had its interface down
    RECEIVE_GATE,  ///< a DpdlReceiveGate kept it back
    SOCKET_BUFFER, ///< the buffer of a socket was full
    DEADLINE,   ///< it was given up after silence or attempts, and nothing said where it was lost
    CORRUPT,    ///< it arrived damaged and was thrown away
    END_OF_RUN, ///< it was on its way when the run ended
    LATE,       ///< it arrived intact after MessageLoss::mayArrive and was thrown away
};

/// The loss of a message.
struct MessageLoss
{
    static constexpr std::uint32_t NOWHERE = UINT32_MAX; ///< no place is known

    DropReason reason{DropReason::LINK};
    std::uint32_t node{NOWHERE};   ///< where it happened: number in the run
    std::uint32_t device{NOWHERE}; ///< the device of that node, as ns-3 counts them
    bool isOutside{false};         ///< the node is none of the run: its number is ns-3's
    bool mayArrive{false}; ///< the transport gave it up; LATE follows if it arrives after all

    /// The reason in the words of view `delivery`.
    std::string Cause() const;

    /// The place in the words of view `delivery`; empty: unknown.
    std::string Place() const;

    /// A way to lose fewer messages for that reason.
    std::string Remedy() const;
};

/// All loss policies, by the name that option `lossPolicy` and traces use.
const Registry<LossPolicy>& LossPolicies();

} // namespace dpdl

#endif // DPDL_ALGORITHM_LOSS_POLICY_H
