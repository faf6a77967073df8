// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_NETWORK_H
#define DPDL_TEST_NETWORK_H

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/dpdl-header.h"
#include "ns3/dpdl-message-transport.h"
#include "ns3/simulator.h"

#include <set>
#include <tuple>
#include <vector>

namespace dpdltest
{

/// What names a message.
using Name = std::tuple<uint32_t, uint32_t, uint32_t>; // source, target, round

inline Name
NameOf(const dpdl::Share& share)
{
    return {share.source, share.target, share.round};
}

/// What became of a message.
struct Event
{
    Name name;        //!< which one
    ns3::Time at;     //!< when
    uint32_t context; //!< ns-3's node in whose context it was reported
};

/// A transport between eight nodes, whose ns-3 ids are 100 higher, and all that it says.
class Network
{
  public:
    /// @param transport carries the messages
    explicit Network(ns3::Ptr<ns3::DpdlTransport> transport)
        : m_transport(transport)
    {
        for (uint32_t node = 0; node < 8; ++node)
        {
            m_transport->Connect(
                node,
                100 + node,
                [this](const ns3::DpdlMessage& message) {
                    arrived.push_back({NameOf(message.share),
                                       ns3::Simulator::Now(),
                                       ns3::Simulator::GetContext()});
                },
                [this](const dpdl::Share& share, const dpdl::MessageLoss&) {
                    dropped.insert(NameOf(share));
                });
        }
    }

    ~Network()
    {
        m_transport->Dispose();
    }

    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;

    /**
     * @brief Sends a message of 1000 bytes.
     * @param name of the message
     */
    void Send(const Name& name)
    {
        dpdl::Share share;
        std::tie(share.source, share.target, share.round) = name;
        ns3::DpdlHeader header(share);
        header.payloadBytes = 1000 - header.GetSerializedSize();
        auto packet = ns3::Create<ns3::Packet>(static_cast<uint32_t>(header.payloadBytes));
        packet->AddHeader(header);
        m_transport->Send(ns3::DpdlMessage(share, packet));
    }

    std::vector<Event> arrived; //!< in order
    std::set<Name> dropped;     //!< messages that the network dropped

  private:
    ns3::Ptr<ns3::DpdlTransport> m_transport; //!< under test
};

/**
 * @brief A message transport at 8 Mbps, so that 1000 bytes take 1 ms, with 5 ms of latency.
 * @param drop its drop probability
 * @param stream its random stream
 * @return the transport
 */
inline ns3::Ptr<ns3::DpdlMessageTransport>
MakeTransport(double drop = 0.0, int64_t stream = 1)
{
    ns3::Ptr<ns3::DpdlMessageTransport> transport = ns3::CreateObject<ns3::DpdlMessageTransport>();
    transport->SetAttribute("DataRate", ns3::DataRateValue(ns3::DataRate("8Mbps")));
    transport->SetAttribute("Delay", ns3::TimeValue(ns3::MilliSeconds(5)));
    transport->SetAttribute("DropProbability", ns3::DoubleValue(drop));
    transport->AssignStreams(stream);
    return transport;
}

/// All names of messages between eight nodes in some rounds. @param rounds how many rounds
inline std::vector<Name>
AllNames(uint32_t rounds)
{
    std::vector<Name> names;
    for (uint32_t round = 0; round < rounds; ++round)
    {
        for (uint32_t source = 0; source < 8; ++source)
        {
            for (uint32_t target = 0; target < 8; ++target)
            {
                if (source != target)
                {
                    names.emplace_back(source, target, round);
                }
            }
        }
    }
    return names;
}

} // namespace dpdltest

#endif // DPDL_TEST_NETWORK_H
