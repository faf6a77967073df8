// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/algorithm/learning-plan.h"

#include <fstream>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

/// A schedule file of this process.
std::string
Write(const std::string& text)
{
    const std::string path = testing::TempDir() + "dpdl-round-schedule.csv";
    std::ofstream(path) << text;
    return path;
}

AlgorithmPreset
WithFile(const std::string& text)
{
    AlgorithmPreset preset = MakeAlgorithm("dyn-d2p-general");
    preset.schedule = preset.readSchedule(Write(text));
    return preset;
}

LearningPlan
PlanOf(const std::string& algorithm)
{
    LearningPlanSettings settings;
    settings.algorithm = MakeAlgorithm(algorithm);
    settings.rounds = 60;
    settings.localSamples = 2500;
    settings.batchSize = 50.0;
    settings.samplingRate = 0.02;
    settings.accountant = "rdp";
    return LearningPlan(settings);
}

TEST(DynD2pGeneral, WithoutATableItIsConstD2p)
{
    const LearningPlan plan = PlanOf("dyn-d2p-general");
    const LearningPlan constant = PlanOf("const-d2p");
    EXPECT_EQ(plan.At(0, 33).noise, constant.At(0, 33).noise);
    EXPECT_EQ(plan.At(0, 33).clip, constant.At(0, 33).clip);
}

TEST(DynD2pGeneral, MistakesAreNamedWithTheirLine)
{
    const std::string head = "round,clip,noise\n";
    for (const auto& [text, expected] :
         {std::pair{std::string("round,clip\n0,1\n"), "line 1"},
          {head, "no row"},
          {head + "1,1,1\n", "line 2, round: '1' is not accepted; expected 0 in the first row"},
          {head + "0,1,1\n5,1,1\n5,1,1\n", "line 4, round: '5' is not accepted"},
          {head + "0,0,1\n", "line 2, clip: '0' is not accepted"},
          {head + "0,1,-1\n", "line 2, noise: '-1' is not accepted"},
          {head + "0,1\n", "line 2: '0,1' is not accepted"},
          {head + "x,1,1\n", "line 2, round: 'x' is not accepted"}})
    {
        try
        {
            WithFile(text);
            ADD_FAILURE() << text;
        }
        catch (const UsageError& error)
        {
            EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
        }
    }
    EXPECT_THROW(MakeAlgorithm("dyn-d2p-general").readSchedule("no-such.csv"), UsageError);
}

} // namespace
} // namespace dpdl
