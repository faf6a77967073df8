// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRANSPORT_H
#define DPDL_TRANSPORT_H

#include "dpdl-gateway.h"
#include "dpdl-message.h"
#include "dpdl/algorithm/loss-policy.h"
#include "dpdl/base/slot-pool.h"
#include "dpdl/network/failure-loss.h"
#include "dpdl/network/network-state.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Carries messages between the applications of a run.
 *
 * Subclasses decide what happens between Send() and Deliver().
 */
class DpdlTransport : public Object
{
  public:
    /// Receives a message for its node.
    using ReceiveCallback = std::function<void(const DpdlMessage&)>;
    /// Receives a message of its node that will never arrive, or did after it was given up.
    using DropCallback = std::function<void(const ::dpdl::Share&, const ::dpdl::MessageLoss&)>;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Connects a node.
     * @param node number of the node in the run
     * @param context ns-3's id of the node, the context in which its events run
     * @param receive is called for every message that reaches the node
     * @param drop is called, once, for every message of the node that will never arrive; after
     * MessageLoss::mayArrive also if it does
     */
    void Connect(uint32_t node, uint32_t context, ReceiveCallback receive, DropCallback drop);

    /**
     * @brief Lets messages leave for nodes of other ranks, and come from them.
     * @param gateway knows those nodes, and needs no Connect() for them
     */
    virtual void SetGateway(std::shared_ptr<DpdlGateway> gateway);

    /**
     * @brief Sends a message.
     * @param message its target has to be connected
     */
    void Send(const DpdlMessage& message);

    /**
     * @brief The target discarded a damaged message: its sender is notified.
     * @param share the message, of which no intact copy has arrived
     */
    void Reject(const ::dpdl::Share& share);

    /**
     * @brief The target of a message that arrived cannot take it: it counts as lost, unless
     *        Repeats().
     * @param share the message
     */
    virtual void Refuse(const ::dpdl::Share& share);

    /// @return whether a message that is refused comes again
    virtual bool Repeats() const;

    /**
     * @brief Makes the links and nodes of this network fail.
     * @param conditions gives their state at any time; empty: nothing fails
     */
    virtual void SetConditions(std::shared_ptr<const ::dpdl::NetworkState> conditions);

    /**
     * @brief The conditions have changed.
     *
     * Called at the time of each change. Transports that look when a message is sent and when it
     * arrives have nothing to do here.
     */
    virtual void UpdateConditions();

    /**
     * @brief Checks that no message can change its fate any more.
     * @param here the nodes of this rank have sent and heard all that they will
     * @return true if those of all ranks have, as far as is known, and no message is under way here
     */
    virtual bool IsOver(bool here);

    /**
     * @brief Assigns fixed streams to the random variables of this transport.
     * @param stream first stream index to use
     * @return the number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);

  protected:
    void DoDispose() override;

    /// True while messages are pending that a failure may still drop.
    virtual bool HasMessages() const;

    /**
     * @brief Hands a message to its target after a delay.
     * @param message the message
     * @param delay from now
     * @param arriving how long its bits take to arrive; it is lost if its link is down meanwhile
     */
    void Deliver(const DpdlMessage& message, Time delay, Time arriving = Time());

    /**
     * @brief Condition of a message's link now.
     * @param share the message
     * @return the condition; the default one if nothing fails
     */
    ::dpdl::LinkCondition LinkConditionOf(const ::dpdl::Share& share) const;

    /**
     * @brief Draws, once for a message, whether a failure of its link loses it.
     * @param share the message
     * @param condition of its link
     * @return true if it is lost
     */
    bool IsLostByFailure(const ::dpdl::Share& share, const ::dpdl::LinkCondition& condition);

    /**
     * @brief Hands a message to its target at once.
     * @param message the message
     */
    void HandOver(const DpdlMessage& message);

    /// State of links and nodes; empty: nothing fails.
    const ::dpdl::NetworkState* Conditions() const
    {
        return m_conditions.get();
    }

    /// Number of nodes: one more than the highest that is connected.
    uint32_t NodeCount() const
    {
        return static_cast<uint32_t>(m_ports.size());
    }

    /// ns-3's id of a node. @param node its number in the run
    uint32_t ContextOf(uint32_t node) const
    {
        return m_ports[node].context;
    }

    /**
     * @brief Notifies the sender's learner that a message is lost.
     * @param share the message
     * @param loss why, and where
     */
    void Drop(const ::dpdl::Share& share, const ::dpdl::MessageLoss& loss);

  private:
    /**
     * @brief A node has been connected.
     * @param node number of the node in the run
     * @param context ns-3's id of the node
     */
    virtual void DoConnect(uint32_t node, uint32_t context);

    /**
     * @brief Decides the fate of a message; ends in Deliver() or Drop().
     * @param message the message
     */
    virtual void DoSend(const DpdlMessage& message) = 0;

    /// One connected node.
    struct Port
    {
        uint32_t context{0};     //!< ns-3's id of the node
        ReceiveCallback receive; //!< see Connect()
        DropCallback drop;       //!< see Connect()
    };

    /// True if another rank simulates @p node.
    bool IsElsewhere(uint32_t node) const
    {
        return m_gateway && m_gateway->IsElsewhere(node);
    }

    /// A message on its way.
    struct Flight
    {
        DpdlMessage message; //!< the message
        Time arriving;       //!< how long its bits take to arrive
    };

    /**
     * @brief A message reaches its target.
     * @param number its number in m_flights
     */
    void Arrive(uint32_t number);

    /**
     * @brief Tells the sender's learner, on whatever rank it is, what became of a message.
     * @param share the message, which will never arrive
     * @param loss what happened to it
     */
    void NotifySender(const ::dpdl::Share& share, const ::dpdl::MessageLoss& loss);

    std::shared_ptr<const ::dpdl::NetworkState> m_conditions; //!< see SetConditions()
    std::optional<::dpdl::FailureLoss> m_failureLoss;         //!< see IsLostByFailure()
    std::vector<Port> m_ports;                                //!< by node
    ::dpdl::SlotPool<Flight> m_flights;                       //!< messages on their way
    std::shared_ptr<DpdlGateway> m_gateway;                   //!< empty: no other ranks
};

} // namespace ns3

#endif // DPDL_TRANSPORT_H
