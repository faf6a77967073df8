// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-fidelity-cases.h"
#include "dpdl-test-case.h"

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

const dpdltest::Suite g_fidelitySuite("dpdl-fidelity",
                                      {new OneLinkCase("message mode against UDP, one link"),
                                       new SharedLinkCase("message mode against UDP, shared links"),
                                       new QueueLimitCase("3000B"),
                                       new QueueLimitCase("3msg")});

} // namespace
