// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_RELIABLE_TRANSPORT_H
#define DPDL_RELIABLE_TRANSPORT_H

#include "dpdl-transport.h"

#include "ns3/event-id.h"

#include <map>
#include <tuple>
#include <utility>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Repeats messages over another transport until they are acknowledged.
 *
 * The target of a message answers every copy of it with an acknowledgement: a header of its own
 * that takes the way back through the same network, and may get lost on it. The source sends the
 * message again when none has come before its timeout, which doubles each time up to MaxTimeout.
 * After MaxAttempts it gives up. Copies beyond the first are acknowledged and thrown away, and so
 * are packets that arrive damaged, without an answer.
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
     * @brief Tells how long messages take, which the timeout follows where it is not given.
     * @param time of the slowest message, without repetitions
     */
    void SetTransferTime(Time time);

    /// Bytes of acknowledgements and of copies beyond the first, sent so far.
    uint64_t RepairBytes() const
    {
        return m_repairBytes;
    }

    void Refuse(const ::dpdl::Share& share) override;
    void SetConditions(std::shared_ptr<const ::dpdl::NetworkConditions> conditions) override;
    void UpdateConditions() override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;

  private:
    /// What names a message: source, target, round, chunk.
    using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint16_t>;

    /// A message that may still be sent or arrive.
    struct Exchange
    {
        ::dpdl::Share share;     //!< what it stands for
        Ptr<Packet> packet;      //!< header and payload, never sent itself
        uint32_t attempts{0};    //!< copies sent
        uint32_t answers{0};     //!< acknowledgements sent
        uint32_t travelling{0};  //!< copies that have neither arrived nor got lost
        bool isDelivered{false}; //!< a copy has arrived
        bool isClosed{false};    //!< acknowledged or given up: no more copies
        Time timeout;            //!< of the last copy
        Time sentAt;             //!< when the last copy left
        EventId timer;           //!< end of the timeout
    };

    void DoConnect(uint32_t node, uint32_t context) override;
    void DoSend(const ::dpdl::Share& share, Ptr<Packet> packet) override;

    void SendCopy(const Key& key);
    void ReachTimeout(Key key);
    void Arrive(const ::dpdl::Share& share, Ptr<Packet> packet);
    void TakeCopy(const ::dpdl::Share& share, Ptr<Packet> packet);
    void TakeAnswer(const ::dpdl::Share& share);
    void Answer(Exchange& exchange);
    void EndTravel(const Key& key);
    Time FirstTimeout(const ::dpdl::Share& share) const;

    Ptr<DpdlTransport> m_transport;      //!< carries the copies
    Time m_timeout;                      //!< of a first copy; zero: by the links
    Time m_maxTimeout;                   //!< longest timeout
    uint32_t m_maxAttempts{0};           //!< copies of a message
    Time m_transferTime;                 //!< see SetTransferTime()
    bool m_isRefused{false};             //!< by the target of the copy in hand
    uint64_t m_repairBytes{0};           //!< see RepairBytes()
    std::map<Key, Exchange> m_exchanges; //!< messages under way
    std::map<std::pair<uint32_t, uint32_t>, Time> m_roundTrip; //!< smoothed, by link
};

} // namespace ns3

#endif // DPDL_RELIABLE_TRANSPORT_H
