// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/experiment/run-rules.h"
#include "experiment-fixture.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <numeric>

namespace dpdl
{
namespace
{

/// Runs of one round, from zero, over a complete graph: every node ends with the same mean of what
/// all nodes have released.
class RunNoiseTest : public ExperimentTest
{
  protected:
    RunOptions OneRound(const std::string& noiseSource, std::uint32_t run) const
    {
        RunOptions settings = Small();
        settings.init = "zero";
        settings.topology = "complete";
        settings.rounds = 1;
        settings.stepSize = 1.0;
        settings.noiseSource = noiseSource;
        settings.seed = {3, run};
        return settings;
    }

    /// The noise sources for clipping in L2.
    static std::vector<std::string> Sources()
    {
        std::vector<std::string> names = NoiseSources().Names();
        names.erase(std::find(names.begin(), names.end(), "laplace"));
        return names;
    }

    /// The vector that a query finds first.
    std::vector<float> Vector(const std::string& sql) const
    {
        SQLite::Database database(m_path, SQLite::OPEN_READONLY);
        SQLite::Statement statement(database, sql);
        EXPECT_TRUE(statement.executeStep()) << sql;
        const SQLite::Column blob = statement.getColumn(0);
        std::vector<float> values(static_cast<std::size_t>(blob.getBytes()) / sizeof(float));
        std::memcpy(values.data(), blob.getBlob(), values.size() * sizeof(float));
        return values;
    }

    /// What the ledger says of the noise, and the guarantees, with all their bits.
    std::vector<std::string> Ledger()
    {
        std::vector<std::string> rows =
            Bits("SELECT node, round, rate, noise, sensitivity, flags FROM release ORDER BY 1, 2");
        for (const std::string& row : Bits("SELECT node, certified FROM guarantee_by_node"))
        {
            rows.push_back(row);
        }
        return rows;
    }

