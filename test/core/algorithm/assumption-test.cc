// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/algorithm/assumption.h"

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
    EXPECT_EQ(names.size(), 6u);
}

TEST(Assumptions, NoPrivateGradientPushRestsItsPrivacyOnTheNetwork)
{
    for (const PartInfo& info : Algorithms().List())
    {
        if (info.available)
        {
            const AlgorithmPreset preset = MakeAlgorithm(info.name);
            EXPECT_TRUE(preset.claimRestsOn.empty()) << info.name;
            EXPECT_EQ(preset.flags,
                      preset.isAmplified ? ReleaseFlag::NONE : ReleaseFlag::BATCH_CLIP)
                << info.name;
        }
    }
}

} // namespace
} // namespace dpdl
