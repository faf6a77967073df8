// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/rank-block.h"
#include "dpdl/topology/topologies.h"
#include "experiment-fixture.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <sstream>

namespace dpdl
{
namespace
{

TEST(RankBlock, EveryNodeBelongsToOneRankWhoseBlockItLiesIn)
{
    for (const std::size_t nodes : {2, 3, 7, 20, 10001})
    {
        for (std::uint32_t ranks = 1; ranks <= std::min<std::size_t>(nodes, 9); ++ranks)
        {
            NodeId next = 0;
            for (std::uint32_t rank = 0; rank < ranks; ++rank)
            {
                const RankBlock part{rank, ranks};
                EXPECT_EQ(part.Begin(nodes), next);
                EXPECT_GT(part.End(nodes), part.Begin(nodes));
                EXPECT_LE(part.End(nodes) - part.Begin(nodes), nodes / ranks + 1);
                for (NodeId node = part.Begin(nodes); node < part.End(nodes); ++node)
                {
                    EXPECT_EQ(part.RankOf(node, nodes), rank);
                }
                next = part.End(nodes);
            }
            EXPECT_EQ(next, nodes);
        }
    }
}

TEST(RankBlock, NamesTheTracesOfRanks)
{
    EXPECT_EQ(RankTraceName("run.db", 0), "run.rank0.db");
    EXPECT_EQ(RankTraceName("a.b/run", 12), "a.b/run.rank12");
}

/// A run on three ranks of four nodes each.
ResolvedRun
CutRun(const std::string& topology)
{
    ResolvedRun run;
    run.nodes = 12;
    run.part = {0, 3};
    run.graph = MakeGraphSequence(topology, run.nodes, {});
    std::istringstream file("source target delay\n* * 20ms\n0 1 50us\n3 4 7ms\n8 7 9ms\n");
    auto links = std::make_shared<LinkTable>(run.nodes);
    std::set<LinkColumn> claimed;
    links->Read(file, "links", LinkColumn::DELAY, claimed);
    run.links = links;
    return run;
}

TEST(RankBlock, TheCutHasTheMessagesAndTheFastestLinkBetweenRanks)
{
    const RankCut ring = CutOf(CutRun("ring"));
    EXPECT_DOUBLE_EQ(ring.part, 3.0 / 12.0);
    EXPECT_DOUBLE_EQ(ring.fastest.delay, 7e-3);
    ASSERT_TRUE(ring.link.has_value());
    EXPECT_EQ(ring.link->source, 3);
    EXPECT_EQ(ring.link->target, 4);
    EXPECT_DOUBLE_EQ(CutOf(CutRun("complete")).part, 8.0 / 11.0);
    // What answers a message takes the way back.
    ResolvedRun back = CutRun("ring");
    back.part = {0, 2};
    EXPECT_DOUBLE_EQ(CutOf(back).part, 2.0 / 12.0);
    EXPECT_DOUBLE_EQ(CutOf(back).fastest.delay, 20e-3);
    const RankCut changing = CutOf(CutRun("random-peer"));
    EXPECT_TRUE(std::isnan(changing.part));
    EXPECT_DOUBLE_EQ(changing.fastest.delay, 50e-6);
    EXPECT_DOUBLE_EQ(CutOf(CutRun("none")).part, 0.0);
}

/// The ranks of a run, one after the other in one process and in step.
class RunOfParts
{
  public:
    explicit RunOfParts(const RunOptions& settings, std::uint32_t ranks)
        : m_nodes(static_cast<NodeId>(settings.nodes))
    {
        for (std::uint32_t rank = 0; rank < ranks; ++rank)
        {
            RunOptions own = settings;
            NetworkFacts facts;
            facts.part = {rank, ranks};
            own.trace = RankTraceName(settings.trace, rank);
            m_ranks.push_back(
                std::make_unique<Experiment>(own, Experiment::Metadata{}, RunWorld{}, facts));
        }
    }

    void Run()
    {
        for (Round round = 0; round < m_ranks[0]->Plan().Rounds(); ++round)
        {
            ForEach([](Learner& learner, double now) { learner.BeginRound(now); });
            m_now += 1.0;
            ForEach([this](Learner& learner, double now) { Deliver(learner.FinishStep(now)); });
            ForEach([](Learner& learner, double now) { learner.Mix(now); });
        }
        ForEach([](Learner& learner, double now) { learner.BeginRound(now); });
        for (const auto& rank : m_ranks)
        {
            EXPECT_TRUE(rank->Finish(m_now));
        }
    }

    /// Deviations of the ledgers, each of its rank's nodes.
    double MassError() const
    {
        double error = 0.0;
        for (const auto& rank : m_ranks)
        {
            error = std::max(error, std::abs(rank->Mass().Error()));
        }
        return error;
    }

  private:
    Experiment& RankOf(NodeId node)
    {
        return *m_ranks[m_ranks[0]->Settings().part.RankOf(node, m_nodes)];
    }

    template <typename Do>
    void ForEach(Do act)
    {
        for (NodeId node = 0; node < m_nodes; ++node)
        {
            act(RankOf(node).At(node), m_now);
        }
    }

    void Deliver(const std::vector<Share>& shares)
    {
        for (Share share : shares)
        {
            Experiment& source = RankOf(share.source);
            Experiment& target = RankOf(share.target);
            if (&source != &target)
            {
                source.Recorder().HandOver(share);
                share.record = target.Recorder().OnSent(share, share.sentAt);
            }
            target.At(share.target).Receive(share, m_now);
        }
    }

