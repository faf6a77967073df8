// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/recorded-run.h"
#include "dpdl/privacy/accountant.h"
#include "experiment-fixture.h"

#include <cmath>

namespace dpdl
{
namespace
{

using RecordedRunTest = ExperimentTest;

TEST_F(RecordedRunTest, ALedgerReadBackGivesTheGuaranteeThatTheRunWrote)
{
    for (const char* algorithm :
         {"dyn-d2p", "const-d2p", "sgp", "decor", "lambda-cgd", "bandmf", "mafalda"})
    {
        RunOptions settings = Small();
        settings.algorithm = algorithm;
        Run(settings);
        const RecordedRun run(m_path);
        EXPECT_TRUE(run.Complete());
        EXPECT_EQ(run.Nodes(), 5u);
        EXPECT_EQ(run.Rounds(), 6u);
        EXPECT_EQ(run.Setting("algorithm"), algorithm);
        EXPECT_EQ(run.Delta(), std::stod(run.Setting("delta")));
        ASSERT_EQ(run.Guarantees().size(), 5u);
        for (NodeId node = 0; node < 5; ++node)
        {
            ASSERT_EQ(run.Releases(node).size(), 6u);
            const Guarantee again =
                Accountants().Get("rdp")->Evaluate(run.Releases(node), {run.Delta()});
            const GuaranteeByNode& written = run.Guarantees()[node];
            EXPECT_EQ(again.epsilon, written.certified) << algorithm << " " << node;
            EXPECT_EQ(again.adjacency, written.adjacency);
            EXPECT_EQ(again.reason.empty(), written.reason.empty());
            EXPECT_EQ(written.delta, run.Delta());
            EXPECT_FALSE(written.observed.has_value());
        }
    }
}

struct LedgerCase
{
    const char* algorithm;
    const char* hyper;
    const char* sampler;
};

TEST_F(RecordedRunTest, ReleasesAreThoseOfTheLedger)
{
    for (const LedgerCase& one : {LedgerCase{"dyn-d2p", "", "poisson"},
                                  {"dyn-d2p", "", "shuffle"},
                                  {"bandmf", "", "poisson"},
                                  {"muffliato", "phase=2", "shuffle"},
                                  {"dp-fedavg", "iterations=4,clients=0.6", "shuffle"}})
    {
        RunOptions settings = Small();
        settings.algorithm = one.algorithm;
        settings.hyper = one.hyper;
        settings.sampler = one.sampler;
        settings.rounds = 16;
        settings.overwrite = true;
        std::vector<std::vector<Release>> expected(settings.nodes);
        {
            Experiment experiment(settings, {});
            LockstepRun(experiment);
            for (NodeId node = 0; node < settings.nodes; ++node)
            {
                expected[node] = experiment.Recorder().Releases().ForNode(node);
            }
        }
        const RecordedRun run(m_path);
        for (NodeId node = 0; node < settings.nodes; ++node)
        {
            ASSERT_EQ(run.Releases(node).size(), expected[node].size());
            for (std::size_t i = 0; i < expected[node].size(); ++i)
            {
                const Release& got = run.Releases(node)[i];
                const Release& want = expected[node][i];
                EXPECT_EQ(got.node, want.node);
                EXPECT_EQ(got.round, want.round);
                EXPECT_EQ(got.stream, want.stream);
                EXPECT_EQ(got.epoch, want.epoch) << one.algorithm << " " << i;
                EXPECT_EQ(got.mechanism, want.mechanism);
                EXPECT_EQ(got.sampler, want.sampler);
                EXPECT_EQ(got.rate, want.rate);
                EXPECT_EQ(got.sensitivity, want.sensitivity);
                EXPECT_EQ(got.noise, want.noise);
                EXPECT_EQ(got.flags, want.flags);
            }
            const Guarantee again =
                Accountants().Get("rdp")->Evaluate(run.Releases(node), {run.Delta()});
            EXPECT_EQ(again.epsilon, run.Guarantees()[node].certified) << one.algorithm;
            EXPECT_LE(again.epsilon, 1.0) << one.algorithm;
        }
    }
}

TEST_F(RecordedRunTest, WithoutEpochsEachReleaseOfAShuffledPassCounts)
{
    RunOptions settings = Small();
    settings.sampler = "shuffle";
    Run(settings);
    SQLite::Database(m_path, SQLite::OPEN_READWRITE).exec("UPDATE ledger SET epoch = NULL");
    const RecordedRun run(m_path);
    EXPECT_EQ(run.Releases(0).back().epoch, 5U);
    EXPECT_GT(Accountants().Get("rdp")->Evaluate(run.Releases(0), {run.Delta()}).epsilon,
              run.Guarantees()[0].certified);
}

TEST_F(RecordedRunTest, DeliveriesAreThereUnlessTheTraceIsASummary)
{
    RunOptions settings = Small();
    settings.topology = "complete";
    Run(settings);
    EXPECT_EQ(RecordedRun(m_path).Deliveries().size(), 6u * 5 * 4);
    settings.traceLevel = TraceLevel::SUMMARY;
    Run(settings);
    EXPECT_THROW(RecordedRun(m_path).Deliveries(), UsageError);
    EXPECT_EQ(RecordedRun(m_path).Releases(0).size(), 6u);
}

TEST_F(RecordedRunTest, AnUnfinishedRunIsReadAsFarAsItGoes)
{
    {
        Experiment experiment(Small(), {});
        for (NodeId node = 0; node < 5; ++node)
        {
            experiment.At(node).BeginRound(0.0);
            experiment.At(node).FinishStep(0.0);
        }
        EXPECT_FALSE(experiment.Finish(0.5));
    }
    const RecordedRun run(m_path);
    EXPECT_FALSE(run.Complete());
    EXPECT_EQ(run.Rounds(), 0u);
    EXPECT_EQ(run.Releases(4).size(), 1u);
    EXPECT_THROW(AppendAudit(m_path, {0, 1.0, 0.95, 10, "canary", "test", ""}), UsageError);
}

TEST_F(RecordedRunTest, ATraceWithoutARunIsRefused)
{
    TraceStore(m_path, {}).Finish(true);
    EXPECT_THROW(RecordedRun{m_path}, UsageError);
    for (const auto& [name, value] : {std::pair{"nodes", "99999999999"},
                                      {"nodes", "many"},
                                      {"nodes", "3"},
                                      {"delta", "0"},
                                      {"delta", "inf"}})
    {
        Run(Small());
        SQLite::Database(m_path, SQLite::OPEN_READWRITE)
            .exec(std::string("UPDATE setting SET value = '") + value + "' WHERE name = '" + name +
                  "'");
        EXPECT_THROW(RecordedRun{m_path}, UsageError) << name << " " << value;
    }
}

TEST_F(RecordedRunTest, AnUnknownFlagMakesTheGuaranteeInfinite)
{
    Run(Small());
    SQLite::Database(m_path, SQLite::OPEN_READWRITE)
        .exec("INSERT INTO word VALUES (999, 'BRAND_NEW'); UPDATE ledger SET flags = 999 "
              "WHERE node = 2 AND round = 3");
    const RecordedRun run(m_path);
    const Guarantee guarantee = Accountants().Get("rdp")->Evaluate(run.Releases(2), {run.Delta()});
    EXPECT_TRUE(std::isinf(guarantee.epsilon));
    EXPECT_NE(guarantee.reason.find("node 2, round 3"), std::string::npos) << guarantee.reason;
    EXPECT_FALSE(
        std::isinf(Accountants().Get("rdp")->Evaluate(run.Releases(1), {run.Delta()}).epsilon));
}

} // namespace
} // namespace dpdl
