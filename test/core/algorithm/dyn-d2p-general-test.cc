// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/algorithm/learning-plan.h"
#include "dpdl/privacy/gdp.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <iomanip>

namespace dpdl
{
namespace
{

constexpr Round FILE_ROUNDS = 3500;

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

LearningPlanSettings
Settings(const AlgorithmPreset& preset, Mode mode)
{
    LearningPlanSettings settings;
    settings.algorithm = preset;
    settings.mode = mode;
    settings.rounds = mode == Mode::PAPER ? FILE_ROUNDS : 60;
    settings.localSamples = 2500;
    settings.batchSize = mode == Mode::PAPER ? 1.0 : 50.0;
    settings.samplingRate = settings.batchSize / 2500.0;
    settings.accountant = "rdp";
    return settings;
}

/// Dyn-D2P's schedules written out: C_0 = 7, both factors 5; the noise at half its size.
std::string
GeometricTable()
{
    std::ostringstream table;
    table << std::setprecision(17) << "round,clip,noise\n";
    for (Round k = 0; k < FILE_ROUNDS; ++k)
    {
        const double progress = k / static_cast<double>(FILE_ROUNDS);
        table << k << "," << 7.0 * std::pow(5.0, -progress) << ","
              << 0.5 * std::pow(25.0, -progress) << "\n";
    }
    return table.str();
}

TEST(DynD2pGeneral, ATableOfDynD2pGivesDynD2p)
{
    const LearningPlan plan(Settings(WithFile(GeometricTable()), Mode::PAPER));
    AlgorithmPreset preset = MakeAlgorithm("dyn-d2p");
    preset.clip = 7.0;
    preset.clipDecay = 5.0;
    preset.muGrowth = 5.0;
    const LearningPlan geometric(Settings(preset, Mode::PAPER));
    for (const Round round : {0u, 1u, 1750u, 3499u})
    {
        const RoundRule& rule = geometric.At(0, round);
        EXPECT_NEAR(plan.At(0, round).clip, rule.clip, 1e-12 * rule.clip);
        EXPECT_NEAR(plan.At(0, round).mu, rule.mu, 1e-9 * rule.mu);
        EXPECT_NEAR(plan.At(0, round).noise, rule.noise, 1e-9 * rule.noise);
    }
    EXPECT_NEAR(plan.At(0, 0).noise, 12.14408769, 1e-6);
    EXPECT_LE(plan.ClaimedEpsilon(0, FILE_ROUNDS), 1.0);
    EXPECT_GT(plan.ClaimedEpsilon(0, FILE_ROUNDS), 1.0 - 1e-6);
}

// Equation 10, and what it would have prescribed for the same run.
TEST(DynD2pGeneral, ThePapersClosedFormWouldHideNothing)
{
    const AlgorithmPreset preset = WithFile(GeometricTable());
    double sum = 0.0;
    double largest = 0.0;
    for (Round k = 0; k < FILE_ROUNDS; ++k)
    {
        // The table halves the noise: the closed form is for the whole one.
        const double strength = 0.5 * preset.schedule->At(preset, k, FILE_ROUNDS).strength;
        sum += strength * strength;
        largest = std::max(largest, strength);
    }
    const double noise = std::sqrt(2.0 * sum) / (2500.0 * GdpMu(1.0, 1e-4));
    EXPECT_NEAR(noise, 2.04, 0.005);
    EXPECT_NEAR(largest / noise, 17.0, 0.2);
}

TEST(DynD2pGeneral, WithoutATableItIsConstD2p)
{
    const LearningPlan plan(Settings(MakeAlgorithm("dyn-d2p-general"), Mode::SOUND));
    const LearningPlan constant(Settings(MakeAlgorithm("const-d2p"), Mode::SOUND));
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