    std::vector<float> FinalState(const RunOptions& settings)
    {
        Run(settings);
        return Vector("SELECT z FROM snapshot WHERE node = 2 AND round = 1");
    }
};

TEST_F(RunNoiseTest, TheTraceHoldsTheNoiseThatWasAdded)
{
    for (const std::string& name : Sources())
    {
        RunOptions settings = OneRound(name, 1);
        settings.noise = false;
        const std::vector<float> without = FinalState(settings);
        settings.noise = true;
        settings.traceLevel = TraceLevel::NOISE;
        const std::vector<float> with = FinalState(settings);
        std::vector<double> mean(with.size());
        for (NodeId node = 0; node < 5; ++node)
        {
            const std::vector<float> noise =
                Vector("SELECT noise FROM noise_by_round WHERE node = " + std::to_string(node));
            ASSERT_EQ(noise.size(), mean.size());
            for (std::size_t i = 0; i < mean.size(); ++i)
            {
                mean[i] += static_cast<double>(noise[i]) / 5.0;
            }
        }
        const double deviation = std::stod(Value("SELECT DISTINCT noise FROM release"));
        for (std::size_t i = 0; i < mean.size(); ++i)
        {
            const double moved = static_cast<double>(with[i]) - static_cast<double>(without[i]);
            ASSERT_NEAR(-8.0 * moved, mean[i], 2e-6 * deviation) << name << " " << i;
        }
    }
}

TEST_F(RunNoiseTest, KeepingTheNoiseChangesNothingElse)
{
    RunOptions settings = Small();
    settings.topology = "star";
    const auto deliveriesAndStates = [this] {
        std::vector<std::string> rows = Bits("SELECT * FROM delivery");
        const std::vector<std::string> states = Bits("SELECT * FROM snapshot");
        rows.insert(rows.end(), states.begin(), states.end());
        return rows;
    };
    Run(settings);
    const std::vector<std::string> expected = deliveriesAndStates();
    EXPECT_EQ(Value("SELECT COUNT(*) FROM noise_by_round"), "0");
    settings.traceLevel = TraceLevel::NOISE;
    Run(settings);
    EXPECT_EQ(deliveriesAndStates(), expected);
    EXPECT_EQ(Value("SELECT COUNT(*) FROM noise_by_round NATURAL JOIN "
                    "(SELECT round, node FROM release) WHERE iteration = 0"),
              "30");
    EXPECT_EQ(Value("SELECT COUNT(DISTINCT noise) FROM noise_by_round"), "30");
    settings.noise = false;
    Run(settings);
    EXPECT_EQ(Value("SELECT COUNT(*) FROM noise_by_round"), "0");
}

TEST_F(RunNoiseTest, NoiseOfALargeRunIsNotStored)
{
    RunOptions settings = Small();
    settings.traceLevel = TraceLevel::NOISE;
    settings.rounds = 6370;
    EXPECT_EQ(ErrorOf(settings),
              "option 'traceLevel': 'noise' is not accepted; expected full or summary, or fewer "
              "nodes, rounds or parameters: the noise of this run would take 1 GB, and at most 1 "
              "GB is stored");
    EXPECT_FALSE(std::filesystem::exists(m_path));
    settings.rounds = 1;
    ResolvedRun run = Resolve(settings, {}, {});
    EXPECT_EQ(run.modelSpec->ParameterCount(), 7850U);
    run.rounds = 6370;
    EXPECT_THROW(CheckNoiseRows(run), UsageError);
    run.rounds = 6369;
    EXPECT_NO_THROW(CheckNoiseRows(run));
    run.rounds = 1000000;
    run.noise = false;
    EXPECT_NO_THROW(CheckNoiseRows(run));
}

TEST_F(RunNoiseTest, TheTraceSaysWhatTheNoiseIsWorth)
{
    const std::string query = "SELECT value FROM settings WHERE name = 'noiseStatement'";
    for (const std::string& name : Sources())
    {
        RunOptions settings = OneRound(name, 1);
        Run(settings);
        EXPECT_EQ(Value("SELECT value FROM settings WHERE name = 'noiseSource'"), name);
        const std::string statement = Value(query);
        EXPECT_EQ(statement, MakeNoiseSource(name, {})->Statement());
        EXPECT_EQ(statement.find("seed can take the noise off") != std::string::npos ||
                      statement.find("knows the seed") != std::string::npos,
                  name != "system")
            << statement;
        settings.noise = false;
        Run(settings);
        EXPECT_EQ(Value(query), "no noise");
    }
}

TEST_F(RunNoiseTest, EverySamplerLearnsWithBatchesOfItsOwnSize)
{
    for (const std::string& name : Samplers().Names())
    {
        RunOptions settings = Small();
        settings.sampler = name;
        Run(settings);
        EXPECT_EQ(Summary("state"), "complete");
        EXPECT_EQ(Value("SELECT DISTINCT sampler FROM release"), name);
        const std::string sizes =
            Value("SELECT group_concat(DISTINCT batch) FROM round_by_node WHERE round < 6");
        EXPECT_EQ(sizes == "8", name == "fixed" || name == "shuffle") << sizes;
        EXPECT_EQ(sizes == "40", name == "full") << sizes;
    }
}

TEST_F(RunNoiseTest, NoiseOfTheGradientsOwnSizeIsClaimedAndNotCertified)
{
    RunOptions settings = Small();
    settings.algorithm = "ada-d2p";
    settings.mode = Mode::PAPER;
    Run(settings);
    EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_node WHERE ABS(claimed - 1) < 1e-9 AND "
                    "budget = 1 AND certified = 9e999 AND reason LIKE '%from private data%'"),
              "5");
    EXPECT_EQ(Value("SELECT DISTINCT flags FROM release"),
              "NO_CLIP,DATA_DEPENDENT_SCALE,FLOAT_NOISE");
    EXPECT_EQ(Value("SELECT value FROM settings WHERE name = 'clip'"), "none");
    settings.hyper = "noiseMultiplier=0.25";
    Run(settings);
    EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_node WHERE budget IS NULL"), "5");
    EXPECT_EQ(Value("SELECT DISTINCT noise FROM release"), "0.25");
}

