// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../trace/trace-fixture.h"
#include "dpdl/algorithm/algorithms.h"
#include "dpdl/base/correlated-noise.h"
#include "dpdl/base/quantity.h"
#include "dpdl/experiment/privacy-recorder.h"
#include "dpdl/privacy/gdp.h"
#include "dpdl/topology/topologies.h"

#include <cmath>
#include <functional>

namespace dpdl
{
namespace
{

/// Four nodes, ten rounds, full batches: everything is exact and fast.
class PrivacyRecorderTest : public TraceTest
{
  protected:
    static LearningPlanSettings Settings()
    {
        LearningPlanSettings settings;
        settings.algorithm = {true, 1.0, 2.0, 1.0, 1.0};
        settings.rounds = 10;
        settings.localSamples = 100;
        settings.batchSize = 100.0;
        settings.accountant = "gdp";
        return settings;
    }

    /// Settings() with noise that nodes share.
    static LearningPlanSettings SharedNoise(const std::string& hyper)
    {
        LearningPlanSettings settings = Settings();
        settings.algorithm = MakeAlgorithm("decor", hyper);
        const auto graph = MakeGraphSequence("ring", 4, {});
        settings.noiseSource = MakeCorrelatedNoise(settings.algorithm.correlate(*graph, 10), {});
        return settings;
    }

    /// The epsilon of ten rounds in column @p name of guarantee_by_node.
    double OfNode(const std::string& name, NodeId node) const
    {
        return Number("SELECT " + name +
                      " FROM guarantee_by_node WHERE node = " + std::to_string(node));
    }

    /// Every node makes every round but what @p leaveOut says.
    void Record(const LearningPlanSettings& settings,
                const std::function<bool(NodeId, Round)>& leaveOut = {},
                const std::function<void(ValidityMonitor&, Round)>& happen = {},
                const std::function<void(NodeJob&)>& change = {},
                const std::vector<bool>& mayLackReleases = {true, true, true, true},
                const LeakedSecrets& leaked = {})
    {
        const LearningPlan plan(settings);
        TraceStore store(m_path, {true, 65536});
        ValidityMonitor monitor(settings.algorithm.claimRestsOn, 4, store);
        PrivacyRecorder recorder(plan, 4, nullptr, monitor, store, leaked);
        for (Round round = 0; round < plan.Rounds(); ++round)
        {
            for (NodeId node = 0; node < 4; ++node)
            {
                if (!leaveOut || !leaveOut(node, round))
                {
                    NodeJob job = Planned(plan, node, round);
                    if (change)
                    {
                        change(job);
                    }
                    recorder.Add(job);
                }
            }
            if (happen)
            {
                happen(monitor, round);
            }
            recorder.CloseRound(round);
        }
        recorder.Finish(mayLackReleases, true);
        store.Finish(true);
    }

    /// A job whose step did what the plan says.
    static NodeJob Planned(const LearningPlan& plan, NodeId node, Round round)
    {
        NodeJob job;
        job.node = node;
        job.round = round;
        for (const Release& release : plan.ReleasesOf(node, round))
        {
            Release record = release;
            record.values = plan.Settings().parameters;
            record.sampler = plan.Settings().sampler->AccountingName();
            record.rate = plan.Settings().samplingRate;
            job.releases.push_back(record);
        }
        return job;
    }

    double Number(const std::string& sql) const
    {
        const std::string value = Value(sql);
        return value == "Inf" || value == "inf" ? INFINITY : std::stod(value);
    }
};

TEST_F(PrivacyRecorderTest, WhoReleasedLessSpentLess)
{
    Record(Settings(), [](NodeId node, Round round) {
        return (node == 2 && round >= 4) || (node == 3 && round % 2 == 0);
    });
    const std::string certified = "SELECT certified FROM guarantee_by_node WHERE node = ";
    const LearningPlan plan(Settings());
    for (const auto& [node, releases] : {std::pair{0, 10}, {1, 10}, {2, 4}, {3, 5}})
    {
        const double mu = std::sqrt(releases) * plan.At(0, 0).mu;
        EXPECT_NEAR(Number(certified + std::to_string(node)), GdpEpsilon(mu, 1e-4), 1e-9) << node;
        EXPECT_NEAR(
            Number("SELECT claimed FROM guarantee_by_node WHERE node = " + std::to_string(node)),
            plan.ClaimedEpsilon(0, releases),
            1e-9);
    }
    EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_node WHERE accountant = 'gdp' AND reason IS "
                    "NULL AND claim_reason IS NULL AND stopped_in_round IS NULL AND observed IS "
                    "NULL"),
              "4");
    EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_round"), "10");
    EXPECT_EQ(Summary("nodes_stopped"), "0");
}

