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
 * @brief Retransmits messages over another transport until they are acknowledged.
 *
 * The target answers every copy of a message with an acknowledgement, a header that returns through
 * the same network and may be lost. The source retransmits at its timeout, which follows the link's
 * round trip times as in RFC 6298. The first SteadyAttempts timeouts are equal, because random
 * losses are independent. Then a failure is likely: the timeout doubles each time, up to
 * MaxTimeout. After MaxAttempts copies the source gives up. An acknowledgement contains the index
 * of the copy that it acknowledges. It gives a sample of the round trip time if that copy was sent
 * before the timeout doubled. Copies after the first are acknowledged and discarded. Damaged
 * packets are discarded without an answer.
 *
 * The fate of a message is decided once. It is delivered when its first copy arrives, and lost if
 * the source gives up before that; later copies are discarded. The state of this protocol at a
 * sender or receiver survives a crash of the node.
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
     * @brief Sets the transport that carries copies and acknowledgements; call this before
     *        Connect().
     * @param transport transport that may lose messages
     */
    void SetTransport(Ptr<DpdlTransport> transport)
    {
        m_transport = transport;
    }

    /**
     * @brief Sets the transfer time that determines the initial timeouts; without this call and
     *        without attribute Timeout they are 1 s.
     * @param time transfer time of the slowest message, without retransmission
     */
    void SetTransferTime(Time time)
    {
        m_transferTime = time;
    }

    /// Bytes of acknowledgements and of retransmissions sent so far.
    uint64_t RepairBytes() const
    {
        return m_repairBytes;
    }

    void Refuse(const ::dpdl::Share& /* share */) override
    {
        m_isRefused = true;
    }

    bool Repeats() const override
    {
        return true;
    }

    void SetConditions(std::shared_ptr<const ::dpdl::NetworkState> conditions) override;

    void UpdateConditions() override
    {
        m_transport->UpdateConditions();
    }

    bool IsOver(bool here) override;
    void SetGateway(std::shared_ptr<DpdlGateway> gateway) override;

    int64_t AssignStreams(int64_t stream) override
    {
        return m_transport->AssignStreams(stream);
    }

  protected:
    void DoDispose() override;

  private:
    /// Key of a message: source, target, round, chunk.
    using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint16_t>;

    /// Key of the message to which a copy or an acknowledgement belongs.
    static Key KeyOf(const ::dpdl::Share& share);

    /// A message that is neither acknowledged nor given up.
    struct Exchange
    {
        DpdlMessage message;        //!< the message; copies differ from it in Share::copy
        uint32_t attempts{0};       //!< number of copies sent so far
        Time sentAt;                //!< time at which the first copy was sent
        Time timeout;               //!< timeout of the last copy sent
        Time steadyTimeout;         //!< timeout of the first steadyAttempts copies
        EventId timer;              //!< event at the end of the last copy's timeout
        uint32_t steadyAttempts{0}; //!< number of copies that are sent with steadyTimeout
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

    Ptr<DpdlTransport> m_transport; //!< carries copies and acknowledgements
    Time m_timeout; //!< timeout of the first m_steadyAttempts copies; zero: estimated per link
    uint32_t m_steadyAttempts{0};       //!< number of copies that are sent with the same timeout
    Time m_maxTimeout;                  //!< largest timeout after doubling
    uint32_t m_maxAttempts{0};          //!< maximum number of copies of a message
    std::optional<Time> m_transferTime; //!< transfer time of the slowest message; empty: unknown
    bool m_isRefused{false};            //!< true: the target refused the copy that is arriving
    uint64_t m_repairBytes{0}; //!< bytes of acknowledgements and retransmissions sent so far
    /// Messages of senders on this rank that are neither acknowledged nor given up.
    std::map<Key, Exchange> m_exchanges;
    /// Messages of the current time step that Flush() will send.
    std::vector<DpdlMessage> m_leaving;
    /// By source, target and chunk, then by round: true if a copy has been delivered on this rank.
    std::map<std::tuple<uint32_t, uint32_t, uint16_t>, std::vector<bool>> m_delivered;
    std::shared_ptr<DpdlGateway> m_ranks; //!< gateway to other ranks; empty: none
    /// Smoothed round trip time and its mean deviation (RFC 6298), by source and target.
    std::map<std::pair<uint32_t, uint32_t>, std::pair<Time, Time>> m_roundTrips;
};

} // namespace ns3

#endif // DPDL_RELIABLE_TRANSPORT_H
