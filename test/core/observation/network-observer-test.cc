// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/privacy/gdp.h"
#include "synthetic-run.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

TargetView
ViewOf(const ObservedRun& run, const std::string& observer, NodeId target)
{
    return NetworkObserver(run, ParseObserver(observer, run.releases.size())).View(target);
}

/// The largest value of a field over the views.
double
Largest(const std::vector<TargetView>& views, double TargetView::*field)
{
    double largest = 0.0;
    for (const TargetView& view : views)
    {
        largest = std::max(largest, view.*field);
    }
    return largest;
}

/// Nothing of @p less exceeds the same of @p more.
void
ExpectKnowsNoMore(const TargetView& less, const TargetView& more)
{
    constexpr double ROUNDING = 1e-10;
    EXPECT_LE(less.meanStep, more.meanStep + ROUNDING);
    EXPECT_LE(less.worstStep, more.worstStep + ROUNDING);
    EXPECT_LE(less.singleMuSquared, more.singleMuSquared + ROUNDING);
}

struct Case
{
    const char* name;
    Targets targets;
    std::size_t rank;
    double mean;      ///< over targets and steps
    double worstMean; ///< of the target that is seen best
};

TEST(NetworkObserver, NodeZeroOfTwentyInSixtyRounds)
{
    // rank / (K (n - 1)), and the share of the target's steps that its best watched target loses.
    const Case cases[] = {{"directed ring", DirectedRing(20), 60, 1.0 / 19, 0.682},
                          {"undirected ring", UndirectedRing(20), 120, 2.0 / 19, 0.868},
                          {"exponential", Exponential(20), 60, 1.0 / 19, 0.168},
                          {"complete", Complete(20), 1140, 1.0, 1.0}};
    for (const Case& one : cases)
    {
        const ObservedRun run = SyntheticRun(20, 60, one.targets);
        const NetworkObserver observer(run, ParseObserver("node:0", 20));
        EXPECT_EQ(observer.Knowledge().Rank(), one.rank) << one.name;
        EXPECT_EQ(observer.Inputs(), 1140u);
        const std::vector<TargetView> views = observer.Views();
        ASSERT_EQ(views.size(), 19u);
        double sum = 0.0;
        for (const TargetView& view : views)
        {
            sum += view.meanStep / 19.0;
        }
        EXPECT_NEAR(sum, one.mean, 1e-9) << one.name;
        EXPECT_NEAR(Largest(views, &TargetView::meanStep), one.worstMean, 5e-4) << one.name;
        EXPECT_NEAR(Largest(views, &TargetView::worstStep), 1.0, 1e-9) << one.name;
    }
}

TEST(NetworkObserver, TenHopsAwayLittleIsSeen)
{
    const ObservedRun run = SyntheticRun(20, 60, UndirectedRing(20));
    const TargetView view = ViewOf(run, "node:0", 10);
    EXPECT_NEAR(view.meanStep, 1.42e-4, 1e-6);
    EXPECT_LT(view.rounds, 60u);
    EXPECT_LT(view.epsilon, 0.1 * view.localEpsilon);
}

TEST(NetworkObserver, TheLastStepsOfOthersThanNeighboursCannotBeSeenYet)
{
    const ObservedRun run = SyntheticRun(6, 10, DirectedRing(6));
    for (NodeId target = 1; target < 6; ++target)
    {
        // The message of round k carries what was done d hops away up to round k - (d - 1).
        EXPECT_EQ(ViewOf(run, "node:0", target).rounds, 10u - (5 - target)) << target;
    }
}

TEST(NetworkObserver, EveryoneElseTogetherKnowsWhatTheLocalViewKnows)
{
    for (const Targets& targets : {DirectedRing(5), UndirectedRing(5), Exponential(5)})
    {
        ObservedRun run = SyntheticRun(5, 12, targets);
        for (Round round = 0; round < 12; ++round)
        {
            SetNoise(run, 2, round, 1.0 + 0.1 * round);
        }
        const TargetView view = ViewOf(run, "nodes:0,1,3,4", 2);
        EXPECT_EQ(view.rounds, 12u);
        EXPECT_NEAR(view.Ratio(), 1.0, 1e-9);
        EXPECT_NEAR(view.meanStep, 1.0, 1e-9);
        EXPECT_NEAR(view.epsilon, view.localEpsilon, 1e-8 * view.localEpsilon);
        EXPECT_NEAR(view.singleMuSquared, 1.0, 1e-9);
    }
}

TEST(NetworkObserver, TheLinkKnowsNoMoreThanTheNodeThatItLeadsTo)
{
    for (const Targets& targets : {DirectedRing(7), UndirectedRing(7), Exponential(7)})
    {
        const ObservedRun run = SyntheticRun(7, 15, targets);
        for (NodeId target = 0; target < 7; ++target)
        {
            if (target != 4)
            {
                ExpectKnowsNoMore(ViewOf(run, "link:3->4", target), ViewOf(run, "node:4", target));
            }
        }
    }
}

