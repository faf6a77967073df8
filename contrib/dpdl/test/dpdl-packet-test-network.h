// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PACKET_TEST_NETWORK_H
#define DPDL_PACKET_TEST_NETWORK_H

#include "dpdl-test-network.h"
#include "dpdl/base/random.h"
#include "dpdl/base/wire.h"

#include "ns3/boolean.h"
#include "ns3/dpdl-header.h"
#include "ns3/dpdl-packet-network.h"
#include "ns3/dpdl-udp-transport.h"
#include "ns3/error-model.h"
#include "ns3/point-to-point-net-device.h"

#include <memory>

namespace dpdltest
{

/// Four nodes with links of 8 Mbps and 5 ms, a packet transport over them, and all that it says.
class PacketNetwork
{
  public:
    /// What arrived.
    struct Arrival
    {
        Name name;     //!< which message
        ns3::Time at;  //!< when
        bool isSound;  //!< header and payload are what was sent
        uint32_t size; //!< bytes
    };

    /**
     * @param carrier under test
     * @param withLinks false: the caller gives the nodes a network
     * @param drop probability that a link loses a packet
     */
    explicit PacketNetwork(ns3::Ptr<ns3::DpdlPacketTransport> carrier,
                           bool withLinks = true,
                           double drop = 0.0)
        : transport(carrier)
    {
        nodes.Create(4);
        if (withLinks)
        {
            dpdl::LinkParameters link;
            link.dataRate = 8e6;
            link.drop = drop;
            links = std::make_shared<ns3::DpdlPacketNetwork>(nodes, [link](uint32_t, uint32_t) {
                return link;
            });
            transport->SetPathMaker([this](uint32_t source, uint32_t target) {
                return links->Connect(source, target, transport->Port());
            });
        }
        for (uint32_t node = 0; node < nodes.GetN(); ++node)
        {
            transport->Connect(
                node,
                nodes.Get(node)->GetId(),
                [this](const ns3::DpdlMessage& message) {
                    arrived.push_back({NameOf(message.share),
                                       ns3::Simulator::Now(),
                                       IsSound(message.share, message.GetPacket()),
                                       message.GetSize()});
                },
                [this](const dpdl::Share& share, const dpdl::MessageLoss& loss) {
                    losses.insert(loss.Cause() + " " + loss.Place());
                    auto& list = loss.reason == dpdl::DropReason::LATE ? late : dropped;
                    list.push_back({NameOf(share), ns3::Simulator::Now(), 0});
                });
        }
    }

    ~PacketNetwork()
    {
        transport->Dispose();
    }

    PacketNetwork(const PacketNetwork&) = delete;
    PacketNetwork& operator=(const PacketNetwork&) = delete;

    /// Contents of a message. @param share the message @param size bytes
    static std::vector<uint8_t> Contents(const dpdl::Share& share, uint32_t size)
    {
        const dpdl::RandomStream draws({1, 1},
                                       dpdl::RandomPurpose::TEST,
                                       share.source,
                                       share.round);
        std::vector<uint8_t> bytes(size);
        for (uint32_t i = 0; i < size; ++i)
        {
            bytes[i] = static_cast<uint8_t>(draws.Word(i));
        }
        return bytes;
    }

    /**
     * @brief Sends a message.
     * @param source who sends
     * @param target who is to receive
     * @param round its round
     * @param payload bytes behind the header
     */
    void Send(uint32_t source, uint32_t target, uint32_t round, uint32_t payload)
    {
        dpdl::Share share;
        share.source = source;
        share.target = target;
        share.round = round;
        ns3::DpdlHeader header(share);
        header.payloadBytes = payload;
        ns3::Ptr<ns3::Packet> packet = ns3::Create<ns3::Packet>(payload);
        if (realPayload)
        {
            const std::vector<uint8_t> bytes = Contents(share, payload);
            header.payloadChecksum = dpdl::Crc32(bytes.data(), bytes.size());
            packet = ns3::Create<ns3::Packet>(bytes.data(), payload);
        }
        packet->AddHeader(header);
        transport->Send(ns3::DpdlMessage(share, packet));
    }

    /// Sends real bytes from now on.
    void UseRealPayload()
    {
        realPayload = true;
        transport->SetAttribute("RealPayload", ns3::BooleanValue(true));
    }

    /// Arrival of a message; a negative time if it has not arrived.
    ns3::Time TimeOf(uint32_t source, uint32_t target, uint32_t round) const
    {
        for (const Arrival& arrival : arrived)
        {
            if (arrival.name == Name(source, target, round))
            {
                return arrival.at;
            }
        }
        return ns3::Seconds(-1);
    }

    /// How many different messages have arrived or were dropped.
    std::size_t Distinct() const
    {
        std::set<Name> names;
        for (const Arrival& arrival : arrived)
        {
            names.insert(arrival.name);
        }
        for (const Event& event : dropped)
        {
            names.insert(event.name);
        }
        return names.size();
    }

