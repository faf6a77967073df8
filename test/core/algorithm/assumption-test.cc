// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithm-preset.h"
#include "dpdl/algorithm/algorithms.h"

#include <gtest/gtest.h>
#include <set>

namespace dpdl
{
namespace
{

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
