// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRANSPORT_H
#define DPDL_TRANSPORT_H

#include "dpdl-gateway.h"
#include "dpdl-message.h"
#include "dpdl/algorithm/loss-policy.h"
#include "dpdl/base/slot-pool.h"
#include "dpdl/network/network-state.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Carries messages between the applications of a run.
 *
 * Subclasses implement DoSend(), which ends in Deliver() or Drop(). The base class applies failures
 * at the arrival, and passes messages of other ranks through a DpdlGateway.
 */
class DpdlTransport : public Object
{
  public:
    /// Receives every message that arrives at the connected node.
    using ReceiveCallback = std::function<void(const DpdlMessage&)>;
    /// Receives each message that the connected node sent and that will never arrive or arrived too
    /// late, with the reason and place of the loss.
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
     * @param drop is called once for every message that the node sent and that will never arrive.
     *        If it was called with MessageLoss::mayArrive and the message arrives nevertheless, it
     *        is called a second time
     */
    void Connect(uint32_t node, uint32_t context, ReceiveCallback receive, DropCallback drop);

    /**
     * @brief Connects this transport to nodes on other ranks.
     * @param gateway carries messages to these nodes; do not call Connect() for them
     */
    virtual void SetGateway(std::shared_ptr<DpdlGateway> gateway);

    /**
     * @brief Sends a message.
     * @param message a message whose target is connected
     */
    void Send(const DpdlMessage& message);

    /**
     * @brief Reports that the target discarded a damaged message, and notifies the sender.
     * @param share share of the message, of which no intact copy has arrived
     */
    void Reject(const ::dpdl::Share& share);

    /**
     * @brief Called by the receiving application if it cannot accept an arrived message: its node
     *        is down, or the message refers to an earlier message that did not arrive.
     *
     * By default the message counts as lost, and the sending application is notified.
     * @param share share that the message carries
     */
    virtual void Refuse(const ::dpdl::Share& share);

    /// False: Refuse() drops the message. True: Refuse() only withholds the acknowledgement, so the
    /// sender transmits the message again until it is accepted or given up.
    virtual bool Repeats() const
    {
        return false;
    }

    /**
     * @brief Sets the failures of links and nodes.
     * @param conditions current state of links and nodes; empty: nothing fails
     */
    virtual void SetConditions(std::shared_ptr<const ::dpdl::NetworkState> conditions);

    /**
     * @brief Notifies the transport of changed conditions.
     *
     * Called at the time of each change. Transports that check the conditions when a message is
     * sent and when it arrives need not override this method.
     */
    virtual void UpdateConditions()
    {
    }

    /**
     * @brief Checks that all nodes have finished and the fate of every message is decided.
     * @param here true if all nodes of this rank have finished
     * @return true if no message is in flight on this rank, and all ranks have reported that they
     *        have finished
     */
    virtual bool IsOver(bool here);

    /**
     * @brief Assigns fixed streams to the random variables of this transport.
     * @param stream first stream index to use
     * @return the number of streams used
     */
    virtual int64_t AssignStreams([[maybe_unused]] int64_t stream)
    {
        return 0;
    }

  protected:
    void DoDispose() override;

    /// True while messages are in flight that a failure may still drop.
    virtual bool HasMessages() const;

    /**
     * @brief Hands a message to its target after a delay.
     * @param message message whose target is connected, here or on another rank
     * @param delay time from now until the message arrives
     * @param arriving duration of its reception; the message is lost if its link is down at any
     *        time of the reception
     */
    void Deliver(const DpdlMessage& message, Time delay, Time arriving = Time());

    /**
     * @brief Current condition of a message's link.
     * @param share share that the message carries
     * @return the condition; if nothing fails, a default-constructed LinkCondition
     */
    ::dpdl::LinkCondition LinkConditionOf(const ::dpdl::Share& share) const;

    /**
     * @brief Draws a random number that decides whether a failure of a message's link drops the
     *        message; call this once per message.
     * @param share share that the message carries
     * @param condition condition of the message's link
     * @return true if the message is lost
     */
    bool IsLostByFailure(const ::dpdl::Share& share, const ::dpdl::LinkCondition& condition);

    /// Reason and place of the loss of a message that its sender gives up now: FAILURE if its link
    /// is down now, else DEADLINE.
    /// @param share share that the message carries
    ::dpdl::MessageLoss GivenUp(const ::dpdl::Share& share) const;

    /**
     * @brief Hands a message to its target at once.
     * @param message message whose target this rank simulates
     */
    void HandOver(const DpdlMessage& message);

    /// State of links and nodes; nullptr: nothing fails.
    const ::dpdl::NetworkState* Conditions() const
    {
        return m_conditions.get();
    }

    /// Number of nodes: one more than the highest connected number.
    uint32_t NodeCount() const
    {
        return static_cast<uint32_t>(m_ports.size());
    }

    /// ns-3's id of a node.
    /// @param node number of the node in the run
    uint32_t ContextOf(uint32_t node) const
    {
        return m_ports[node].context;
    }

    /// Number in the run of a connected node; NodeCount() if the node is not connected.
    /// @param context ns-3's id of the node
    uint32_t NodeOfContext(uint32_t context) const
    {
        const auto node = m_nodeOfContext.find(context);
        return node == m_nodeOfContext.end() ? NodeCount() : node->second;
    }

    /**
     * @brief Notifies the sender's learner, on any rank, that a message is lost.
     * @param share share that the message carries
     * @param loss reason and place of the loss
     */
    void Drop(const ::dpdl::Share& share, const ::dpdl::MessageLoss& loss);

  private:
    /**
     * @brief Called when a node has been connected.
     * @param node number of the node in the run
     * @param context ns-3's id of the node
     */
    virtual void DoConnect([[maybe_unused]] uint32_t node, [[maybe_unused]] uint32_t context)
    {
    }

    /**
     * @brief Decides the fate of a message; ends in Deliver() or Drop().
     * @param message message whose target is connected, here or on another rank
     */
    virtual void DoSend(const DpdlMessage& message) = 0;

    /// One connected node.
    struct Port
    {
        uint32_t context{0};     //!< ns-3's id of the node
        ReceiveCallback receive; //!< called for every message that reaches the node
        DropCallback drop;       //!< called for every lost message that the node sent
    };

    /// True if another rank simulates @p node.
    bool IsElsewhere(uint32_t node) const
    {
        return m_gateway && m_gateway->IsElsewhere(node);
    }

    /**
     * @brief Handles a message that reaches its target.
     * @param number slot of the message in m_flights
     */
    void Arrive(uint32_t number);

    /// State of links and nodes; empty: nothing fails.
    std::shared_ptr<const ::dpdl::NetworkState> m_conditions;
    std::optional<::dpdl::FailureLoss> m_failureLoss; //!< draws the losses by failures of links
    std::vector<Port> m_ports;                        //!< connected nodes, by number
    std::unordered_map<uint32_t, uint32_t> m_nodeOfContext; //!< numbers of nodes, by ns-3's id
    ::dpdl::SlotPool<DpdlMessage> m_flights;                //!< messages in flight, by slot number
    std::shared_ptr<DpdlGateway> m_gateway;                 //!< gateway to other ranks; empty: none
};

} // namespace ns3

#endif // DPDL_TRANSPORT_H