TEST_F(PrivacyRecorderTest, WhatWasSentCountsWhatSilentNodesHide)
{
    const LearningPlanSettings settings = SharedNoise("secrets=1");
    const double mu = LearningPlan(settings).At(0, 0).mu;
    const double alone = settings.noiseSource->Exposure({true, true, true, false}, {})[0];
    EXPECT_LT(alone, 0.9);
    const auto leaveOut = [](NodeId node, Round round) { return node == 3 && round >= 4; };
    Record(settings, leaveOut);
    EXPECT_NEAR(std::stod(Summary("epsilon_as_sent")),
                GdpEpsilon(mu * std::sqrt(4.0 + 6.0 * alone), settings.delta),
                1e-9);
    EXPECT_NEAR(std::stod(Summary("epsilon_planned")),
                GdpEpsilon(mu * std::sqrt(10.0), settings.delta),
                1e-9);
    EXPECT_EQ(Summary("epsilon_planned"), Value("SELECT MAX(certified) FROM guarantee_by_node"));
    // Where nothing is known of node 3, it counts as seen.
    Record(settings, leaveOut, {}, {}, {true, true, true, false});
    EXPECT_EQ(Summary("epsilon_as_sent"), Value("SELECT MAX(certified) FROM guarantee_by_node"));
    // What is not as planned certifies nothing.
    Record(settings, leaveOut, {}, [](NodeJob& job) { job.releases[0].noise /= 2.0; });
    EXPECT_EQ(Number("SELECT value FROM summary WHERE name = 'epsilon_as_sent'"), INFINITY);
}

TEST_F(PrivacyRecorderTest, EachNodeIsCertifiedForWhatItSentItself)
{
    const LearningPlanSettings settings = SharedNoise("secrets=1");
    const double mu = LearningPlan(settings).At(0, 0).mu;
    const double alone = settings.noiseSource->Exposure({true, true, true, false}, {})[0];
    Record(settings, [](NodeId node, Round round) { return node == 3 && round >= 4; });
    EXPECT_NEAR(OfNode("as_sent", 3), GdpEpsilon(2.0 * mu, settings.delta), 1e-9);
    EXPECT_NEAR(OfNode("as_sent", 1),
                GdpEpsilon(mu * std::sqrt(4.0 + 6.0 * alone), settings.delta),
                1e-9);
    EXPECT_EQ(Summary("epsilon_as_sent"), Value("SELECT MAX(as_sent) FROM guarantee_by_node"));
    Record(Settings());
    EXPECT_EQ(Value("SELECT COUNT(as_sent) FROM guarantee_by_node"), "0");
}

TEST_F(PrivacyRecorderTest, WhoLeaksIsHiddenByItsOwnNoiseAndTheOthersAsPromised)
{
    const LearningPlanSettings settings = SharedNoise("secrets=1,colluders=1");
    const double mu = std::sqrt(10.0) * LearningPlan(settings).At(0, 0).mu;
    const double own = settings.noiseSource->OwnShare();
    Record(settings, {}, {}, {}, {true, true, true, true}, {NodeSet({2}), ""});
    const double planned = GdpEpsilon(mu, settings.delta);
    const double naked = GdpEpsilon(mu / own, settings.delta);
    for (const char* column : {"certified", "as_sent"})
    {
        EXPECT_NEAR(OfNode(column, 1), planned, 1e-9) << column;
        EXPECT_NEAR(OfNode(column, 2), naked, 1e-9) << column;
    }
    EXPECT_EQ(Summary("epsilon_as_sent"), Value("SELECT MAX(certified) FROM guarantee_by_node"));
    EXPECT_NEAR(std::stod(Summary("epsilon_without_secrets")), naked, 1e-9);
    EXPECT_NEAR(std::stod(Summary("epsilon_planned")), planned, 1e-9);
    EXPECT_NEAR(Number("SELECT MAX(noise) FROM release WHERE node = 2") /
                    Number("SELECT MAX(noise) FROM release WHERE node = 1"),
                own,
                1e-12);
}

TEST_F(PrivacyRecorderTest, IfMoreLeakThanPromisedNothingIsCertifiedButWhatWasSentIsKnown)
{
    const LearningPlanSettings settings = SharedNoise("secrets=1,colluders=1");
    const double mu = std::sqrt(10.0) * LearningPlan(settings).At(0, 0).mu;
    const double pair = settings.noiseSource->Exposure({true, true, true, true}, {1, 2})[0];
    EXPECT_GT(pair, 1.0);
    Record(settings, {}, {}, {}, {true, true, true, true}, {NodeSet({1, 2}), "two leak"});
    EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_node WHERE certified = 9e999 AND reason = "
                    "'two leak'"),
              "4");
    EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_round WHERE certified_max = 9e999"), "10");
    EXPECT_NEAR(OfNode("as_sent", 0), GdpEpsilon(mu * std::sqrt(pair), settings.delta), 1e-9);
    EXPECT_NEAR(OfNode("as_sent", 1),
                GdpEpsilon(mu / settings.noiseSource->OwnShare(), settings.delta),
                1e-9);
    EXPECT_EQ(Summary("epsilon_as_sent"), Value("SELECT MAX(as_sent) FROM guarantee_by_node"));
}

