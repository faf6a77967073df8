// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "experiment-fixture.h"

#include <cmath>

namespace dpdl
{
namespace
{

TEST_F(ExperimentTest, OverwritesATraceOnlyWhenToldTo)
{
    Run(Small());
    EXPECT_NE(ErrorOf(Small()), "accepted");
    EXPECT_EQ(Summary("state"), "complete");
    RunOptions settings = Small();
    settings.overwrite = true;
    EXPECT_EQ(ErrorOf(settings), "accepted");
    EXPECT_EQ(Summary("state"), "incomplete");
}

TEST_F(ExperimentTest, PresetFillsInWhatTheUserLeftOpen)
{
    const Experiment preset(Small(), {});
    EXPECT_EQ(preset.Settings().clip, MakeAlgorithm("dyn-d2p").clip);
    EXPECT_EQ(preset.Settings().preset.clipDecay, MakeAlgorithm("dyn-d2p").clipDecay);
    EXPECT_EQ(preset.Settings().preset.stepSize, MakeAlgorithm("dyn-d2p").stepSize);
    EXPECT_EQ(preset.Settings().stepScale, StepScale::BY_WEIGHT);

    RunOptions settings = Small();
    settings.trace += "-own"; // the first run has its trace open
    settings.clip = 0.5;
    settings.hyper = "clipDecay=4,muGrowth=1";
    settings.stepSize = 0.25;
    settings.mode = Mode::PAPER;
    const Experiment own(settings, {});
    EXPECT_EQ(own.Plan().At(0, 0).clip, 0.5);
    EXPECT_NEAR(own.Plan().At(0, 3).clip, 0.25, 1e-15);
    EXPECT_EQ(own.Plan().At(0, 0).mu, own.Plan().At(0, 5).mu);
    EXPECT_EQ(own.Plan().At(0, 5).stepSize, 0.25);
    EXPECT_EQ(own.Settings().stepScale, StepScale::PLAIN);
    ASSERT_EQ(own.Warnings().size(), 1u);
    EXPECT_NE(own.Warnings()[0].find("limit theorem"), std::string::npos);
}

TEST_F(ExperimentTest, WarnsOfOptionsWithoutEffect)
{
    RunOptions settings = Small();
    settings.algorithm = "sgp";
    settings.clip = 1.0;
    settings.drop = 0.1;
    settings.noiseSource = "system";
    const Experiment experiment(settings, {});
    ASSERT_EQ(experiment.Warnings().size(), 3u);
    EXPECT_NE(experiment.Warnings()[0].find("clip"), std::string::npos);
    EXPECT_NE(experiment.Warnings()[1].find("drop"), std::string::npos);
    EXPECT_NE(experiment.Warnings()[2].find("noiseSource"), std::string::npos);
}

TEST_F(ExperimentTest, ChunksChangeNoBitWhereNothingIsLost)
{
    for (const char* topology : {"exponential", "star"})
    {
        for (const StepScale scale : {StepScale::PLAIN, StepScale::BY_WEIGHT})
        {
            RunOptions settings = Small();
            settings.topology = topology;
            settings.stepScale = scale;
            settings.snapshotEvery = 2;
            Run(settings);
            const auto states = Bits("SELECT round, node, z FROM snapshot");
            const auto accuracies = Bits("SELECT * FROM accuracy_by_round");
            const std::size_t messages = Bits("SELECT 1 FROM delivery").size();
            settings.chunkBytes = 1400; // 23 chunks of 7850 parameters
            Run(settings);
            EXPECT_EQ(Bits("SELECT round, node, z FROM snapshot"), states) << topology;
            EXPECT_EQ(Bits("SELECT * FROM accuracy_by_round"), accuracies) << topology;
            EXPECT_EQ(Bits("SELECT 1 FROM delivery").size(), 23 * messages);
            EXPECT_EQ(Value("SELECT COUNT(*) FROM delivery WHERE bytes <> "
                            "CASE WHEN chunk < 22 THEN 1452 ELSE 652 END"),
                      "0");
            EXPECT_EQ(Value("SELECT MAX(chunk) FROM delivery"), "22");
            EXPECT_EQ(Value("SELECT COUNT(*) FROM round_by_node WHERE w_smallest > w + 1e-12"),
                      "0");
        }
    }
}

TEST_F(ExperimentTest, AModelIsCutIntoAsManyChunksAsAMessageCanCount)
{
    RunOptions settings = Small();
    EXPECT_EQ(ResolveChunks(settings, 1000000).Count(), 1u);
    settings.chunkBytes = 4;
    EXPECT_EQ(ResolveChunks(settings, 65535).Count(), 65535u);
    try
    {
        ResolveChunks(settings, 200000);
        FAIL();
    }
    catch (const UsageError& error)
    {
        EXPECT_EQ(std::string(error.what()),
                  "option 'chunk': '4' is not accepted; expected none or at least 16: a model is "
                  "cut into 65535 chunks at most");
    }
    EXPECT_EQ(Experiment(settings, {}).LinkBytes(), 7850u * 56);
}

TEST_F(ExperimentTest, ASharedPartTravelsAndTheRestStays)
{
    RunOptions settings = Small();
    settings.model = "cnn-s";
    settings.topology = "complete";
    settings.rounds = 3;
    settings.evaluateEvery = 0;
    Run(settings);
    const std::string states = "SELECT z FROM snapshot ORDER BY node";
    const std::vector<std::string> whole = Bits(states);
    settings.sharedLayers = MakeModel("cnn-s", {1, 28, 28}, 10).Parts();
    Run(settings);
    EXPECT_EQ(Bits(states), whole);

    settings.sharedLayers = 1;
    const std::size_t bytes = sizeof(float) * MakeModel("cnn-s", {1, 28, 28}, 10).PartEnd(1);
    Run(settings);
    EXPECT_EQ(Query("SELECT DISTINCT bytes FROM delivery"),
              std::vector<std::string>{std::to_string(52 + bytes)});
    EXPECT_EQ(
        Query("SELECT count(DISTINCT substr(z, " + std::to_string(bytes + 1) + ")) FROM snapshot"),
        std::vector<std::string>{"5"});
    EXPECT_EQ(Query("SELECT consensus_distance < 1e-6, accuracy_of_mean_model = accuracy_mean "
                    "FROM accuracy_by_round"),
              std::vector<std::string>{"1|1"});
    settings.sharedLayers = 9;
    EXPECT_NE(
        ErrorOf(settings).find("option 'sharedLayers': '9' is not accepted; expected all or 1 to"),
        std::string::npos);
}

TEST_F(ExperimentTest, TheStepIsPlainWhereThePolicyKeepsEveryWeightAtOne)
{
    RunOptions settings = Small();
    for (const auto& [policy, scale] : {std::pair{LossPolicy::NONE, StepScale::BY_WEIGHT},
                                        {LossPolicy::RELIABLE, StepScale::PLAIN},
                                        {LossPolicy::REFUND, StepScale::BY_WEIGHT},
                                        {LossPolicy::RUNNING_SUM, StepScale::BY_WEIGHT},
                                        {LossPolicy::RENORMALISE, StepScale::BY_WEIGHT}})
    {
        settings.lossPolicy = policy;
        EXPECT_EQ(ResolveStepScale(settings), scale) << LossPolicies().NameOf(policy);
    }
    settings.mode = Mode::PAPER;
    EXPECT_EQ(ResolveStepScale(settings), StepScale::PLAIN);
}

TEST_F(ExperimentTest, TimesOfARoundFollowFromMessageAndLink)
{
    RunOptions settings = Small();
    settings.network = NetworkKind::MESSAGE;
    settings.overwrite = true;
    const std::uint64_t bytes = 52 + 4 * 7850;
    const double round = 10e-3 + 8.0 * bytes / 10e6 + 5e-3;
    {
        const Experiment lossless(settings, {});
        EXPECT_EQ(lossless.LinkBytes(), bytes);
        EXPECT_NEAR(lossless.LosslessRoundSeconds(), round, 1e-15);
        EXPECT_TRUE(std::isinf(lossless.DeadlineSeconds()));
    }
    settings.drop = 0.1;
    EXPECT_NEAR(Experiment(settings, {}).DeadlineSeconds(), 1.5 * round, 1e-15);
    settings.deadline = {Deadline::Kind::TIME, 0.2};
    EXPECT_EQ(Experiment(settings, {}).DeadlineSeconds(), 0.2);
    settings.network = NetworkKind::IDEAL;
    settings.deadline = {};
    EXPECT_EQ(Experiment(settings, {}).LosslessRoundSeconds(), 10e-3);
    EXPECT_TRUE(std::isinf(Experiment(settings, {}).DeadlineSeconds()));
}

} // namespace
} // namespace dpdl
