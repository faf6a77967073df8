// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_GATEWAY_H
#define DPDL_GATEWAY_H

#include "dpdl-message.h"
#include "dpdl/algorithm/learner-observer.h"
#include "dpdl/topology/graph-sequence.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Exchanges messages with nodes that another rank simulates. A rank is one process of a
 *        simulation that runs on several processes (MPI).
 *
 * A transport on the sender's rank decides when a message arrives, and whether its link drops it.
 * The gateway carries the message to the target's rank before that simulated time. From then on the
 * target's rank decides the message's fate, for example whether a failure prevents its arrival.
 */
class DpdlGateway
{
  public:
    /// Receives a message for a node of this rank. The arguments are the message, the time from now
    /// until it arrives, and the duration of its reception.
    using Receiver = std::function<void(const DpdlMessage&, Time, Time)>;

    virtual ~DpdlGateway() = default;

    /// True if another rank simulates the node.
    /// @param node number of the node in the run
    virtual bool IsElsewhere(uint32_t node) const = 0;

    /**
     * @brief Announces a message to a node that another rank simulates. The transport calls this
     *        for every such message, before Send(), Lose() or Close() for the message.
     *
     * Under lossPolicy=running-sum, the target's rank adds the share to the running sum of the
     * link. The share is then not lost with this message: the next message that arrives delivers
     * the sum.
     * @param share share that the message carries
     */
    virtual void Announce(const ::dpdl::Share& share) = 0;

    /**
     * @brief Sends a message that will arrive unless a failure prevents it.
     * @param message a message whose target another rank simulates
     * @param delay time from now until it arrives
     * @param arriving duration of its reception
     */
    virtual void Send(const DpdlMessage& message, Time delay, Time arriving) = 0;

    /**
     * @brief Reports the loss of a message whose sender or receiver another rank simulates.
     * @param share share that the message carries
     * @param loss reason and place of the loss
     * @return true if the gateway notifies the sender, which is on another rank; false if the
     *        sender is on this rank, and the caller must notify it
     */
    virtual bool Lose(const ::dpdl::Share& share, const ::dpdl::MessageLoss& loss) = 0;

    /**
     * @brief Declares that no further copy of a message will be sent: unless one was delivered, the
     *        message is lost.
     * @param share share that the message carries
     * @param loss reason and place of the loss, if the message is lost
     * @return true if a copy was sent to the target's rank, which then decides the message's fate
     */
    virtual bool Close(const ::dpdl::Share& share, const ::dpdl::MessageLoss& loss) = 0;

    /**
     * @brief Checks that all ranks have finished, as far as this rank knows.
     * @param here true if this rank has finished: its nodes are done and no message is pending on
     *        this rank
     * @return true if all ranks have reported that they have finished
     */
    virtual bool IsOver(bool here) = 0;

    /**
     * @brief Graph of a round at the time at which the first node of any rank begins the round.
     *
     * Called once per round. The call may block until other ranks have reached that time.
     * @param round index of the round, from 0
     * @param make computes the edges of a round at the present simulated time; called on one rank
     * @return the round's edges, the same on all ranks
     */
    virtual std::vector<::dpdl::Edge> EdgesOf(::dpdl::Round round,
                                              const ::dpdl::EdgeMaker& make) = 0;

    /// Ends this rank's part in the simulation: the other ranks no longer wait for it.
    virtual void Leave() = 0;

    /// Sets the function for IsDelivered().
    /// @param delivered returns true if a copy of the message has been delivered on this rank
    void SetDelivered(std::function<bool(const ::dpdl::Share&)> delivered)
    {
        m_delivered = std::move(delivered);
    }

    /// Sets the receiver of messages.
    /// @param receiver receives messages from other processes to nodes of this rank
    void SetReceiver(Receiver receiver)
    {
        m_receiver = std::move(receiver);
    }

  protected:
    /// Hands a message from another rank to the receiver: it arrives after @p delay from now, and
    /// its reception lasts @p arriving.
    void Receive(const DpdlMessage& message, Time delay, Time arriving) const
    {
        m_receiver(message, delay, arriving);
    }

    /// True if a copy of a retransmitted message has already been delivered on this rank.
    /// @param share share that the message carries
    bool IsDelivered(const ::dpdl::Share& share) const
    {
        return m_delivered(share);
    }

  private:
    Receiver m_receiver; //!< receives messages from other processes to nodes of this rank
    /// Returns true if a copy of the message has been delivered on this rank.
    std::function<bool(const ::dpdl::Share&)> m_delivered;
};

} // namespace ns3

#endif // DPDL_GATEWAY_H