TEST_F(PrivacyRecorderTest, TheLastRowIsTheLargestCertificateAndNoneIsAbove)
{
    LearningPlanSettings settings = Settings();
    settings.rounds = 60;
    settings.batchSize = 10.0;
    settings.samplingRate = 0.1;
    settings.delta = 1e-5;
    for (const char* accountant : {"pld", "rdp"})
    {
        settings.accountant = accountant;
        const std::vector<std::function<bool(NodeId, Round)>> runs{
            [](NodeId, Round) { return false; },
            [](NodeId, Round round) { return round >= 40; },
            [](NodeId node, Round round) { return round % (3 + node) == 0; }};
        for (const auto& leaveOut : runs)
        {
            Record(settings, leaveOut);
            const std::string most = "(SELECT MAX(certified) FROM guarantee_by_node)";
            EXPECT_EQ(Value("SELECT certified_max = " + most +
                            " FROM guarantee_by_round ORDER BY round DESC LIMIT 1"),
                      "1")
                << accountant;
            EXPECT_EQ(
                Value("SELECT COUNT(*) FROM guarantee_by_round WHERE certified_max > " + most),
                "0")
                << accountant;
            EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_round AS a JOIN guarantee_by_round "
                            "AS b ON b.round = a.round + 1 WHERE b.certified_max < "
                            "a.certified_max"),
                      "0")
                << accountant;
        }
    }
}

TEST_F(PrivacyRecorderTest, ADeclaredFlagDecidesWhatIsCertified)
{
    for (const auto& [flag, word] :
         {std::pair{ReleaseFlag::DATA_DEPENDENT_SCALE, "computed from private data"},
          {ReleaseFlag::UNNOISED_RELEASE, "without noise"},
          {ReleaseFlag::REALISED_BATCH_SIZE, "size of the drawn batch"},
          {ReleaseFlag::ADAPTIVE_SCHEDULE, "filter"}})
    {
        LearningPlanSettings settings = Settings();
        settings.algorithm.flags = flag;
        Record(settings);
        EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_node WHERE certified = 9e999 AND "
                        "claimed < 10 AND reason LIKE '%" +
                        std::string(word) + "%'"),
                  "4")
            << word;
        EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_round WHERE certified_max = 9e999"),
                  "10");
        EXPECT_EQ(Value("SELECT DISTINCT flags FROM release"),
                  ToString(flag | ReleaseFlag::FLOAT_NOISE));
    }
}

TEST_F(PrivacyRecorderTest, ARecordThatDiffersFromThePlanVoidsItsNodeWithTheTwoNumbers)
{
    const auto halve = [](NodeJob& job) {
        if (job.node == 2 && job.round == 7)
        {
            job.releases[0].noise = 0.5;
        }
    };
    Record(Settings(), {}, {}, halve);
    const std::string planned = ShowNumber(LearningPlan(Settings()).At(0, 7).noise);
    const std::string reason = "round 7: the step added noise 0.5, the plan says " + planned;
    EXPECT_EQ(Value("SELECT reason FROM guarantee_by_node WHERE node = 2"), reason);
    EXPECT_EQ(Value("SELECT claim_reason FROM guarantee_by_node WHERE node = 2"), reason);
    EXPECT_EQ(Value("SELECT group_concat(node) FROM guarantee_by_node WHERE certified = 9e999 AND "
                    "claimed = 9e999"),
              "2");
    EXPECT_EQ(Value("SELECT MIN(round) || '-' || MAX(round) FROM guarantee_by_round WHERE "
                    "certified_max = 9e999 AND claimed_max = 9e999"),
              "8-10");
    EXPECT_EQ(Value("SELECT node || ' ' || round || ' ' || noise FROM release WHERE flags LIKE "
                    "'%PLAN_MISMATCH%'"),
              "2 7 0.5");
}

TEST_F(PrivacyRecorderTest, AClaimEndsWhereItsAssumptionDoes)
{
    LearningPlanSettings settings = Settings();
    const auto loseMaximum = [](ValidityMonitor& monitor, Round round) {
        if (round == 6)
        {
            monitor.Report(Assumption::MAXIMUM_HEARD, round, 1, "node 3 was not heard");
        }
    };
    Record(settings, {}, loseMaximum);
    EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_node WHERE claimed < 10"), "4");

    settings.algorithm.claimRestsOn = {Assumption::MAXIMUM_HEARD};
    Record(settings, {}, loseMaximum);
    EXPECT_EQ(Value("SELECT group_concat(node) FROM guarantee_by_node WHERE claimed = 9e999 AND "
                    "claim_reason LIKE '%maximum-heard%round 6%node 3 was not heard%'"),
              "1");
    EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_node WHERE certified < 10"), "4");
    EXPECT_EQ(Value("SELECT MIN(round) || '-' || MAX(round) FROM guarantee_by_round WHERE "
                    "claimed_max = 9e999"),
              "7-10");
    EXPECT_EQ(Value("SELECT COUNT(*) FROM violation"), "1");
}

} // namespace
} // namespace dpdl
