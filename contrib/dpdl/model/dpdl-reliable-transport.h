// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_RELIABLE_TRANSPORT_H
#define DPDL_RELIABLE_TRANSPORT_H

#include "dpdl-transport.h"

#include "ns3/event-id.h"

#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Repeats messages over another transport until they are acknowledged.
 *
 * The target of a message answers every copy of it with an acknowledgement: a separate header
 * that takes the way back through the same network, and may get lost on it. The source sends the
 * message again when none has come before its timeout, which follows the round trips of the link as
 * in RFC 6298 and stays the same, as losses by chance say nothing about the next copy. Only after
 * SteadyAttempts copies does it double each time, up to MaxTimeout: then something is down. After
 * MaxAttempts copies the source gives up. An acknowledgement names the copy that it answers, so
 * that every one of them measures a round trip. Copies beyond the first are acknowledged and thrown
 * away, and so are packets that arrive damaged, without an answer.
 *
 * The fate of a message is decided once: it is delivered when its first copy arrives, and lost when
 * the source gives up before that; a copy that arrives later still is thrown away. What a sender
 * and a receiver know of their messages survives a crash of their node.
 */
class DpdlReliableTransport : public DpdlTransport
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Sets what carries the copies; to be called before any node is connected.
     * @param transport loses messages, but knows of each copy what became of it
     */
    void SetTransport(Ptr<DpdlTransport> transport);

    /**
     * @brief Sets how long messages take, if that is known: timeouts need not be estimated.
     * @param time of the slowest message, without repetitions
     */
    void SetTransferTime(Time time);

    /// Bytes of acknowledgements and of copies beyond the first, sent so far.
    uint64_t RepairBytes() const
    {
        return m_repairBytes;
    }

    void Refuse(const ::dpdl::Share& share) override;
    bool Repeats() const override;
    void SetConditions(std::shared_ptr<const ::dpdl::NetworkState> conditions) override;
    void UpdateConditions() override;
    bool IsOver(bool here) override;
    void SetGateway(std::shared_ptr<DpdlGateway> gateway) override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;

  private:
    /// Key of a message: source, target, round, chunk.
    using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint16_t>;

    /// A message that is neither acknowledged nor given up.
    struct Exchange
    {
        DpdlMessage message;        //!< what its copies are copies of
        uint32_t attempts{0};       //!< copies sent
        Time sentAt;                //!< when the first copy left
        Time timeout;               //!< of the last copy
        Time steadyTimeout;         //!< of the first copies
        EventId timer;              //!< end of the timeout
        uint32_t steadyAttempts{0}; //!< how many these are
    };

    void DoConnect(uint32_t node, uint32_t context) override;
    void DoSend(const DpdlMessage& message) override;

    void SendCopy(const Key& key);
    void ReachTimeout(Key key);
    void Arrive(const DpdlMessage& message);
    void TakeCopy(const DpdlMessage& message);
    void TakeAnswer(const ::dpdl::Share& share);
    void Answer(const ::dpdl::Share& share);
    void Transmit(const DpdlMessage& message);
    void Flush();
    bool IsGivenUp(const DpdlMessage& message) const;
    bool IsDelivered(const ::dpdl::Share& share) const;
    void SetTimeout(Exchange& exchange) const;
    Time Longer(Time timeout) const;
    Time GiveUpTime(const Exchange& exchange) const;
    void LearnRoundTrip(const Exchange& exchange, uint32_t copy);

    Ptr<DpdlTransport> m_transport;      //!< carries the copies
    Time m_timeout;                      //!< of the first copies; zero: by the links
    uint32_t m_steadyAttempts{0};        //!< how many these are
    Time m_maxTimeout;                   //!< where doubling ends
    uint32_t m_maxAttempts{0};           //!< copies of a message
    std::optional<Time> m_transferTime;  //!< see SetTransferTime()
    bool m_isRefused{false};             //!< by the target of the copy in hand
    uint64_t m_repairBytes{0};           //!< see RepairBytes()
    std::map<Key, Exchange> m_exchanges; //!< of senders of this process
    std::vector<DpdlMessage> m_leaving;  //!< at this moment
    /// By source, target and chunk: the rounds of which a copy has arrived at its target, here.
    std::map<std::tuple<uint32_t, uint32_t, uint16_t>, std::vector<bool>> m_delivered;
    std::shared_ptr<DpdlGateway> m_ranks; //!< to other ranks; empty: there are none
    /// Mean and mean deviation of the round trips, by link.
    std::map<std::pair<uint32_t, uint32_t>, std::pair<Time, Time>> m_roundTrips;
};

} // namespace ns3

#endif // DPDL_RELIABLE_TRANSPORT_H
