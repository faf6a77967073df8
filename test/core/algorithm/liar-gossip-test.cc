// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "gossip-run.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <string>

namespace dpdl
{
namespace
{

const Lie FLIP{LieKind::SIGN_FLIP, 0.0};

/// Draws one number after the other.
class LiarDraws
{
  public:
    explicit LiarDraws(std::uint32_t number)
        : m_stream({1, 1}, RandomPurpose::TEST, number, 77)
    {
    }

    std::uint32_t Below(std::uint32_t bound)
    {
        return m_stream.Integer(m_next++, bound);
    }

    template <typename T>
    T Pick(const std::vector<T>& choices)
    {
        return choices[Below(static_cast<std::uint32_t>(choices.size()))];
    }

  private:
    RandomStream m_stream;
    std::uint64_t m_next{0};
};

const std::vector<Lie> ANY_LIE{{LieKind::NONE, 0.0},
                               FLIP,
                               {LieKind::LABEL_FLIP, 0.0},
                               {LieKind::NOISE, 3.0},
                               {LieKind::STALE, 0.0},
                               {LieKind::ZERO, 0.0}};

/// A message's fate, by chance.
Fate
DrawFate(LiarDraws& draws)
{
    return draws.Pick<Fate>({Fate::ARRIVE, Fate::ARRIVE, Fate::LOSE, Fate::HOLD, Fate::DAMAGE});
}

TEST(LiarGossip, MassIsConservedUnderEveryLieRuleAndLoss)
{
    for (std::uint32_t number = 0; number < 1000; ++number)
    {
        LiarDraws draws(number);
        const auto graph = draws.Pick<std::string>({"complete", "exponential", "lollipop"});
        const auto policy = draws.Pick<LossPolicy>({LossPolicy::NONE,
                                                    LossPolicy::RUNNING_SUM,
                                                    LossPolicy::REFUND,
                                                    LossPolicy::RENORMALISE});
        const auto chunk = draws.Pick<std::size_t>({0, 3});
        GossipRun run(MakeGraph(graph, 6), 8, policy, chunk);
        run.MixBy(draws.Pick<MixRule>(
            {{}, {MixRule::Kind::TRIMMED, 1, 0.0}, {MixRule::Kind::CLIPPED, 0, 0.3}}));
        double lied = 0.0;
        for (Round round = 0; round < 8; ++round)
        {
            for (NodeId node = 0; node < 3; ++node)
            {
                run.At(node).SetLie(draws.Pick(ANY_LIE));
            }
            run.Step([&](const Share& share) {
                lied += share.isLie ? share.mass.ToDouble() / run.Chunks().Count() : 0.0;
                return DrawFate(draws);
            });
            ASSERT_LT(std::abs(run.Mass().Error()), 1e-12) << number << " " << round;
        }
        ASSERT_NEAR(run.Mass().Lied(), lied, 1e-12 * (1.0 + lied)) << number;
    }
}

TEST(LiarGossip, TheSumOfTheModelsMovesByWhatLiesLeaveOut)
{
    for (const Lie& lie : ANY_LIE)
    {
        GossipRun run(MakeGraph(UNBALANCED, 5), 1, LossPolicy::NONE);
        run.At(3).SetLie(lie);
        std::vector<double> expected = run.InitialMean();
        std::size_t lies = 0;
        run.Step([&](const Share& share) {
            lies += share.isLie ? 1 : 0;
            for (std::size_t i = 0; share.isLie && i < expected.size(); ++i)
            {
                const double told = share.z->Data()[i] - run.Initial()[3][i];
                expected[i] += share.mass.ToDouble() * told / 5.0;
            }
            return Fate::ARRIVE;
        });
        const std::vector<double> mean = run.Mean(run.Finish());
        for (std::size_t i = 0; i < mean.size(); ++i)
        {
            EXPECT_NEAR(mean[i], expected[i], 1e-6);
        }
        // A stale liar's first share is what it has.
        EXPECT_EQ(lies > 0, lie.ChangesShares() && lie.kind != LieKind::STALE);
        EXPECT_NEAR(run.Mass().AtNodes(), 5.0, 1e-12);
    }
}

TEST(LiarGossip, NoiseDependsOnNoData)
{
    std::map<int, std::vector<float>> sent;
    for (const int start : {0, 1})
    {
        GossipRun run(MakeGraph("complete", 4), 1, LossPolicy::NONE);
        run.Start(std::vector<NodeId>{0, start == 0 ? 1U : 17U, 2, 3});
        run.At(1).SetLie({LieKind::NOISE, 0.5});
        run.Step([&](const Share& share) {
            if (share.source == 1)
            {
                sent[start].assign(share.z->Data(), share.z->Data() + share.z->Size());
            }
            return Fate::ARRIVE;
        });
    }
    EXPECT_EQ(sent[0], sent[1]);
}

/// Largest and smallest of what some nodes start with, coordinate by coordinate.
std::pair<std::vector<float>, std::vector<float>>
RangeOf(const GossipRun& run, std::size_t honest)
{
    std::vector<float> low = run.Initial()[0];
    std::vector<float> high = low;
    for (std::size_t node = 1; node < honest; ++node)
    {
        for (std::size_t i = 0; i < low.size(); ++i)
        {
            low[i] = std::min(low[i], run.Initial()[node][i]);
            high[i] = std::max(high[i], run.Initial()[node][i]);
        }
    }
    return {low, high};
}

TEST(LiarGossip, TrimmedMeansStayWithinWhatHonestNodesHad)
{
    for (const std::size_t chunk : {0U, 3U})
    {
        for (const Lie& lie : ANY_LIE)
        {
            GossipRun run(MakeGraph("complete", 9), 10, LossPolicy::RUNNING_SUM, chunk);
            run.MixBy({MixRule::Kind::TRIMMED, 2, 0.0});
            run.At(7).SetLie(lie);
            run.At(8).SetLie(lie);
            for (Round round = 0; round < 10; ++round)
            {
                // A share that is late has its sender's next one beside it: one of them counts.
                run.Step([&](const Share& share) {
                    return share.source > 6 && round % 2 == 0 ? Fate::HOLD : Fate::ARRIVE;
                });
            }
            const auto [low, high] = RangeOf(run, 7);
            const auto states = run.Finish();
            for (NodeId node = 0; node < 7; ++node)
            {
                for (std::size_t i = 0; i < low.size(); ++i)
                {
                    EXPECT_GE(states[node][i], low[i] - 1e-5F);
                    EXPECT_LE(states[node][i], high[i] + 1e-5F);
                }
            }
        }
    }
}

TEST(LiarGossip, ClippingBoundsHowFarAnyoneMovesANode)
{
    GossipRun run(MakeGraph("complete", 5), 1, LossPolicy::NONE);
    run.MixBy({MixRule::Kind::CLIPPED, 0, 0.01});
    run.At(4).SetLie({LieKind::NOISE, 1e3});
    run.Step();
    const auto states = run.Finish();
    for (NodeId node = 0; node < 5; ++node)
    {
        double square = 0.0;
        for (std::size_t i = 0; i < 10; ++i)
        {
            square += std::pow(states[node][i] - run.Initial()[node][i], 2.0);
        }
        EXPECT_LE(std::sqrt(square), 0.01 * 0.8 * (1.0 + 1e-4)); // four fifths come from others
    }
}

TEST(LiarGossip, NamesOfNodesDoNotCount)
{
    const std::vector<NodeId> names{4, 2, 0, 5, 1, 3};
    for (const MixRule& rule :
         {MixRule{MixRule::Kind::TRIMMED, 1, 0.0}, MixRule{MixRule::Kind::CLIPPED, 0, 0.4}})
    {
        GossipRun plain(MakeGraph("complete", 6), 4, LossPolicy::NONE);
        GossipRun renamed(MakeGraph("complete", 6), 4, LossPolicy::NONE);
        renamed.Start(names);
        for (GossipRun* run : {&plain, &renamed})
        {
            run->MixBy(rule);
            run->At(run == &plain ? 5 : 3).SetLie(FLIP);
            for (Round round = 0; round < 4; ++round)
            {
                run->Step();
            }
        }
        const auto expected = plain.Finish();
        const auto found = renamed.Finish();
        for (NodeId node = 0; node < 6; ++node)
        {
            for (std::size_t i = 0; i < 10; ++i)
            {
                EXPECT_NEAR(found[node][i], expected[names[node]][i], 1e-5);
            }
        }
    }
}

} // namespace
} // namespace dpdl
