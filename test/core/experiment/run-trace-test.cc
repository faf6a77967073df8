// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../pieces.h"
#include "dpdl/experiment/option-table.h"
#include "experiment-fixture.h"

#include <map>
#include <set>

namespace dpdl
{
namespace
{

class RunTraceTest : public ExperimentTest
{
  protected:
    /// All rows of all views, save for what may differ between equal runs.
    std::map<std::string, std::vector<std::string>> Everything() const
    {
        std::map<std::string, std::vector<std::string>> rows;
        for (const std::string& view : Views())
        {
            const std::string except = view == "summary" ? " WHERE name NOT LIKE 'wall_%'"
                                       : view == "settings"
                                           ? " WHERE name NOT IN ('workers', 'trace', 'overwrite')"
                                           : "";
            rows[view] = Bits("SELECT * FROM \"" + view + "\"" + except);
        }
        return rows;
    }

    std::string Count(const std::string& view, const std::string& where = "1") const
    {
        return Value("SELECT COUNT(*) FROM " + view + " WHERE " + where);
    }
};

TEST_F(RunTraceTest, SameSeedGivesTheSameBitsWhateverTheWorkers)
{
    for (const char* model : {"softmax-regression", "cnn-s"})
    {
        RunOptions settings = Small();
        settings.model = model;
        settings.snapshotEvery = 1;
        settings.topology = "star";
        Run(settings);
        const auto first = Everything();
        EXPECT_GE(first.size(), 15u);
        EXPECT_EQ(first.at("snapshot").size(), 7u * 5);
        for (const unsigned workers : {1u, 2u})
        {
            settings.workers = workers;
            Run(settings);
            EXPECT_EQ(Everything(), first) << model << " " << workers;
        }
    }
}

TEST_F(RunTraceTest, AnotherSeedOrRunGivesAnotherModel)
{
    std::set<std::string> states;
    RunOptions settings = Small();
    for (const auto& [seed, run] : {std::pair{1u, 1u}, {2u, 1u}, {1u, 2u}})
    {
        settings.seed = {seed, run};
        Run(settings);
        states.insert(Bits("SELECT z FROM snapshot WHERE node = 0").at(0));
    }
    EXPECT_EQ(states.size(), 3u);
}

TEST_F(RunTraceTest, EveryNodeReleasesOnceARound)
{
    Run(Small());
    EXPECT_EQ(Count("release"), std::to_string(6 * 5));
    EXPECT_EQ(Value("SELECT COUNT(DISTINCT node || '-' || round) FROM release"), "30");
    EXPECT_EQ(Count("release",
                    "mechanism = 'gaussian' AND sampler = 'poisson' AND rate = 0.2 AND "
                    "flags = 'FLOAT_NOISE'"),
              "30");
    EXPECT_EQ(Count("release", "abs(noise / sensitivity / noise_multiplier - 1) > 1e-12"), "0");
    const Experiment experiment(
        [this] {
            RunOptions settings = Small();
            settings.overwrite = true;
            return settings;
        }(),
        {});
    EXPECT_GT(experiment.Plan().At(0, 0).clip, experiment.Plan().At(0, 5).clip);
}

TEST_F(RunTraceTest, TheDigestIsOfTheExamplesAlone)
{
    const auto digest = [this](const RunOptions& settings) {
        Run(settings);
        return Value("SELECT value FROM settings WHERE name = 'datasetDigest'");
    };
    RunOptions settings = Small();
    const std::string first = digest(settings);
    EXPECT_EQ(first.size(), 16u);
    settings.seed.run += 1;
    settings.evaluateEvery = 0;
    EXPECT_EQ(digest(settings), first);
    settings.samples -= 1;
    const std::string fewer = digest(settings);
    EXPECT_NE(fewer, first);
    settings.testSamples += 1;
    EXPECT_NE(digest(settings), fewer);
    EXPECT_EQ(Count("column_privacy", "item = 'datasetDigest' AND standing = 'private'"), "1");
}

/// Rounds that a trace has, by the option.
using Rounds = std::map<Round, std::string>;

TEST_F(RunTraceTest, EvaluationsAreWhereTheOptionSays)
{
    for (const auto& [every, rounds] : Rounds{{2, "0,2,4,6"}, {4, "0,4,6"}, {0, "6"}, {100, "0,6"}})
    {
        RunOptions settings = Small();
        settings.evaluateEvery = every;
        Run(settings);
        EXPECT_EQ(Value("SELECT group_concat(round) FROM accuracy_by_round"), rounds);
        EXPECT_EQ(Value("SELECT group_concat(DISTINCT round) FROM accuracy_by_node"), rounds);
        EXPECT_EQ(Value("SELECT MIN(c) || '-' || MAX(c) FROM (SELECT COUNT(*) AS c FROM "
                        "accuracy_by_node GROUP BY round)"),
                  "5-5");
        EXPECT_EQ(Count("accuracy_by_node NATURAL JOIN (SELECT round, accuracy_worst FROM "
                        "accuracy_by_round)",
                        "accuracy < accuracy_worst OR accuracy < 0 OR accuracy > 1"),
                  "0");
    }
}

TEST_F(RunTraceTest, EvaluationsBeforeTheEndUseTheFirstTestExamples)
{
    const std::string last = "SELECT * FROM accuracy_by_node WHERE test_examples = 50";
    RunOptions settings = Small();
    settings.evaluateSamples = 0;
    Run(settings);
    const std::vector<std::string> all = Bits(last + " AND round = 6");
    EXPECT_EQ(Bits(last).size(), 4u * 5);
    settings.evaluateSamples = 20;
    Run(settings);
    EXPECT_EQ(Bits(last), all);
    const std::string early = "SELECT * FROM accuracy_by_node WHERE round < 6";
    const std::vector<std::string> first = Bits(early);
    EXPECT_EQ(Value("SELECT group_concat(test_examples) FROM accuracy_by_round"), "20,20,20,50");
    settings.testSamples = 20;
    Run(settings);
    EXPECT_EQ(Bits(early), first);
}

TEST_F(RunTraceTest, SnapshotsAreWhereTheOptionSays)
{
    for (const auto& [every, rounds] :
         Rounds{{0, "6"}, {1, "0,1,2,3,4,5,6"}, {4, "0,4,6"}, {9, "0,6"}})
    {
        RunOptions settings = Small();
        settings.snapshotEvery = every;
        Run(settings);
        EXPECT_EQ(Value("SELECT group_concat(r) FROM (SELECT DISTINCT round AS r FROM snapshot "
                        "ORDER BY round)"),
                  rounds);
        EXPECT_EQ(Value("SELECT COUNT(*) = 5 * COUNT(DISTINCT round) FROM snapshot"), "1");
        EXPECT_EQ(Count("snapshot", "length(z) <> 4 * 7850"), "0");
    }
}

TEST_F(RunTraceTest, EveryShareIsDeliveredAndUsedInItsRound)
{
    RunOptions settings = Small();
    settings.topology = "complete";
    Run(settings);
    EXPECT_EQ(Count("delivery"), std::to_string(6 * 5 * 4));
    EXPECT_EQ(Count("delivery", "fate <> 'delivered' OR used_in_round <> round"), "0");
    EXPECT_EQ(Count("delivery", "weight <> 0.2 OR bytes <> 52 + 4 * 7850"), "0");
    EXPECT_EQ(Summary("messages_sent"), "120");
    EXPECT_EQ(Summary("messages_delivered"), "120");
    EXPECT_EQ(Summary("messages_lost"), "0");
    EXPECT_EQ(Summary("bytes_sent"), std::to_string(120 * (52 + 4 * 7850)));

    settings.traceLevel = TraceLevel::SUMMARY;
    Run(settings);
    EXPECT_EQ(Count("delivery"), "0");
    EXPECT_EQ(Count("delivery_by_link", "sent = 6 AND delivered = 6 AND lost = 0"), "20");
    EXPECT_EQ(Summary("messages_sent"), "120");
}

TEST_F(RunTraceTest, NodesThatTheTopologyPlacesHaveOneRow)
{
    RunOptions settings = Small();
    Run(settings);
    EXPECT_EQ(Count("position_by_round"), "0");
    settings.topology = "radius:0.7";
    Run(settings);
    EXPECT_EQ(Count("position_by_round"), "5");
    EXPECT_EQ(Count("position_by_round", "round = 0 AND x > 0 AND y > 0"), "5");
    settings.traceLevel = TraceLevel::SUMMARY;
    Run(settings);
    EXPECT_EQ(Count("position_by_round"), "0");
}

TEST_F(RunTraceTest, SummaryAndSettingsSayEverything)
{
    Run(Small(), {{"commandLine", "a test"}});
    for (const std::string& name :
         Pieces("state rounds nodes parameters accuracy_mean accuracy_worst loss_mean delta "
                "accuracy_of_mean_model messages_sent bytes_sent bytes_repair consensus_distance "
                "messages_lost mass_error messages_delivered q_bound q_designed epsilon_claimed "
                "q_realised wall_seconds epsilon_certified simulated_seconds"))
    {
        EXPECT_NE(Summary(name), "NULL") << name;
        EXPECT_EQ(Count("summary", "name = '" + std::string(name) + "'"), "1") << name;
    }
    EXPECT_EQ(Count("summary", "name = 'epsilon_observed'"), "1");
    EXPECT_EQ(Summary("state"), "complete");
    EXPECT_EQ(Summary("rounds"), "6");
    EXPECT_EQ(Summary("nodes"), "5");
    EXPECT_EQ(Summary("parameters"), "7850");
    EXPECT_NEAR(std::stod(Summary("simulated_seconds")), 0.06, 1e-12);
    for (const OptionRow<RunOptions>& option : LearningOptions().Options())
    {
        EXPECT_EQ(Count("settings", "name = '" + option.name + "'"), "1") << option.name;
    }
    EXPECT_EQ(Value("SELECT value FROM settings WHERE name = 'commandLine'"), "a test");
    EXPECT_EQ(Value("SELECT value FROM settings WHERE name = 'clip'"), "2");
    EXPECT_EQ(Value("SELECT value FROM settings WHERE name = 'stepScale'"), "by-weight");
}

} // namespace
} // namespace dpdl