    /// The receiving device of a link. @param source its sender @param target its receiver
    ns3::Ptr<ns3::PointToPointNetDevice> Receiver(uint32_t source, uint32_t target) const
    {
        return ns3::DynamicCast<ns3::PointToPointNetDevice>(
            links->Connect(source, target, transport->Port()).remoteDevice);
    }

    ns3::Ptr<ns3::DpdlPacketTransport> transport;  //!< under test
    ns3::NodeContainer nodes;                      //!< four
    std::shared_ptr<ns3::DpdlPacketNetwork> links; //!< between them
    std::vector<Arrival> arrived;                  //!< in order
    std::vector<Event> dropped;                    //!< in order
    std::vector<Event> late;                       //!< of those dropped, in order
    std::set<std::string> losses;                  //!< causes and places of what was dropped
    bool realPayload{false};                       //!< messages have contents

  private:
    bool IsSound(const dpdl::Share& share, ns3::Ptr<const ns3::Packet> packet) const
    {
        ns3::Ptr<ns3::Packet> copy = packet->Copy();
        ns3::DpdlHeader header;
        header.TakeFrom(copy);
        const bool isIts = header.IsValid() && header.source == share.source &&
                           header.target == share.target && header.round == share.round &&
                           header.payloadBytes == copy->GetSize();
        if (!isIts || !realPayload)
        {
            return isIts;
        }
        std::vector<uint8_t> bytes(copy->GetSize());
        copy->CopyData(bytes.data(), copy->GetSize());
        const bool isIntact = bytes == Contents(share, header.payloadBytes);
        const bool seemsIntact = dpdl::Crc32(bytes.data(), bytes.size()) == header.payloadChecksum;
        wrong += seemsIntact && !isIntact ? 1 : 0;
        return isIntact;
    }

  public:
    mutable uint32_t wrong{0}; //!< messages whose checksum is right and whose contents are not
};

/// Delays, doubles and damages the packets that reach a device.
class Mangler : public ns3::ErrorModel
{
  public:
    /// What may happen to a packet, each with its probability.
    struct Odds
    {
        double delay{0.0};  //!< comes up to 20 ms later
        double twice{0.0};  //!< comes a second time
        double damage{0.0}; //!< one byte behind the lower headers changes
    };

    /**
     * @param device whose packets are mangled
     * @param odds of each kind
     */
    Mangler(ns3::Ptr<ns3::PointToPointNetDevice> device, const Odds& odds)
        : m_device(device),
          m_odds(odds),
          m_draws({1, 1}, dpdl::RandomPurpose::TEST, 9, 9)
    {
    }

  private:
    bool DoCorrupt(ns3::Ptr<ns3::Packet> packet) override
    {
        if (m_passing)
        {
            return false;
        }
        const bool twice = Happens(m_odds.twice);
        for (int copy = 0; copy < (twice ? 2 : 1); ++copy)
        {
            const double delay = Happens(m_odds.delay) ? m_draws.Uniform(m_next++) * 0.02 : 0.0;
            ns3::Simulator::Schedule(ns3::Seconds(delay), &Mangler::Pass, this, Damaged(packet));
        }
        return true;
    }

    void DoReset() override
    {
    }

    bool Happens(double probability)
    {
        return m_draws.Uniform(m_next++) < probability;
    }

    /// The packet, or a copy with another byte.
    ns3::Ptr<ns3::Packet> Damaged(ns3::Ptr<const ns3::Packet> packet)
    {
        constexpr uint32_t LOWER = 30;
        if (!Happens(m_odds.damage) || packet->GetSize() <= LOWER)
        {
            return packet->Copy();
        }
        std::vector<uint8_t> bytes(packet->GetSize());
        packet->CopyData(bytes.data(), packet->GetSize());
        const uint32_t place = LOWER + m_draws.Integer(m_next++, packet->GetSize() - LOWER);
        bytes[place] = static_cast<uint8_t>(bytes[place] ^ (1 + m_draws.Integer(m_next++, 255)));
        return ns3::Create<ns3::Packet>(bytes.data(), packet->GetSize());
    }

    void Pass(ns3::Ptr<ns3::Packet> packet)
    {
        m_passing = true;
        m_device->Receive(packet);
        m_passing = false;
    }

    ns3::Ptr<ns3::PointToPointNetDevice> m_device; //!< receives
    Odds m_odds;                                   //!< see Odds
    dpdl::RandomStream m_draws;                    //!< decides
    uint64_t m_next{0};                            //!< draws taken
    bool m_passing{false};                         //!< lets the present packet through
};

} // namespace dpdltest

#endif // DPDL_PACKET_TEST_NETWORK_H
