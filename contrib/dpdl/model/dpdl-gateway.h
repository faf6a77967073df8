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
 * @brief Exchanges messages with nodes that another process simulates.
 *
 * A transport decides when a message arrives and whether its link drops it; the gateway carries it
 * to the process of its target before that moment of simulated time. Its fate from then
 * on, a failure at its arrival included, is decided there.
 */
class DpdlGateway
{
  public:
    /// Receives a message for a node of this process, the time until it arrives, and how long its
    /// bits take to arrive.
    using Receiver = std::function<void(const DpdlMessage&, Time, Time)>;

    virtual ~DpdlGateway() = default;

    /// True if another process simulates the node. @param node its number in the run
    virtual bool IsElsewhere(uint32_t node) const = 0;

    /**
     * @brief A message leaves for a node elsewhere, whatever becomes of it: at the target's end
     *        of the link its mass is owed from now on, if the loss policy keeps sums of links.
     * @param share the message
     */
    virtual void Announce(const ::dpdl::Share& share) = 0;

    /**
     * @brief Takes a message that will arrive, unless a failure prevents it.
     * @param message its target is elsewhere
     * @param delay from now until it arrives
     * @param arriving how long its bits take to arrive
     */
    virtual void Send(const DpdlMessage& message, Time delay, Time arriving) = 0;

    /**
     * @brief A message is lost, one end of which is elsewhere.
     * @param share the message
     * @param loss what happened to it
     * @return false if its sender, which is here, has to be told of it as of any other
     */
    virtual bool Lose(const ::dpdl::Share& share, const ::dpdl::MessageLoss& loss) = 0;

    /**
     * @brief No more copies of a message will be sent: unless one was delivered it is lost.
     * @param share the message
     * @return true if that is decided elsewhere, where copies of it have gone
     */
    virtual bool Close(const ::dpdl::Share& share) = 0;

    /**
     * @brief Checks that nothing is left to do on any rank, as far as is known.
     * @param here nothing is left to do on this one
     * @return true if all ranks have said so
     */
    virtual bool IsOver(bool here) = 0;

    /**
     * @brief The graph of a round, as it is when the first node of any process begins the round.
     *
     * Called once for a round, by an event that may have to wait here for other processes.
     * @param round the round
     * @param make takes its edges from this process, as they are now
     * @return its edges, the same everywhere
     */
    virtual std::vector<::dpdl::Edge> EdgesOf(::dpdl::Round round,
                                              const ::dpdl::EdgeMaker& make) = 0;

    /// Ends this rank's part in the simulation: the others go on without waiting for it.
    virtual void Leave() = 0;

    /// @param delivered tells whether a copy of a message has been delivered here
    void SetDelivered(std::function<bool(const ::dpdl::Share&)> delivered)
    {
        m_delivered = std::move(delivered);
    }

    /// @param receiver is given what will arrive
    void SetReceiver(Receiver receiver)
    {
        m_receiver = std::move(receiver);
    }

  protected:
    /// Hands a message on.
    void Receive(const DpdlMessage& message, Time delay, Time arriving) const
    {
        m_receiver(message, delay, arriving);
    }

    /// True if a message that is sent again has been delivered here. @param share the message
    bool IsDelivered(const ::dpdl::Share& share) const
    {
        return m_delivered(share);
    }

  private:
    Receiver m_receiver;                                   //!< see SetReceiver()
    std::function<bool(const ::dpdl::Share&)> m_delivered; //!< see SetDelivered()
};

} // namespace ns3

#endif // DPDL_GATEWAY_H