    NodeId m_nodes;
    double m_now{0.0};
    std::vector<std::unique_ptr<Experiment>> m_ranks;
};

const std::string NOISE_VECTORS =
    "SELECT round, node, iteration, '=' || hex(noise) FROM noise_by_round";

/// The fraction of parameters whose noise has the same sign in two rows of NOISE_VECTORS. Of 7850
/// independent signs it is within 0.1 of 1/2 but for a probability of 1e-68.
double
EqualSigns(const std::string& a, const std::string& b)
{
    constexpr std::size_t digits = 8; // of a float, lowest byte first
    constexpr std::size_t highestByte = 6;
    const std::string first = a.substr(a.find('=') + 1);
    const std::string second = b.substr(b.find('=') + 1);
    std::size_t equal = 0;
    for (std::size_t at = highestByte; at < first.size(); at += digits)
    {
        equal += (first[at] < '8') == (second[at] < '8') ? 1 : 0;
    }
    return static_cast<double>(equal) / static_cast<double>(first.size() / digits);
}

class RunPartTest : public ExperimentTest
{
  protected:
    RunOptions InMessages() const
    {
        RunOptions settings = Small();
        settings.network = NetworkKind::MESSAGE;
        settings.nodes = 7;
        settings.measureQ = false;
        settings.overwrite = true;
        return settings;
    }

    /// Rows that the traces of all ranks have together.
    std::vector<std::string> OfRanks(const std::string& sql, std::uint32_t ranks)
    {
        const std::string whole = m_path;
        std::vector<std::string> rows;
        for (std::uint32_t rank = 0; rank < ranks; ++rank)
        {
            m_path = RankTraceName(whole, rank);
            const std::vector<std::string> own = Bits(sql);
            rows.insert(rows.end(), own.begin(), own.end());
        }
        m_path = whole;
        std::sort(rows.begin(), rows.end());
        return rows;
    }

    /// The rows of a run in one process.
    std::vector<std::string> OfWhole(const std::string& sql) const
    {
        std::vector<std::string> rows = Bits(sql);
        std::sort(rows.begin(), rows.end());
        return rows;
    }
};

TEST_F(RunPartTest, PartsLearnWhatTheWholeLearns)
{
    const std::vector<std::string> queries = {
        "SELECT round, node, w, hex(z) FROM snapshot",
        "SELECT round, node, accuracy, loss FROM accuracy_by_node",
        "SELECT node, round, noise, noise_multiplier FROM \"release\"",
        "SELECT round, source, target, weight, bytes, used_in_round, fate FROM delivery",
        NOISE_VECTORS};
    RunOptions settings = InMessages();
    settings.traceLevel = TraceLevel::NOISE;
    for (const std::size_t chunkBytes : {std::size_t{0}, std::size_t{400}})
    {
        settings.chunkBytes = chunkBytes;
        {
            Experiment whole(settings, {});
            LockstepRun(whole);
        }
        for (const std::uint32_t ranks : {2, 3, 7})
        {
            RunOfParts parts(settings, ranks);
            parts.Run();
            EXPECT_LE(parts.MassError(), 1e-12);
            for (const std::string& query : queries)
            {
                EXPECT_EQ(OfRanks(query, ranks), OfWhole(query)) << ranks << ": " << query;
            }
            const std::vector<std::string> noise = OfRanks(NOISE_VECTORS, ranks);
            ASSERT_EQ(noise.size(), settings.nodes * settings.rounds);
            for (std::size_t i = 0; i < noise.size(); ++i)
            {
                for (std::size_t j = 0; j < i; ++j)
                {
                    EXPECT_NEAR(EqualSigns(noise[i], noise[j]), 0.5, 0.1) << "one key, two draws";
                }
            }
        }
    }
}

TEST_F(RunPartTest, RefusesWhatNeedsMoreThanMessages)
{
    const auto refused = [this](const std::function<void(RunOptions&)>& change) {
        RunOptions settings = InMessages();
        NetworkFacts facts;
        facts.part = {0, 2};
        change(settings);
        const std::string error = ErrorOf(settings, facts);
        EXPECT_EQ(error.find('\n'), std::string::npos);
        return error.find("on several ranks; expected") != std::string::npos;
    };
    EXPECT_FALSE(refused([](RunOptions&) {}));
    EXPECT_TRUE(refused([](RunOptions& s) { s.network = NetworkKind::IDEAL; }));
    for (const LossPolicy policy : {LossPolicy::RUNNING_SUM, LossPolicy::RELIABLE})
    {
        EXPECT_FALSE(refused([&](RunOptions& s) { s.lossPolicy = policy; }));
    }
    EXPECT_FALSE(refused([](RunOptions& s) { s.payloadBytes = true; }));
    EXPECT_FALSE(refused([](RunOptions& s) { s.fail = {"node 1 pause at 1s for 1s"}; }));
    const std::string endless = "link * flap up=1s down=10ms from 0s";
    EXPECT_FALSE(refused([&](RunOptions& s) { s.fail = {endless}; }));
    EXPECT_TRUE(refused([&](RunOptions& s) {
        s.fail = {endless};
        s.deadline.kind = Deadline::Kind::NONE;
    }));
    for (const std::string hyper : {"", "oracle=1", "measureEvery=3"})
    {
        const bool isMeasured = !hyper.empty();
        EXPECT_EQ(refused([&](RunOptions& s) {
                      s.algorithm = "dpps";
                      s.mode = Mode::PAPER;
                      s.hyper = hyper;
                  }),
                  isMeasured);
    }
    EXPECT_TRUE(refused([](RunOptions& s) { s.algorithm = "r-fast"; }));
    EXPECT_FALSE(refused([](RunOptions& s) { s.algorithm = "divshare"; }));
    NetworkFacts many;
    many.part = {0, 8};
    EXPECT_NE(ErrorOf(InMessages(), many).find("at most 7"), std::string::npos);
}

} // namespace
} // namespace dpdl
