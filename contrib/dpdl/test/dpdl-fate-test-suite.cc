// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-test-case.h"
#include "dpdl-test-run.h"
#include "dpdl/experiment/recorded-run.h"

#include "ns3/dpdl-application.h"
#include "ns3/node-container.h"

#include <cmath>
#include <map>

using namespace ns3;

namespace
{

/// A network that damages, repeats and delays messages, each by its name.
class RoughTransport : public DpdlTransport
{
  private:
    void DoSend(const DpdlMessage& message) override
    {
        const dpdl::Share& share = message.share;
        const DpdlMessage damaged(share, Create<Packet>(message.GetSize()));
        switch ((share.source + 3 * share.target + share.round + share.chunk) % 5)
        {
        case 0: // damaged, and then damaged once more
            Deliver(damaged, MilliSeconds(1));
            Deliver(damaged, MilliSeconds(2));
            break;
        case 1: // damaged, and then intact
            Deliver(damaged, MilliSeconds(1));
            Deliver(message, MilliSeconds(2));
            break;
        case 2: // twice
            Deliver(message, MilliSeconds(1));
            Deliver(message, MilliSeconds(2));
            break;
        case 3: // in one of the next rounds
            Deliver(message, MilliSeconds(45));
            break;
        default:
            Deliver(message, MilliSeconds(1));
        }
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Damaged, repeated and late messages have their own rows, and the books stay exact.
 */
class DpdlFateTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        for (const std::string& name : dpdl::LossPolicies().AvailableNames())
        {
            const dpdl::LossPolicy policy = dpdl::LossPolicies().Get(name);
            for (const std::size_t chunk : {std::size_t{0}, std::size_t{8000}})
            {
                const std::string path = CreateTempDirFilename("run.db");
                Run(path, policy, chunk);
                Check(path, policy, name);
            }
        }
    }

    /**
     * @brief One run.
     * @param path of its trace
     * @param policy loss policy
     * @param chunk bytes in a chunk
     */
    void Run(const std::string& path, dpdl::LossPolicy policy, std::size_t chunk)
    {
        dpdl::RunOptions settings = dpdltest::SmallRun(path);
        settings.topology = "complete";
        settings.rounds = 20;
        settings.evaluateEvery = 0;
        settings.lossPolicy = policy;
        settings.chunkBytes = chunk;
        dpdl::Experiment experiment(settings, {});
        Ptr<RoughTransport> transport = CreateObject<RoughTransport>();
        NodeContainer nodes;
        nodes.Create(5);
        for (uint32_t i = 0; i < 5; ++i)
        {
            Ptr<DpdlApplication> application = CreateObject<DpdlApplication>();
            nodes.Get(i)->AddApplication(application);
            application->Setup(i, experiment.At(i), transport, MilliSeconds(20));
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_LT(std::fabs(experiment.Mass().Error()), 1e-12 * 5, "mass");
        NS_TEST_EXPECT_MSG_EQ(experiment.Finish(Simulator::Now().GetSeconds()), true, "complete");
        transport->Dispose();
        Simulator::Destroy();
    }

    /**
     * @brief Looks at the rows.
     * @param path of the trace
     * @param policy loss policy
     * @param name of the policy
     */
    void Check(const std::string& path, dpdl::LossPolicy policy, const std::string& name)
    {
        const bool repairs =
            policy == dpdl::LossPolicy::REFUND || policy == dpdl::LossPolicy::RUNNING_SUM;
        std::map<dpdl::DeliveryFate, uint32_t> count;
        uint32_t repaired = 0;
        for (const dpdl::Delivery& row : dpdl::RecordedRun(path).Deliveries())
        {
            ++count[row.fate];
            const bool isCorrupt = row.fate == dpdl::DeliveryFate::CORRUPT;
            const bool isCopy = row.fate == dpdl::DeliveryFate::DUPLICATE;
            repaired += isCorrupt && row.usedInRound.has_value() ? 1 : 0;
            NS_TEST_EXPECT_MSG_EQ((isCopy && row.usedInRound.has_value()), false, name);
            NS_TEST_EXPECT_MSG_EQ(((isCorrupt || isCopy) && !row.arrivedAt), false, name);
        }
        NS_TEST_EXPECT_MSG_GT(count[dpdl::DeliveryFate::CORRUPT], 50, name);
        NS_TEST_EXPECT_MSG_GT(count[dpdl::DeliveryFate::DUPLICATE], 50, name);
        NS_TEST_EXPECT_MSG_GT(count[dpdl::DeliveryFate::LATE], 20, name);
        NS_TEST_EXPECT_MSG_GT(count[dpdl::DeliveryFate::DELIVERED], 50, name);
        NS_TEST_EXPECT_MSG_EQ((repaired > 50), repairs, name << ": corrupt ones repaired");
        NS_TEST_EXPECT_MSG_EQ((repaired > 0), repairs, name << ": corrupt ones repaired");
    }
};

const dpdltest::Suite g_dpdlFateTestSuite(
    "dpdl-fate",
    {new DpdlFateTest("fates of damaged, repeated and late messages")});

} // namespace
