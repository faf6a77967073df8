// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/data/partition.h"
#include "experiment-fixture.h"

#include <algorithm>

namespace dpdl
{
namespace
{

/// Runs whose nodes own different numbers of examples.
class RunPartitionTest : public ExperimentTest
{
  protected:
    RunOptions Unequal(const std::string& partition) const
    {
        RunOptions settings = Small();
        settings.partition = partition;
        settings.batchSize = 4;
        return settings;
    }

    /// How many examples each node owns.
    static std::vector<std::size_t> Sizes(const RunOptions& settings)
    {
        const auto dataset = LoadDataset(settings.dataset, "", settings.samples, 1);
        std::vector<std::size_t> sizes;
        for (const auto& local : MakePartition(settings.partition,
                                               dataset->train.labels,
                                               settings.nodes,
                                               settings.seed))
        {
            sizes.push_back(local.size());
        }
        return sizes;
    }
};

TEST_F(RunPartitionTest, EveryNodeSamplesAtARateOfItsOwn)
{
    RunOptions settings = Unequal("dirichlet:2");
    const std::vector<std::size_t> sizes = Sizes(settings);
    EXPECT_NE(*std::min_element(sizes.begin(), sizes.end()),
              *std::max_element(sizes.begin(), sizes.end()));
    for (const std::string& sampler : Samplers().Names())
    {
        settings.sampler = sampler;
        Run(settings);
        EXPECT_EQ(Summary("state"), "complete");
        for (NodeId node = 0; node < settings.nodes; ++node)
        {
            const double rate = std::stod(
                Value("SELECT DISTINCT rate FROM release WHERE node = " + std::to_string(node)));
            const double expected =
                sampler == "full" ? 1.0 : 4.0 / static_cast<double>(sizes[node]);
            EXPECT_NEAR(rate, expected, 1e-12) << sampler << " " << node;
        }
        // The examples of a node with fewer of them are drawn more often and need more noise.
        if (sampler == "poisson")
        {
            EXPECT_EQ(Value("SELECT COUNT(*) FROM release a, release b WHERE a.round = b.round AND "
                            "a.rate < b.rate AND a.noise > b.noise"),
                      "0");
            EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_node WHERE certified <= 1"), "5");
        }
    }
}

TEST_F(RunPartitionTest, TheNodeWithTooFewExamplesIsNamed)
{
    RunOptions settings = Unequal("dirichlet:2");
    const std::vector<std::size_t> sizes = Sizes(settings);
    const auto least = std::min_element(sizes.begin(), sizes.end());
    settings.batchSize = *least + 1;
    EXPECT_EQ(ErrorOf(settings),
              "option 'batchSize': '" + std::to_string(*least + 1) +
                  "' is not accepted; expected 1 to " + std::to_string(*least) +
                  ", the number of examples that node " + std::to_string(least - sizes.begin()) +
                  " owns; or fewer nodes, more samples or another partition");
    settings.sampler = "full";
    EXPECT_EQ(ErrorOf(settings), "accepted");
}

TEST_F(RunPartitionTest, FullBatchesAreShownAsLargeAsTheyAre)
{
    const auto shown = [this] {
        return Value("SELECT value FROM settings WHERE name = 'batchSize'");
    };
    RunOptions settings = Small();
    settings.sampler = "full";
    Run(settings);
    EXPECT_EQ(shown(), "40");
    EXPECT_EQ(Value("SELECT DISTINCT examples_drawn FROM round_by_node"), "40");
    settings.partition = "dirichlet:2";
    Run(settings);
    const std::vector<std::size_t> sizes = Sizes(settings);
    EXPECT_EQ(shown(),
              std::to_string(*std::min_element(sizes.begin(), sizes.end())) + " to " +
                  std::to_string(*std::max_element(sizes.begin(), sizes.end())));
    settings.sampler = "poisson";
    settings.partition = "even";
    Run(settings);
    EXPECT_EQ(shown(), "8");
}

TEST_F(RunPartitionTest, ExamplesOfARoundAreThoseOfAllItsLocalSteps)
{
    RunOptions settings = Small();
    settings.sampler = "full";
    settings.algorithm = "dfedsam";
    settings.hyper = "iterations=3";
    Run(settings);
    EXPECT_EQ(Value("SELECT DISTINCT examples_drawn, batch FROM round_by_node"), "120|120");
}

TEST_F(RunPartitionTest, ANodeWithoutExamplesIsNamed)
{
    for (const std::string sampler : {"poisson", "full"})
    {
        RunOptions settings = Unequal("dirichlet:0.001");
        settings.sampler = sampler;
        settings.nodes = 12; // more than there are classes
        const std::vector<std::size_t> sizes = Sizes(settings);
        const auto empty = std::find(sizes.begin(), sizes.end(), 0U) - sizes.begin();
        ASSERT_LT(empty, 12);
        EXPECT_EQ(ErrorOf(settings),
                  "option 'partition': 'dirichlet:0.001' is not accepted; expected one that leaves "
                  "no node without examples: node " +
                      std::to_string(empty) +
                      " owns none; fewer nodes, more samples or another seed may do");
    }
}

} // namespace
} // namespace dpdl