TEST(NetworkObserver, LargerCoalitionsKnowNoLess)
{
    const ObservedRun run = SyntheticRun(8, 16, Exponential(8));
    std::string members = "nodes:0";
    for (const char* next : {",3", ",5", ",6", ",1"})
    {
        const std::string more = members + next;
        for (const NodeId target : {2U, 4U, 7U})
        {
            ExpectKnowsNoMore(ViewOf(run, members, target), ViewOf(run, more, target));
        }
        members = more;
    }
}

TEST(NetworkObserver, MessagesThatDoNotArriveTellNothing)
{
    ObservedRun run = SyntheticRun(6, 12, UndirectedRing(6));
    for (Delivery& message : run.deliveries)
    {
        if ((message.round + message.source + 2 * message.target) % 3 == 0)
        {
            message.usedInRound.reset();
            message.fate = DeliveryFate::CORRUPT;
        }
    }
    ObservedRun lost = run;
    for (Delivery& message : lost.deliveries)
    {
        message.fate = message.usedInRound.has_value() ? message.fate : DeliveryFate::LOST;
    }
    bool less = false;
    for (NodeId target = 1; target < 6; ++target)
    {
        // The same mass is mixed in both; what is damaged may have been read nevertheless.
        const TargetView unheard = ViewOf(lost, "node:0", target);
        const TargetView heard = ViewOf(run, "node:0", target);
        ExpectKnowsNoMore(unheard, heard);
        less = less || unheard.meanStep < heard.meanStep - 1e-3;
        EXPECT_EQ(ViewOf(lost, "link:1->0", target).muSquared,
                  ViewOf(run, "link:1->0", target).muSquared);
    }
    EXPECT_TRUE(less);
}

TEST(NetworkObserver, NamesOfNodesDoNotMatter)
{
    const std::vector<NodeId> renamed{3, 5, 0, 1, 6, 2, 4};
    ObservedRun run = SyntheticRun(7, 14, Exponential(7));
    for (Round round = 0; round < 14; ++round)
    {
        SetNoise(run, 1, round, 2.5);
        run.deliveries[3 * round].fate = DeliveryFate::LOST;
        run.deliveries[3 * round].usedInRound.reset();
    }
    ObservedRun other = run;
    for (NodeId node = 0; node < 7; ++node)
    {
        std::vector<Release> releases;
        for (const Release& release : run.releases[node])
        {
            Release fields = release;
            fields.node = renamed[node];
            releases.emplace_back(fields);
        }
        other.releases[renamed[node]] = releases;
    }
    for (Delivery& message : other.deliveries)
    {
        message.source = renamed[message.source];
        message.target = renamed[message.target];
    }
    std::reverse(other.deliveries.begin(), other.deliveries.end());
    for (NodeId target = 1; target < 7; ++target)
    {
        const TargetView view = ViewOf(run, "node:0", target);
        const TargetView same = ViewOf(other, "node:3", renamed[target]);
        EXPECT_NEAR(view.muSquared, same.muSquared, 1e-10);
        EXPECT_NEAR(view.meanStep, same.meanStep, 1e-10);
        EXPECT_EQ(view.rounds, same.rounds);
    }
}

TEST(NetworkObserver, AFinalModelHidesANodeInTheNoiseOfAll)
{
    ObservedRun run = SyntheticRun(3, 1, Complete(3));
    const double noise[] = {1.0, 2.0, 3.0};
    for (NodeId node = 0; node < 3; ++node)
    {
        SetNoise(run, node, 0, noise[node], 0.5);
    }
    for (const char* observer : {"final", "final:1"})
    {
        const NetworkObserver knowledge(run, ParseObserver(observer, 3));
        EXPECT_EQ(knowledge.Knowledge().Rank(), 1u);
        for (NodeId node = 0; node < 3; ++node)
        {
            // The mean of the three is seen: sensitivity 0.5, noise of variance 14.
            const TargetView view = knowledge.View(node);
            EXPECT_NEAR(view.muSquared, 0.25 / 14.0, 1e-15);
            EXPECT_NEAR(view.epsilon, GdpEpsilon(std::sqrt(0.25 / 14.0), run.delta), 1e-12);
            EXPECT_NEAR(view.localMuSquared, 0.25 / (noise[node] * noise[node]), 1e-15);
        }
    }
}

