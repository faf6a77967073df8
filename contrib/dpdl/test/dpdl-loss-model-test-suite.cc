// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-test-case.h"
#include "dpdl-test-network.h"
#include "dpdl-test-run.h"

#include "ns3/boolean.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <iterator>

using namespace ns3;
using dpdltest::AllNames;
using dpdltest::MakeTransport;
using dpdltest::Name;
using dpdltest::Network;

namespace
{

/**
 * @brief Models of each link that lose messages of one size with a probability.
 * @param probability of a message's loss
 * @return the models
 */
Ptr<DpdlErrorModelLoss>
RateLoss(double probability)
{
    return CreateObjectWithAttributes<DpdlErrorModelLoss>(
        "ErrorModel",
        ObjectFactoryValue(ObjectFactory("ns3::RateErrorModel",
                                         "ErrorRate",
                                         DoubleValue(probability),
                                         "ErrorUnit",
                                         StringValue("ERROR_UNIT_PACKET"))));
}

/**
 * @brief What a transport drops of the names.
 * @param model loses them
 * @param names in this order
 * @param drop probability of the links' own
 * @return the names that were dropped
 */
std::set<Name>
Drops(Ptr<DpdlLossModel> model, const std::vector<Name>& names, double drop = 0.0)
{
    Ptr<DpdlMessageTransport> transport = MakeTransport(drop);
    transport->SetLossModel(model);
    transport->AssignStreams(1);
    Network network(transport);
    for (const Name& name : names)
    {
        network.Send(name);
    }
    Simulator::Run();
    Simulator::Destroy();
    return network.dropped;
}

/// Those of one link. @param names of messages @param source sends @param target receives
std::vector<Name>
OfLink(const std::vector<Name>& names, uint32_t source, uint32_t target)
{
    std::vector<Name> found;
    std::copy_if(names.begin(), names.end(), std::back_inserter(found), [&](const Name& name) {
        return std::get<0>(name) == source && std::get<1>(name) == target;
    });
    return found;
}

/**
 * @ingroup dpdl-tests
 * @brief Each directed link has its own model, streams and state.
 */
class DpdlErrorModelLossTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        constexpr double RATE = 0.3;
        const std::vector<Name> names = AllNames(200);
        const std::set<Name> first = Drops(RateLoss(RATE), names);
        const auto expected = RATE * static_cast<double>(names.size());
        NS_TEST_EXPECT_MSG_LT(std::abs(static_cast<double>(first.size()) - expected),
                              5.0 * std::sqrt(expected * (1.0 - RATE)),
                              "as many as the rate says");
        NS_TEST_EXPECT_MSG_EQ((Drops(RateLoss(RATE), names) == first), true, "repeated");

        // What other links carry does not matter.
        const std::set<Name> alone = Drops(RateLoss(RATE), OfLink(names, 5, 2));
        const std::vector<Name> dropped(first.begin(), first.end());
        const std::vector<Name> same = OfLink(dropped, 5, 2);
        NS_TEST_EXPECT_MSG_EQ((alone == std::set<Name>(same.begin(), same.end())), true, "5->2");

        // The links' own losses come on top, and are the same as without the model.
        std::set<Name> both = Drops(nullptr, names, 0.2);
        both.insert(first.begin(), first.end());
        NS_TEST_EXPECT_MSG_EQ((Drops(RateLoss(RATE), names, 0.2) == both), true, "union");

        Ptr<DpdlErrorModelLoss> one = CreateObject<DpdlErrorModelLoss>();
        NS_TEST_EXPECT_MSG_EQ(Drops(one, names).size(), 0, "a RateErrorModel of rate 0");
        one = CreateObject<DpdlErrorModelLoss>();
        one->SetErrorModel(
            3,
            1,
            CreateObjectWithAttributes<RateErrorModel>("ErrorRate", DoubleValue(1.0)));
        const std::vector<Name> all = OfLink(names, 3, 1);
        NS_TEST_EXPECT_MSG_EQ((Drops(one, names) == std::set<Name>(all.begin(), all.end())),
                              true,
                              "3->1 alone");
    }
};

/// Loses all that the nodes above the fourth send: a model of a program's own.
class UpperLoss : public DpdlLossModel
{
    bool DoIsLost(const ::dpdl::Share& share, Ptr<const Packet> packet) override
    {
        return packet->GetSize() > 0 && share.source > 3;
    }
};

/**
 * @ingroup dpdl-tests
 * @brief DpdlHelper takes ns-3's models and a program's own, in message mode only.
 */
class DpdlHelperLossModelTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        std::size_t lost = 0;
        for (const Name& name : Drops(CreateObject<UpperLoss>(), AllNames(3)))
        {
            lost += std::get<0>(name) > 3 ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(lost, 3 * 4 * 7, "a model of the program's own");

        const double bursts = Lost(0.4);
        NS_TEST_EXPECT_MSG_GT(bursts, 0.0, "losses in bursts");
        NS_TEST_EXPECT_MSG_EQ(Lost(0.4), bursts, "repeated");
        NS_TEST_EXPECT_MSG_EQ(Lost(0.0), 0.0, "no losses");
        CheckRefusal();
    }

    /// Mass that a run loses. @param rate of the bursts @return that of w
    double Lost(double rate)
    {
        DpdlHelper helper(dpdltest::SmallRun(CreateTempDirFilename("run.db")));
        helper.SetLossModel("ns3::BurstErrorModel", "ErrorRate", DoubleValue(rate));
        NodeContainer nodes(5);
        helper.Install(nodes);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(helper.Finish(), true, "complete");
        const double lost = helper.Experiment().Mass().Lost();
        Simulator::Destroy();
        return lost;
    }

    void CheckRefusal()
    {
        DpdlHelper helper(dpdltest::SmallRun(CreateTempDirFilename("run.db")));
        helper.Set("network", "packet");
        helper.SetLossModel("ns3::RateErrorModel");
        NodeContainer nodes(5);
        Refuse([&] { helper.Install(nodes); }, "network=packet");
        Simulator::Destroy();
    }
};

const dpdltest::Suite g_dpdlLossModelTestSuite(
    "dpdl-loss-model",
    {new DpdlErrorModelLossTest("an ErrorModel for each directed link"),
     new DpdlHelperLossModelTest("SetLossModel")});

} // namespace