TEST_F(RunNoiseTest, ADeclaredNumberOfExamplesHidesTheTrueOne)
{
    RunOptions settings = Small();
    settings.algorithm = "const-d2p";
    const auto ledger = [this, &settings](std::size_t samples, std::size_t declared) {
        settings.samples = samples;
        settings.publicExamples = declared;
        Run(settings);
        return Ledger();
    };
    EXPECT_NE(ledger(200, 0), ledger(195, 0)); // 40 or 39 examples a node
    const std::vector<std::string> declared = ledger(200, 50);
    EXPECT_EQ(declared, ledger(195, 50));
    EXPECT_EQ(Value("SELECT COUNT(*) FROM release WHERE rate = 0.16"),
              Value("SELECT COUNT(*) FROM release"));
    EXPECT_EQ(Value("SELECT value FROM settings WHERE name = 'publicStatement'"),
              "nothing of the training data is taken as public");
    settings.publicExamples = 38;
    EXPECT_NE(ErrorOf(settings).find("'38' is not accepted; expected at least 39"),
              std::string::npos);
    settings.publicExamples = 50;
    settings.sampler = "shuffle";
    EXPECT_NE(ErrorOf(settings).find("option 'publicExamples': '50' is not accepted; expected own"),
              std::string::npos);
}

// 16 releases at clip bound C, less one at 16 C, have no noise left where runs share it.
TEST_F(RunNoiseTest, IndependentNoiseIsThatOfOneRunAlone)
{
    RunOptions settings = Small();
    settings.algorithm = "const-d2p";
    settings.clip = 1.0;
    settings.traceLevel = TraceLevel::NOISE;
    const auto noise = [this, &settings](double clip, bool isIndependent) {
        settings.clip = clip;
        settings.independentNoise = isIndependent;
        Run(settings);
        return Vector("SELECT noise FROM noise_vector WHERE node = 1 AND round = 2");
    };
    const auto correlation = [](const std::vector<float>& a, const std::vector<float>& b) {
        const auto dot = [](const std::vector<float>& x, const std::vector<float>& y) {
            return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
        };
        return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
    };
    EXPECT_NEAR(correlation(noise(1.0, false), noise(16.0, false)), 1.0, 1e-6);
    const std::vector<float> one = noise(1.0, true);
    EXPECT_EQ(one, noise(1.0, true)); // a function of the settings
    EXPECT_LT(std::abs(correlation(one, noise(16.0, true))),
              6.0 / std::sqrt(static_cast<double>(one.size())));
}

// A law of every algorithm, whatever part of the model option sharedLayers makes it send.
TEST_F(RunNoiseTest, WhatIsCertifiedBearsNoiseInAllThatTravels)
{
    std::size_t certified = 0;
    for (const std::string& algorithm : Algorithms().Names())
    {
        for (const std::size_t share : {0U, 1U, 2U})
        {
            if (share > 0 && MakeAlgorithm(algorithm).tracks)
            {
                continue; // it sends all
            }
            SCOPED_TRACE(algorithm + ", " + std::to_string(share) + " parts");
            RunOptions settings = Small();
            settings.algorithm = algorithm;
            settings.model = "cnn-xs";
            settings.topology = "complete";
            settings.nodes = 2;
            settings.rounds = 4;
            settings.evaluateEvery = 0;
            settings.sharedLayers = share;
            settings.traceLevel = TraceLevel::NOISE;
            Run(settings);
            if (Value("SELECT MIN(certified) < 9e999 FROM guarantee_by_node") == "0")
            {
                continue;
            }
            ++certified;
            const std::vector<float> noise = Vector("SELECT noise FROM noise_vector");
            const auto shared = static_cast<std::ptrdiff_t>(
                std::stoul(Value("SELECT value FROM settings WHERE name = 'sharedParameters'")));
            // An exact zero is rounding: a sum of ten times the noise swallows the smallest of it.
            EXPECT_LT(std::count(noise.begin(), noise.begin() + shared, 0.0F), 3);
        }
    }
    EXPECT_GT(certified, 40U);
}

} // namespace
} // namespace dpdl
