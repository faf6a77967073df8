// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../usage-message.h"
#include "dpdl/algorithm/algorithm-preset.h"
#include "dpdl/algorithm/algorithms.h"

#include <gtest/gtest.h>
#include <set>

namespace dpdl
{
namespace
{

HyperParameters
Two()
{
    return HyperParameters(
        {{"tau", 5.0, 1.0, 100.0, "block length"}, {"theta", 0.5, 0.0, 1.0, "weight of the past"}});
}

TEST(HyperParameters, DefaultsHoldUntilSomethingIsGiven)
{
    HyperParameters hyper = Two();
    hyper.Set("adp-vrsgp", "");
    EXPECT_EQ(hyper["tau"], 5.0);
    hyper.Set("adp-vrsgp", "theta=0.25,tau=7");
    EXPECT_EQ(hyper["tau"], 7.0);
    EXPECT_EQ(hyper["theta"], 0.25);
}

TEST(HyperParameters, WhatIsNotAcceptedIsNamed)
{
    for (const auto& [text, name] : {std::pair{"theta=2", "theta"},
                                     {"theta=x", "theta"},
                                     {"theta", "theta"},
                                     {"tau=1,tau=2", "tau=2"},
                                     {"thet=1", "did you mean 'theta'?"},
                                     {"=1", "hyper-parameter of adp-vrsgp"}})
    {
        HyperParameters hyper = Two();
        const std::string given = text; // no lambda of C++17 captures a structured binding
        const std::string message = UsageMessage([&] { hyper.Set("adp-vrsgp", given); });
        EXPECT_NE(message.find(name), std::string::npos) << text << ": " << message;
    }
}

TEST(HyperParameters, WholeOnesTakeNoFraction)
{
    HyperParameters hyper({{"stages", 4.0, 1.0, 30.0, "number of stages", true}});
    EXPECT_EQ(hyper.Whole("stages"), 4U);
    hyper.Set("mapa", "stages=7");
    EXPECT_EQ(hyper.Whole("stages"), 7U);
    const std::string message = UsageMessage([&] { hyper.Set("mapa", "stages=2.5"); });
    EXPECT_NE(message.find("a whole number from 1 to 30"), std::string::npos) << message;
}

TEST(Assumptions, EachHasOneNameAndALine)
{
    std::set<std::string> names;
    for (const PartInfo& info : Assumptions().List())
    {
        EXPECT_TRUE(names.insert(info.name).second) << info.name;
        EXPECT_FALSE(info.summary.empty()) << info.name;
        EXPECT_FALSE(info.source.empty()) << info.name;
        EXPECT_EQ(Assumptions().NameOf(Assumptions().Get(info.name)), info.name);
    }
    EXPECT_EQ(names.size(), 8U);
}

TEST(Assumptions, NoPrivateGradientPushRestsItsPrivacyOnTheNetwork)
{
    for (const char* name :
         {"clip-d2p", "const-d2p", "dyn-c-d2p", "dyn-d2p", "dyn-d2p-general", "dyn-mu-d2p", "sgp"})
    {
        EXPECT_TRUE(MakeAlgorithm(name).claimRestsOn.empty()) << name;
        EXPECT_EQ(MakeAlgorithm(name).flags, ReleaseFlag::NONE) << name;
    }
}

} // namespace
} // namespace dpdl
