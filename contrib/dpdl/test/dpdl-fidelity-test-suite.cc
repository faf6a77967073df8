// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-fidelity-cases.h"
#include "dpdl-test-case.h"

#include "ns3/config.h"
#include "ns3/dpdl-linux-reno.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-state.h"

namespace
{

using dpdl::DurationError;
using ns3::FidelityCase;
using ns3::StarTraffic;

constexpr double ERROR_ALONE = 0.05;
constexpr double ERROR_SHARED = 0.10;

/// One message over one link takes as long in message mode as in packets over UDP.
class OneLinkCase : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        for (const FidelityCase& one : {FidelityCase{10000, 1e6, 1e-4},
                                        FidelityCase{10000, 1e9, 0.1},
                                        FidelityCase{100000, 10e6, 0.01},
                                        FidelityCase{100000, 1e9, 1e-4},
                                        FidelityCase{1000000, 100e6, 0.1},
                                        FidelityCase{6000000, 100e6, 1e-4}})
        {
            const DurationError error = CompareOneLink(one, dpdl::TransportKind::UDP);
            NS_TEST_ASSERT_MSG_EQ(error.messages, 1, "the message arrives in both");
            NS_TEST_ASSERT_MSG_LT_OR_EQ(error.largest,
                                        ERROR_ALONE,
                                        one.bytes << " B at " << one.rate << " bit/s");
        }
    }
};

/// Messages that share a link take as long in message mode as in packets over UDP.
class SharedLinkCase : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        for (const StarTraffic traffic : {StarTraffic::TO_HUB, StarTraffic::FROM_HUB})
        {
            for (const FidelityCase& one : {FidelityCase{10000, 1e6, 0.01},
                                            FidelityCase{100000, 10e6, 1e-4},
                                            FidelityCase{1000000, 100e6, 0.01}})
            {
                const DurationError error = CompareStar(4, traffic, one);
                NS_TEST_ASSERT_MSG_EQ(error.messages, 4, "the messages arrive in both");
                NS_TEST_ASSERT_MSG_LT_OR_EQ(error.largest,
                                            ERROR_SHARED,
                                            one.bytes << " B at " << one.rate << " bit/s");
            }
        }
    }
};

/// A queue limit loses what does not fit, and nothing else.
class QueueLimitCase : public ns3::TestCase
{
  public:
    explicit QueueLimitCase(const std::string& limit)
        : ns3::TestCase("a queue limit of " + limit),
          m_limit(limit)
    {
    }

  private:
    void DoRun() override
    {
        ns3::NodeContainer nodes;
        nodes.Create(2);
        const auto transport = ns3::CreateObject<ns3::DpdlMessageTransport>();
        transport->SetAttribute("QueueLimit", ns3::StringValue(m_limit));
        const auto messages = TimeVolley(nodes, {5, {0, 1, 1000}}, transport);
        for (std::size_t i = 0; i < messages.size(); ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(std::isnan(messages[i].arrivedAt), (i >= 3), "message " << i);
        }
    }

    std::string m_limit; ///< of three messages
};

/// Links of the run have Linux's TCP, unless the user has set a default.
class LinuxTcpCase : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        // Means that Linux took, bench/data/linux-delivery.csv.
        for (const ns3::LinuxRow& row :
             {ns3::LinuxRow{"cubic", 1, 31452, 1e7, 0.02, 0.0, 0.01, 31, 0, 0.0463046},
              ns3::LinuxRow{"cubic", 1, 31452, 1e8, 0.1, 0.0, 1.0, 12, 0, 0.30257}})
        {
            const double ratio = ns3::PacketSeconds(row, 1) / row.mean;
            NS_TEST_ASSERT_MSG_EQ_TOL(ratio, 1.0, 0.05, "gap " << row.gap);
        }
        CheckWindow();
        NS_TEST_ASSERT_MSG_EQ(TypeOfSockets(), "ns3::DpdlLinuxReno", "by itself");
        ns3::Config::SetDefault("ns3::TcpL4Protocol::SocketType",
                                ns3::StringValue("ns3::TcpNewReno"));
        NS_TEST_ASSERT_MSG_EQ(TypeOfSockets(), "ns3::TcpNewReno", "the user's");
        ns3::Config::Reset();
    }

    /// The type of congestion control that the nodes of a run's own network get.
    static std::string TypeOfSockets()
    {
        ns3::NodeContainer nodes;
        nodes.Create(2);
        const ns3::DpdlPacketNetwork network(nodes, {});
        ns3::TypeIdValue type;
        nodes.Get(0)->GetObject<ns3::TcpL4Protocol>()->GetAttribute("SocketType", type);
        ns3::Simulator::Destroy();
        return type.Get().GetName();
    }

    /// A window of 80 segments after an idle time of so many timeouts.
    static uint32_t WindowAfter(double timeouts)
    {
        const auto reno = ns3::CreateObject<ns3::DpdlLinuxReno>();
        const auto state = ns3::CreateObject<ns3::TcpSocketState>();
        state->m_segmentSize = 1000;
        state->m_initialCWnd = 10;
        state->m_cWnd = 80000;
        const auto ack = [&] { reno->PktsAcked(state, 1, ns3::MilliSeconds(100)); };
        const auto send = [&] { reno->CwndEvent(state, ns3::TcpSocketState::CA_EVENT_TX_START); };
        ns3::Simulator::Schedule(ns3::Seconds(1), ack);
        ns3::Simulator::Schedule(ns3::Seconds(1 + 0.3 * timeouts), send);
        ns3::Simulator::Run();
        ns3::Simulator::Destroy();
        return state->m_cWnd;
    }

    /// It is halved for every whole timeout, and never goes below the initial one.
    void CheckWindow()
    {
        NS_TEST_ASSERT_MSG_EQ(WindowAfter(0.9), 80000, "not idle");
        NS_TEST_ASSERT_MSG_EQ(WindowAfter(1.5), 40000, "one timeout");
        NS_TEST_ASSERT_MSG_EQ(WindowAfter(2.5), 20000, "two");
        NS_TEST_ASSERT_MSG_EQ(WindowAfter(50.0), 10000, "the initial window");
    }
};

const dpdltest::Suite g_fidelitySuite("dpdl-fidelity",
                                      {new OneLinkCase("message mode against UDP, one link"),
                                       new SharedLinkCase("message mode against UDP, shared links"),
                                       new LinuxTcpCase("TCP as Linux does it"),
                                       new QueueLimitCase("3000B"),
                                       new QueueLimitCase("3msg")});

} // namespace
