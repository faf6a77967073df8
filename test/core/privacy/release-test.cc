// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/base/release.h"
#include "dpdl/privacy/ledger.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{

namespace
{

Release
ReleaseOf(NodeId node, Round round)
{
    return {node, round, "gaussian", "poisson", 0.02, 2.0, 3.0};
}

} // namespace

TEST(Release, MultiplierAndMu)
{
    Release fields = ReleaseOf(3, 7);
    EXPECT_DOUBLE_EQ(fields.NoiseMultiplier(), 1.5);
    EXPECT_DOUBLE_EQ(fields.Mu(), 1.0 / 1.5);
    EXPECT_EQ(fields.node, 3u);
    EXPECT_EQ(fields.round, 7u);
    fields.flags = ReleaseFlag::BATCH_CLIP;
    EXPECT_DOUBLE_EQ(fields.NoiseMultiplier(), 1.5);
    EXPECT_DOUBLE_EQ(fields.Mu(), 2.0 / 1.5);
}

TEST(Release, TheDefaultIsUnprotected)
{
    const Release release{Release{}};
    EXPECT_EQ(release.NoiseMultiplier(), 0.0);
    EXPECT_TRUE(std::isinf(release.Mu()));
    EXPECT_NE(release.UnsupportedReason(), "");
    EXPECT_EQ(Release(ReleaseOf(0, 0)).UnsupportedReason(), "");
}

TEST(Release, FlagsAsText)
{
    EXPECT_EQ(ToString(ReleaseFlag::NONE), "");
    EXPECT_EQ(ToString(ReleaseFlag::BATCH_CLIP), "BATCH_CLIP");
    EXPECT_EQ(ToString(ReleaseFlag::DATA_DEPENDENT_SCALE | ReleaseFlag::NO_CLIP),
              "NO_CLIP,DATA_DEPENDENT_SCALE");
}

TEST(Release, FlagsAreReadBackAndUnknownOnesFailClosed)
{
    for (std::uint32_t bits = 0; bits < 256; ++bits)
    {
        const auto flags = static_cast<ReleaseFlag>(bits);
        EXPECT_EQ(ReleaseFlagsFromString(ToString(flags)), flags) << bits;
    }
    Release fields = ReleaseOf(0, 0);
    for (const char* text : {"BATCH_CLAP", "batch_clip", ",", " BATCH_CLIP", "BATCH_CLIP,,"})
    {
        fields.flags = ReleaseFlagsFromString(text);
        EXPECT_TRUE(HasFlag(fields.flags, ReleaseFlag::UNKNOWN)) << text;
        EXPECT_NE(fields.UnsupportedReason(), "") << text;
    }
}

TEST(PrivacyLedger, KeepsEveryNodeApartAndInOrder)
{
    PrivacyLedger ledger(3);
    for (Round k = 0; k < 4; ++k)
    {
        for (NodeId i = 0; i < 3; ++i)
        {
            ledger.Append(Release(ReleaseOf(i, k)));
        }
    }
    EXPECT_EQ(ledger.Size(), 12u);
    EXPECT_EQ(ledger.Nodes(), 3u);
    for (NodeId i = 0; i < 3; ++i)
    {
        ASSERT_EQ(ledger.ForNode(i).size(), 4u);
        for (Round k = 0; k < 4; ++k)
        {
            EXPECT_EQ(ledger.ForNode(i)[k].node, i);
            EXPECT_EQ(ledger.ForNode(i)[k].round, k);
            EXPECT_EQ(ledger.ForNode(i)[k].UnsupportedReason(), "");
        }
    }
    EXPECT_THROW(ledger.Append(Release(ReleaseOf(3, 0))), Error);
}

TEST(PrivacyLedger, ReusedNoiseIsFlagged)
{
    PrivacyLedger ledger(2);
    Release fields = ReleaseOf(1, 5);
    EXPECT_FALSE(HasFlag(ledger.Append(fields).flags, ReleaseFlag::SEED_REUSE));
    fields.stream = 1;
    EXPECT_FALSE(HasFlag(ledger.Append(fields).flags, ReleaseFlag::SEED_REUSE));
    fields.stream = 0;
    const Release again = ledger.Append(fields);
    EXPECT_TRUE(HasFlag(again.flags, ReleaseFlag::SEED_REUSE));
    EXPECT_NE(again.UnsupportedReason().find("same noise"), std::string::npos);
}

TEST(PrivacyLedger, GivesBackWhateverWasAppended)
{
    // Two schedules, a constant and one that falls; nodes that miss rounds, and rounds out of
    // order.
    constexpr NodeId NODES = 5;
    PrivacyLedger ledger(NODES);
    std::vector<std::vector<Release>> expected(NODES);
    for (Round k = 0; k < 40; ++k)
    {
        for (NodeId i = 0; i < NODES; ++i)
        {
            if (i == 3 && k % 7 == 2)
            {
                continue;
            }
            Release fields = ReleaseOf(i, i == 4 ? 39 - k : k);
            fields.noise = i == 0 ? 1.0 : 1.0 / (k + 1);
            fields.stream = k % 2;
            expected[i].push_back(fields);
            EXPECT_FALSE(HasFlag(ledger.Append(fields).flags, ReleaseFlag::SEED_REUSE));
        }
    }
    for (NodeId i = 0; i < NODES; ++i)
    {
        const std::vector<Release> releases = ledger.ForNode(i);
        ASSERT_EQ(releases.size(), expected[i].size());
        for (std::size_t k = 0; k < releases.size(); ++k)
        {
            EXPECT_EQ(releases[k].node, i);
            EXPECT_EQ(releases[k].round, expected[i][k].round);
            EXPECT_EQ(releases[k].noise, expected[i][k].noise);
            EXPECT_EQ(releases[k].stream, expected[i][k].stream);
            EXPECT_TRUE(HasFlag(ledger.Append(releases[k]).flags, ReleaseFlag::SEED_REUSE));
        }
    }
}

} // namespace dpdl