TEST(NetworkObserver, TheFinalModelsTellNoMoreThanAllMessagesOfTheLastRounds)
{
    const ObservedRun run = SyntheticRun(6, 10, Exponential(6));
    const NetworkObserver final(run, ParseObserver("final", 6));
    EXPECT_LE(final.Knowledge().Rank(), 6u);
    for (const TargetView& view : final.Views())
    {
        EXPECT_LT(view.Ratio(), 1.0);
        ExpectKnowsNoMore(ViewOf(run, "final:2", view.target), view);
    }
}

TEST(NetworkObserver, WhatHasNoGuaranteeHasNoWhatIfAndHidesNoNode)
{
    ObservedRun run = SyntheticRun(4, 8, DirectedRing(4));
    const TargetView before = ViewOf(run, "node:0", 2);
    SetNoise(run, 3, 5, 0.0);
    const TargetView open = ViewOf(run, "node:0", 3);
    EXPECT_TRUE(std::isinf(open.epsilon));
    EXPECT_TRUE(std::isinf(open.muSquared));
    EXPECT_NE(open.reason.find("node 3, round 5"), std::string::npos);
    const TargetView after = ViewOf(run, "node:0", 2);
    EXPECT_TRUE(std::isfinite(after.epsilon));
    EXPECT_GT(after.meanStep, before.meanStep);

    Release fields = run.releases[1][0];
    fields.mechanism = "laplace";
    run.releases[1][0] = fields;
    EXPECT_NE(ViewOf(run, "node:0", 1).reason.find("Gaussian"), std::string::npos);
}

TEST(NetworkObserver, AReleaseThatNoExampleMovesTellsNothing)
{
    ObservedRun run = SyntheticRun(4, 8, DirectedRing(4));
    for (Round round = 0; round < 8; ++round)
    {
        SetNoise(run, 3, round, 1.0, 0.0);
    }
    EXPECT_EQ(ViewOf(run, "node:0", 3).localMuSquared, 0.0);
    EXPECT_EQ(ViewOf(run, "node:0", 3).epsilon, 0.0);
}

TEST(NetworkObserver, FewerRoundsAreTheKnowledgeOfThatTime)
{
    ObservedRun run = SyntheticRun(5, 12, UndirectedRing(5));
    ObservedRun shorter = SyntheticRun(5, 7, UndirectedRing(5));
    run.rounds = 7;
    EXPECT_EQ(ViewOf(run, "node:0", 2).muSquared, ViewOf(shorter, "node:0", 2).muSquared);
    // Knowing what was done before only helps.
    shorter.firstRound = 4;
    const TargetView later = ViewOf(shorter, "node:0", 2);
    EXPECT_EQ(later.localMuSquared, 3.0);
    EXPECT_LE(later.rounds, 3u);
    EXPECT_GT(later.muSquared, 0.0);
}

TEST(NetworkObserver, AStepWithoutReleaseIsNoInput)
{
    ObservedRun run = SyntheticRun(4, 6, DirectedRing(4));
    run.releases[2].resize(2, run.releases[2].front());
    const NetworkObserver observer(run, ParseObserver("node:3", 4));
    EXPECT_EQ(observer.Inputs(), 6u + 6u + 2u);
    EXPECT_EQ(observer.View(2).localMuSquared, 2.0);
}

TEST(NetworkObserver, RefusesWhatItCannotFollow)
{
    const Observer node = ParseObserver("node:0", 4);
    ObservedRun twice = SyntheticRun(4, 3, DirectedRing(4));
    twice.releases[1].push_back(twice.releases[1].front());
    EXPECT_THROW((NetworkObserver{twice, node}), UsageError);
    ObservedRun impossible = SyntheticRun(4, 3, DirectedRing(4));
    impossible.deliveries[5].usedInRound = 0;
    EXPECT_THROW((NetworkObserver{impossible, node}), UsageError);
    const ObservedRun large = SyntheticRun(4, 751, DirectedRing(4));
    EXPECT_THROW((NetworkObserver{large, node}), UsageError);
}

TEST(NetworkObserver, TracesAddUpToTheRankUnderHeavyLoss)
{
    for (const bool byWeight : {true, false})
    {
        ObservedRun run = SyntheticRun(6, 40, Complete(6));
        run.byWeight = byWeight;
        for (std::size_t i = 0; i < run.deliveries.size(); ++i)
        {
            if (i * 7919 % 10 < 4)
            {
                run.deliveries[i].fate = DeliveryFate::LOST;
                run.deliveries[i].usedInRound.reset();
            }
        }
        // The constructor checks the identity.
        const NetworkObserver observer(run, ParseObserver("node:0", 6));
        for (const TargetView& view : observer.Views())
        {
            EXPECT_LE(view.Ratio(), 1.0 + 1e-12);
            EXPECT_GE(view.muSquared, view.singleMuSquared - 1e-12);
        }
    }
}

} // namespace
} // namespace dpdl
