// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_FOREIGN_TRAFFIC_H
#define DPDL_FOREIGN_TRAFFIC_H

#include "dpdl-packet-test-network.h"

#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace dpdltest
{

/**
 * Sends what is no message to a node of a run, while the run goes on.
 *
 * It overhears the link from one node to another, and forges with what it hears: numbers of
 * messages under way, their sizes, and whole pieces.
 */
class ForeignTraffic
{
  public:
    /// Who sends.
    enum class From
    {
        OUTSIDE, ///< a node that is not in the run, over a link of its own
        INSIDE,  ///< another program on a node of the run, over the run's link
    };

    /**
     * @param source node whose messages are overheard
     * @param target node that is attacked
     * @param from who sends
     * @param isTcp true: over connections; false: in datagrams
     */
    ForeignTraffic(ns3::Ptr<ns3::Node> source, ns3::Ptr<ns3::Node> target, From from, bool isTcp)
        : m_node(source),
          m_isTcp(isTcp),
          m_draws({1, 1}, dpdl::RandomPurpose::TEST, 3, 3)
    {
        Overhear(source, target);
        if (from == From::OUTSIDE)
        {
            m_node = ns3::CreateObject<ns3::Node>();
            ns3::InternetStackHelper().Install(m_node);
            ns3::PointToPointHelper link;
            link.SetDeviceAttribute("DataRate", ns3::StringValue("1Gbps"));
            const ns3::NetDeviceContainer devices = link.Install(m_node, target);
            ns3::Ipv4AddressHelper addresses("192.168.0.0", "255.255.255.0");
            m_target = addresses.Assign(devices).GetAddress(1);
        }
    }

    /// Datagrams, or connections, that were sent or opened.
    uint32_t Sent() const
    {
        return m_sent;
    }

    /// Of these, those that no receiver can take for late ones of the run.
    uint32_t Expected() const
    {
        return m_expected;
    }

  private:
    using Bytes = std::vector<uint8_t>;

    static constexpr uint16_t PORT = 4242;        //!< of the run
    static constexpr std::size_t UDP_PORT = 22;   //!< where a frame has its source
    static constexpr uint32_t KINDS = 12;         //!< of forgeries
    static constexpr uint32_t MOST = 3000;        //!< datagrams
    static constexpr uint32_t MOST_STREAMS = 200; //!< connections

    /// Listens at the device that leads from one node to another, and finds the other's address.
    void Overhear(ns3::Ptr<ns3::Node> source, ns3::Ptr<ns3::Node> target)
    {
        for (uint32_t i = 0; i < source->GetNDevices(); ++i)
        {
            const auto device = ns3::DynamicCast<ns3::PointToPointNetDevice>(source->GetDevice(i));
            for (std::size_t end = 0; device && end < 2; ++end)
            {
                const auto other = device->GetChannel()->GetDevice(end);
                if (other->GetNode() == target && !m_isListening)
                {
                    const auto stack = target->GetObject<ns3::Ipv4>();
                    const int32_t interface = stack->GetInterfaceForDevice(other);
                    m_target = stack->GetAddress(interface, 0).GetLocal();
                    device->TraceConnectWithoutContext(
                        "PhyTxBegin",
                        ns3::MakeCallback(&ForeignTraffic::Hear, this));
                    m_isListening = true;
                }
            }
        }
    }

    /// A packet leaves. @param packet with its lower headers
    void Hear(ns3::Ptr<const ns3::Packet> packet)
    {
        Bytes bytes(packet->GetSize());
        packet->CopyData(bytes.data(), packet->GetSize());
        const Bytes magic{'d', 'p', 'f', 'r', 1};
        const auto begin = std::search(bytes.begin(), bytes.end(), magic.begin(), magic.end());
        const bool isOfRun = m_isTcp || bytes[UDP_PORT] * 256 + bytes[UDP_PORT + 1] == PORT;
        if (!isOfRun || bytes.end() - begin < ns3::DpdlFragmentHeader::SIZE)
        {
            return;
        }
        m_heard.Read(&*begin);
        m_body.assign(begin + ns3::DpdlFragmentHeader::SIZE, bytes.end());
        if (m_heard.IsValid())
        {
            // The first arrives before what was overheard, the second after it.
            ns3::Simulator::ScheduleNow(&ForeignTraffic::Attack, this, m_heard, m_body);
            ns3::Simulator::Schedule(ns3::MilliSeconds(8),
                                     &ForeignTraffic::Attack,
                                     this,
                                     m_heard,
                                     m_body);
        }
    }

    /// Forges with a piece that was overheard. @param header its header @param body what followed
    void Attack(ns3::DpdlFragmentHeader header, Bytes body)
    {
        m_heard = header;
        m_body = body;
        for (uint32_t i = 0; i < (m_isTcp ? KINDS : 2) && m_sent < (m_isTcp ? MOST_STREAMS : MOST);
             ++i)
        {
            const uint32_t kind = m_sent % KINDS;
            const Bytes forged = Forge(kind);
            // What comes again in time, or of a message that is over, may be a late piece of the
            // run.
            m_expected += kind <= 2 || (kind == 7 && !m_isTcp) ? 1 : 0;
            ++m_sent;
            m_isTcp ? SendStream(forged, kind) : SendDatagram(forged);
        }
    }

    /// A packet that is no message. @param kind which, below KINDS
    Bytes Forge(uint32_t kind)
    {
        ns3::DpdlFragmentHeader header = m_heard;
        const Bytes same = Random(static_cast<uint32_t>(m_body.size()));
        switch (kind)
        {
        case 0: // nothing that anyone knows
            return Random(m_draws.Integer(m_next++, 1400));
        case 1: // a number that this run has never had
            header.number = ~uint64_t{0} - m_next;
            return Join(header, same);
        case 2: // the magic of another program
            return Another(Join(header, same));
        case 3: // the next piece, of a message under way, with other contents
            header.index = header.count > 1 ? (header.index + 1) % header.count : 0;
            return Join(header, same);
        case 4: // from and to nodes that are not in the run
            return Join(header, Headed(same, 77, 99));
        case 5: // a share of the run's nodes with another mass
            return Join(header, Headed(same, 0, 1));
        case 6: // cut
            return Join(header, Bytes(m_body.begin(), m_body.begin() + m_body.size() / 2));
        case 7: // shorter than a header
            return Random(m_draws.Integer(m_next++, 32));
        case 8: // a length that never comes
            header.size = std::numeric_limits<uint32_t>::max();
            return Join(header, same);
        case 9: // pieces that do not exist
            header.index = header.count;
            return Join(header, same);
        case 10: // no pieces, or very many
            header.count = m_next % 2 == 0 ? 0 : std::numeric_limits<uint32_t>::max();
            return Join(header, same);
        default: // the very piece
            return Join(header, m_body);
        }
    }

    /// @param size of bytes of no meaning
    Bytes Random(uint32_t size)
    {
        Bytes bytes(size);
        std::generate(bytes.begin(), bytes.end(), [this]() {
            return static_cast<uint8_t>(m_draws.Word(m_next++));
        });
        return bytes;
    }

    /// @param header in front of @p body
    static Bytes Join(const ns3::DpdlFragmentHeader& header, const Bytes& body)
    {
        const auto packet =
            ns3::Create<ns3::Packet>(body.data(), static_cast<uint32_t>(body.size()));
        packet->AddHeader(header);
        Bytes bytes(packet->GetSize());
        packet->CopyData(bytes.data(), packet->GetSize());
        return bytes;
    }

    /// @param bytes with a fragment header, which gets another magic and its right checksum
    static Bytes Another(Bytes bytes)
    {
        bytes[0] = 'q';
        uint8_t* end = bytes.data() + ns3::DpdlFragmentHeader::SIZE - 4;
        dpdl::PutBigEndian<uint32_t>(end, dpdl::Crc32(bytes.data(), end - bytes.data()));
        return bytes;
    }

    /// @param body gets the valid header of a share at its start @param source who says to send it
    /// @param target who is said to receive it
    static Bytes Headed(Bytes body, uint32_t source, uint32_t target)
    {
        ns3::DpdlHeader header;
        header.source = source;
        header.target = target;
        header.weight = 1e9;
        header.mass = 1e9;
        header.payloadBytes = static_cast<uint32_t>(body.size());
        const auto packet = ns3::Create<ns3::Packet>();
        packet->AddHeader(header);
        packet->CopyData(body.data(), static_cast<uint32_t>(body.size()));
        return body;
    }

    void SendDatagram(const Bytes& bytes)
    {
        if (!m_socket)
        {
            m_socket = ns3::Socket::CreateSocket(m_node, ns3::UdpSocketFactory::GetTypeId());
            m_socket->Bind();
        }
        m_socket->SendTo(
            ns3::Create<ns3::Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())),
            0,
            ns3::InetSocketAddress(m_target, PORT));
    }

    /// Opens a connection, sends, and closes it or leaves it open. @param bytes the stream
    /// @param kind of it; those of odd number are closed
    void SendStream(const Bytes& bytes, uint32_t kind)
    {
        const auto socket = ns3::Socket::CreateSocket(m_node, ns3::TcpSocketFactory::GetTypeId());
        socket->Bind();
        socket->SetConnectCallback(ns3::MakeCallback(&ForeignTraffic::Stream, this),
                                   ns3::Callback<void, ns3::Ptr<ns3::Socket>>());
        m_streams.push_back({socket, bytes, kind % 2 == 1});
        socket->Connect(ns3::InetSocketAddress(m_target, PORT));
    }

    /// A connection is open. @param socket its end
    void Stream(ns3::Ptr<ns3::Socket> socket)
    {
        for (const auto& [open, bytes, closes] : m_streams)
        {
            if (open == socket && !bytes.empty())
            {
                socket->Send(
                    ns3::Create<ns3::Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())));
            }
            if (open == socket && closes)
            {
                socket->Close();
            }
        }
    }

    /// A connection.
    struct Connection
    {
        ns3::Ptr<ns3::Socket> socket; //!< its end
        Bytes bytes;                  //!< that it sends
        bool closes{false};           //!< in the middle, if it is one
    };

    ns3::Ptr<ns3::Node> m_node;        //!< that sends
    ns3::Ipv4Address m_target;         //!< that receives
    bool m_isTcp;                      //!< connections rather than datagrams
    dpdl::RandomStream m_draws;        //!< random bytes
    uint64_t m_next{0};                //!< next of them
    bool m_isListening{false};         //!< at a device
    ns3::DpdlFragmentHeader m_heard;   //!< of the piece that is forged with
    Bytes m_body;                      //!< what followed it
    ns3::Ptr<ns3::Socket> m_socket;    //!< of datagrams
    std::vector<Connection> m_streams; //!< opened
    uint32_t m_sent{0};                //!< see Sent()
    uint32_t m_expected{0};            //!< see Expected()
};

} // namespace dpdltest

#endif // DPDL_FOREIGN_TRAFFIC_H
