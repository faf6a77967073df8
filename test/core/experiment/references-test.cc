// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "experiment-fixture.h"

namespace dpdl
{
namespace
{

/// The two references that decentralized learning stands between.
class ReferencesTest : public ExperimentTest
{
  protected:
    /// What a run learns and releases, bit by bit.
    std::vector<std::string> Outcome(const RunOptions& settings)
    {
        Run(settings);
        std::vector<std::string> rows = Bits("SELECT * FROM accuracy_by_node");
        const std::vector<std::string> releases = Bits("SELECT * FROM release");
        rows.insert(rows.end(), releases.begin(), releases.end());
        return rows;
    }

    RunOptions Named(const std::string& algorithm) const
    {
        RunOptions settings = Small();
        settings.algorithm = algorithm;
        return settings;
    }
};

TEST_F(ReferencesTest, IsolatedIsConstD2pWithoutEdgesOnAnyTopology)
{
    RunOptions alone = Named("const-d2p");
    alone.topology = "none";
    RunOptions isolated = Named("isolated");
    isolated.topology = "complete";
    EXPECT_EQ(Outcome(isolated), Outcome(alone));
    EXPECT_EQ(Value("SELECT COUNT(*) FROM delivery_by_link"), "0");
}

TEST_F(ReferencesTest, CentralIsOneNodeWithAllExamplesAtTheSameRate)
{
    RunOptions one = Named("isolated");
    one.nodes = 1;
    one.batchSize = 5 * 8;
    one.partition = "contiguous";
    const std::vector<std::string> expected = Outcome(one);
    EXPECT_EQ(Outcome(Named("central")), expected);
    EXPECT_EQ(Value("SELECT DISTINCT rate FROM release"), "0.2");
    EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_node"), "1");
}

TEST_F(ReferencesTest, TheBudgetAsksForTheSameNoiseWhereverTheExamplesAre)
{
    Run(Named("isolated"));
    const std::string multiplier = Value("SELECT DISTINCT noise_multiplier FROM release");
    Run(Named("central"));
    EXPECT_EQ(Value("SELECT DISTINCT noise_multiplier FROM release"), multiplier);
}

TEST_F(ReferencesTest, CentralHasNoNetworkOfPackets)
{
    RunOptions settings = Named("central");
    settings.network = NetworkKind::PACKET;
    EXPECT_NE(ErrorOf(settings).find("option 'algorithm': 'central'"), std::string::npos);
}

} // namespace
} // namespace dpdl
