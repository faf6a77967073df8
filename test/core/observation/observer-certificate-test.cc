// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/random.h"
#include "dpdl/observation/observer-certificate.h"
#include "dpdl/privacy/gdp.h"
#include "dpdl/topology/topologies.h"
#include "synthetic-run.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <tuple>

namespace dpdl
{
namespace
{

AccountantCache
ExactAccountant(const ObservedRun& run)
{
    AccountingQuery question;
    question.delta = run.delta;
    return {Accountants().Get("gdp"), question};
}

ObserverCertificate
CertificateOf(const ObservedRun& run, const std::string& spec, NodeId target)
{
    const Observer who = ParseObserver(spec, run.releases.size());
    AccountantCache accountant = ExactAccountant(run);
    return CertifyFor(run, PhaseKnowledge(run, who), who, target, accountant);
}

/// One noisy input of each node.
void
KeepOneInput(ObservedRun& run)
{
    KeepPhases(run, run.rounds);
}

/// What becomes of the messages of a link from some round on, until some round.
void
Lose(ObservedRun& run,
     NodeId source,
     NodeId target,
     const std::vector<Round>& rounds,
     std::optional<Round> repaired = {})
{
    for (Delivery& message : run.deliveries)
    {
        if (message.source == source && message.target == target &&
            std::count(rounds.begin(), rounds.end(), message.round) > 0)
        {
            message.fate = DeliveryFate::LOST;
            message.arrivedAt.reset();
            message.usedInRound = repaired;
        }
    }
}

/// Three nodes in a directed ring for two rounds, seen by node 0, which hears node 2 alone.
ObservedRun
Ring3(const std::vector<Round>& lost, bool isRepaired = false)
{
    ObservedRun run = SyntheticRun(3, 2, DirectedRing(3));
    run.sums = isRepaired;
    Lose(run, 2, 0, lost, isRepaired ? std::optional<Round>(1) : std::nullopt);
    return run;
}

double
MuOf(const ObservedRun& run, const std::string& spec, NodeId target)
{
    const NetworkObserver observer(run, ParseObserver(spec, run.releases.size()));
    return std::sqrt(observer.View(target).muSquared);
}

struct OneInputCase
{
    std::vector<Round> lost;
    bool isRepaired;
    double first;  ///< mu of target 1
    double second; ///< mu of target 2
};

const std::vector<OneInputCase> RING3{{{}, false, 1.0, 1.0},
                                      {{0}, false, std::sqrt(0.5), std::sqrt(0.5)},
                                      {{1}, false, 0.0, 1.0},
                                      {{0}, true, std::sqrt(0.1), std::sqrt(0.9)}};

TEST(ObserverCertificate, OneInputOfThreeNodesInARing)
{
    for (const OneInputCase& one : RING3)
    {
        ObservedRun run = Ring3(one.lost, one.isRepaired);
        KeepOneInput(run);
        for (const auto& [target, mu] : {std::pair(1U, one.first), std::pair(2U, one.second)})
        {
            EXPECT_NEAR(MuOf(run, "node:0", target), mu, 1e-10);
            const ObserverCertificate proven = CertificateOf(run, "node:0", target);
            EXPECT_NEAR(proven.guarantee.epsilon, GdpEpsilon(mu, run.delta), 1e-9);
            EXPECT_EQ(proven.statement, mu == 1.0 ? "all-states" : "one-input");
        }
    }
}

TEST(ObserverCertificate, TwoStepsOfThreeNodesInARingStayAWhatIf)
{
    const std::pair<ObservedRun, std::pair<double, double>> cases[] = {
        {Ring3({}), {std::sqrt(0.2), std::sqrt(1.8)}},
        {Ring3({0}), {std::sqrt(1.0 / 6.0), std::sqrt(1.5)}}};
    for (const auto& [run, mu] : cases)
    {
        EXPECT_NEAR(MuOf(run, "node:0", 1), mu.first, 1e-10);
        EXPECT_NEAR(MuOf(run, "node:0", 2), mu.second, 1e-10);
        for (const NodeId target : {1U, 2U})
        {
            const ObserverCertificate proven = CertificateOf(run, "node:0", target);
            EXPECT_EQ(proven.statement, "all-states");
            EXPECT_NEAR(proven.guarantee.epsilon, GdpEpsilon(std::sqrt(2.0), run.delta), 1e-9);
        }
    }
}

TEST(ObserverCertificate, AHypercubeHalvesMuSquaredWithEveryPhase)
{
    const auto graphs = MakeGraphSequence("hypercube", 16, {});
    ObservedRun run = SyntheticRun(16, 4, [&](NodeId node, Round round) {
        return graphs->OutNeighbours(node, round);
    });
    KeepOneInput(run);
    const NetworkObserver observer(run, ParseObserver("node:0", 16));
    double sum = 0.0;
    for (const TargetView& view : observer.Views())
    {
        Round met = 0;
        while ((view.target >> (met + 1)) > 0)
        {
            ++met;
        }
        EXPECT_NEAR(view.muSquared, std::exp2(-static_cast<double>(met)), 1e-10) << view.target;
        sum += view.muSquared;
    }
    EXPECT_NEAR(sum, 4.0, 1e-10);
    EXPECT_EQ(observer.Knowledge().Rank(), 4u);
}

/// Sixteen nodes, three phases of a step and a full period of a hypercube.
ObservedRun
ThreePhases(const char* topology = "hypercube")
{
    const auto graphs = MakeGraphSequence(topology, 16, {});
    ObservedRun run = SyntheticRun(16, 12, [&](NodeId node, Round round) {
        return graphs->OutNeighbours(node, round);
    });
    KeepPhases(run, 4);
    return run;
}

TEST(ObserverCertificate, PhasesThatEndInTheExactAverageCompose)
{
    const ObservedRun run = ThreePhases();
    for (const auto& [target, part] :
         {std::pair(2U, 0.5), std::pair(7U, 0.25), std::pair(8U, 0.125)})
    {
        const ObserverCertificate proven = CertificateOf(run, "node:0", target);
        EXPECT_EQ(proven.statement, "phases");
        EXPECT_EQ(proven.releases, 3u);
        EXPECT_NEAR(proven.guarantee.epsilon, GdpEpsilon(std::sqrt(3.0 * part), run.delta), 1e-9);
    }
    EXPECT_EQ(CertificateOf(run, "node:0", 1).statement, "all-states") << "its first partner";
}

TEST(ObserverCertificate, NumbersDrawnAnewGiveEveryTargetTheRolesOfItsPhases)
{
    const ObservedRun run = ThreePhases("permuted-hypercube");
    const auto graphs = MakeGraphSequence("permuted-hypercube", 16, {});
    std::vector<double> squares(16, 0.0);
    for (Round round = 0; round < 12; ++round)
    {
        // The 2^s nodes whose inputs are first in what node 0 hears in round s of a phase.
        std::vector<NodeId> senders = graphs->InNeighbours(0, round);
        for (Round before = round; before % 4 > 0; --before)
        {
            for (std::size_t i = senders.size(); i > 0; --i)
            {
                senders.push_back(graphs->InNeighbours(senders[i - 1], before - 1)[0]);
            }
        }
        for (const NodeId sender : senders)
        {
            squares[sender] += 1.0 / static_cast<double>(senders.size());
        }
    }
    EXPECT_NEAR(std::accumulate(squares.begin(), squares.end(), 0.0), 12.0, 1e-12);
    for (NodeId target = 1; target < 16; ++target)
    {
        const ObserverCertificate proven = CertificateOf(run, "node:0", target);
        EXPECT_NEAR(proven.guarantee.epsilon,
                    GdpEpsilon(std::sqrt(squares[target]), run.delta),
                    1e-9);
    }
}

TEST(ObserverCertificate, APhaseWithALossGrantsItsEndAndLeavesOtherPhasesAlone)
{
    const ObservedRun exact = ThreePhases();
    ObservedRun run = exact;
    Lose(run, 10, 8, {5});
    for (const NodeId target : {2U, 7U, 8U})
    {
        const ObserverCertificate proven = CertificateOf(run, "node:0", target);
        EXPECT_EQ(proven.statement, "phases");
        EXPECT_GE(proven.guarantee.epsilon,
                  CertificateOf(exact, "node:0", target).guarantee.epsilon - 1e-9);
        // At most one of the three phases is seen as by an observer of everything.
        const double least = target == 2 ? 0.5 : (target == 7 ? 0.25 : 0.125);
        EXPECT_LE(proven.guarantee.epsilon,
                  GdpEpsilon(std::sqrt(2.0 * least + 1.0), run.delta) + 1e-9);
    }
}

/// Eight nodes in an undirected ring, one input and six rounds with momentum.
ObservedRun
AcceleratedRing()
{
    ObservedRun run = SyntheticRun(8, 6, UndirectedRing(8));
    KeepOneInput(run);
    run.momentum = 1.4;
    return run;
}

TEST(ObserverCertificate, OutsideItsProofAcceleratedGossipKeepsTheWholeLedger)
{
    // A sum has 1 / sqrt(8) of the noise, and may be 1.8 sqrt(8) = 5.1 times as large.
    const double least = std::sqrt(8.0) * 1024.0 * 0x1p-21;
    const std::function<void(ObservedRun&)> changes[] = {
        [](ObservedRun& run) { run.releases[3].clear(); },
        [](ObservedRun& run) { run.deliveries[9].usedInRound.reset(); },
        [](ObservedRun& run) { run.deliveries[9].usedInRound = 1; },
        [least](ObservedRun& run) { run.noiseInState = 0.99 * least; }};
    for (const auto& change : changes)
    {
        ObservedRun run = AcceleratedRing();
        run.largestState = 1.0;
        run.noiseInState = 1.01 * least;
        EXPECT_EQ(CertificateOf(run, "final:0", 1).statement, "one-input");
        change(run);
        EXPECT_EQ(CertificateOf(run, "final:0", 1).statement, "all-states");
    }
}

TEST(ObserverCertificate, DirectionsThatGossipHidesFromDoublesCountAsSeen)
{
    for (const Round rounds : {2U, 10U, 40U, 400U})
    {
        // No mixing of this ring loses a direction, an exact average loses all but one at once.
        ObservedRun run = SyntheticRun(7, rounds, UndirectedRing(7));
        KeepOneInput(run);
        EXPECT_EQ(CertificateOf(run, "final", 1).statement, "all-states") << rounds;
        ObservedRun exact = SyntheticRun(7, rounds, Complete(7));
        KeepOneInput(exact);
        const ObserverCertificate proven = CertificateOf(exact, "final", 1);
        EXPECT_NEAR(proven.guarantee.epsilon, GdpEpsilon(std::sqrt(1.0 / 7.0), run.delta), 1e-9);
    }
}

TEST(ObserverCertificate, ANodeThatCrashedMayHaveLostItsStateAndLeavesNoPhase)
{
    ObservedRun run = ThreePhases();
    run.crashed = true;
    EXPECT_EQ(CertificateOf(run, "node:0", 8).statement, "all-states");
}

TEST(ObserverCertificate, MassThatIsMixedInALaterPhaseIsNoPhase)
{
    ObservedRun run = ThreePhases();
    for (Delivery& message : run.deliveries)
    {
        if (message.round == 3 && message.source == 5)
        {
            message.fate = DeliveryFate::LATE;
            message.usedInRound = 4;
        }
    }
    for (const NodeId target : {2U, 7U, 8U})
    {
        EXPECT_EQ(CertificateOf(run, "node:0", target).statement, "all-states");
    }
}

TEST(ObserverCertificate, SumsThatFloatsDoNotShowAreNoLinearMaps)
{
    // Of 16 nodes: a sum has at least a quarter of the noise.
    const double least = 4.0 * 1024.0 * 0x1p-23;
    for (const auto& [noise, largest, statement] :
         {std::tuple(least, 1.9, "phases"),
          {0.99 * least, 1.9, "all-states"},
          {1.99 * least, 2.0, "all-states"},
          {2.0 * least, 2.0, "phases"},
          {1.0, std::numeric_limits<double>::infinity(), "all-states"},
          {0.0, 1.0, "all-states"}})
    {
        ObservedRun run = ThreePhases();
        run.noiseInState = noise;
        run.largestState = largest;
        const ObserverCertificate proven = CertificateOf(run, "node:0", 8);
        EXPECT_EQ(proven.statement, statement) << noise << " " << largest;
        EXPECT_EQ(proven.reason.find("survive float32") == std::string::npos,
                  proven.statement == "phases");
    }
}

TEST(ObserverCertificate, LossOfMessagesNeverRaisesWhatOneInputTells)
{
    const RandomStream stream({7, 4}, RandomPurpose::TEST, 0, 0);
    ObservedRun run = SyntheticRun(6, 5, UndirectedRing(6));
    KeepOneInput(run);
    // All are damaged on the way: read, but not mixed. Then more and more of them get lost.
    for (Delivery& message : run.deliveries)
    {
        message.fate = DeliveryFate::CORRUPT;
        message.usedInRound.reset();
    }
    std::vector<double> before(6, 1.0);
    for (std::uint64_t i = 0; i < 40; ++i)
    {
        run.deliveries[stream.Integer(i, static_cast<std::uint32_t>(run.deliveries.size()))].fate =
            DeliveryFate::LOST;
        for (NodeId target = 1; target < 6; ++target)
        {
            const double mu = MuOf(run, "node:0", target);
            EXPECT_LE(mu, before[target] + 1e-12);
            before[target] = mu;
        }
    }
}

TEST(ObserverCertificate, RunningSumsTellNoMoreThanTheirTerms)
{
    ObservedRun run = SyntheticRun(6, 12, UndirectedRing(6));
    for (Delivery& message : run.deliveries)
    {
        if (message.round % 3 != 2)
        {
            message.fate = DeliveryFate::LOST;
            message.arrivedAt.reset();
            message.usedInRound = message.round - message.round % 3 + 2;
        }
    }
    ObservedRun sums = run;
    sums.sums = true;
    const NetworkObserver terms(run, ParseObserver("nodes:0,3", 6));
    const NetworkObserver known(sums, ParseObserver("nodes:0,3", 6));
    EXPECT_LT(known.Knowledge().Rank(), terms.Knowledge().Rank());
    for (const NodeId target : {1U, 2U, 4U, 5U})
    {
        EXPECT_LE(known.View(target).meanStep, terms.View(target).meanStep + 1e-10);
        EXPECT_EQ(NetworkObserver(sums, ParseObserver("link:1->0", 6)).View(2).muSquared,
                  NetworkObserver(run, ParseObserver("link:1->0", 6)).View(2).muSquared);
    }
}

TEST(ObserverCertificate, StepsAfterTheLastMessageThatArrivedCostNothing)
{
    for (Round last = 0; last < 7; ++last)
    {
        ObservedRun run = SyntheticRun(5, 8, DirectedRing(5));
        std::vector<Round> lost;
        for (Round round = last + 1; round < 8; ++round)
        {
            lost.push_back(round);
        }
        Lose(run, 2, 3, lost);
        double muSquared = 0.0;
        for (Round round = 0; round < 8; ++round)
        {
            SetNoise(run, 2, round, 1.0 + 0.1 * round);
            muSquared += round <= last ? std::pow(1.0 + 0.1 * round, -2.0) : 0.0;
        }
        // All others together see what anyone can have seen.
        const NetworkObserver others(run, ParseObserver("nodes:0,1,3,4", 5));
        const ObserverCertificate proven = CertificateOf(run, "nodes:0,1,3,4", 2);
        EXPECT_EQ(proven.statement, "suffix");
        EXPECT_EQ(proven.releases, others.View(2).rounds);
        const double epsilon = GdpEpsilon(std::sqrt(muSquared), run.delta);
        EXPECT_NEAR(proven.guarantee.epsilon, epsilon, 1e-8 * epsilon);
        EXPECT_EQ(CertificateOf(run, "link:3->4", 2).releases, last + 1u);
        EXPECT_EQ(CertificateOf(run, "final:3", 2).releases, last + 1u);
        // Those who listen at the node, or are given its model, know the rest as well.
        for (const char* spec : {"link:2->3", "final:2", "final"})
        {
            EXPECT_EQ(CertificateOf(run, spec, 2).statement, "all-states") << spec;
        }
        run.isTimed = true;
        EXPECT_EQ(CertificateOf(run, "nodes:0,1,3,4", 2).statement, "all-states");
    }
}

TEST(ObserverCertificate, ARepairedLossIsHeardAndANodeThatNobodyHeardCostsNothing)
{
    ObservedRun run = SyntheticRun(4, 6, DirectedRing(4));
    Lose(run, 1, 2, {0, 1, 2, 3, 4, 5});
    const ObserverCertificate silent = CertificateOf(run, "node:2", 1);
    EXPECT_EQ(silent.guarantee.epsilon, 0.0);
    EXPECT_EQ(silent.releases, 0u);
    Lose(run, 1, 2, {3}, 4);
    EXPECT_EQ(CertificateOf(run, "node:2", 1).releases, 4u);
}

TEST(ObserverCertificate, NoiseThatIsSharedOrChosenFromDataKeepsTheWholeLedger)
{
    for (const ReleaseFlag flag :
         {ReleaseFlag::CORRELATED_NOISE, ReleaseFlag::DATA_DEPENDENT_SCALE})
    {
        ObservedRun run = SyntheticRun(4, 6, DirectedRing(4));
        Lose(run, 1, 2, {3, 4, 5});
        EXPECT_EQ(CertificateOf(run, "node:2", 1).releases, 3u);
        run.releases[3][2] = run.releases[3][2].WithFlags(flag);
        EXPECT_EQ(CertificateOf(run, "node:2", 1).releases, 6u) << "another node's noise";
    }
}

TEST(ObserverCertificate, ATrustedServersIsForNoObserverOfMessages)
{
    ObservedRun run = SyntheticRun(4, 6, Complete(4));
    run.releases[3][2] = run.releases[3][2].WithFlags(ReleaseFlag::TRUSTED_SERVER);
    EXPECT_EQ(CertificateOf(run, "node:2", 1).statement, "none");
    EXPECT_EQ(CertificateOf(run, "link:1->2", 1).statement, "none");
}

TEST(ObserverCertificate, MoreColludersThanAreAllowedForHaveNone)
{
    ObservedRun run = SyntheticRun(4, 6, Complete(4));
    run.colluders = 1.0;
    EXPECT_EQ(CertificateOf(run, "node:2", 1).statement, "all-states");
    EXPECT_EQ(CertificateOf(run, "final", 1).statement, "all-states");
    const ObserverCertificate proven = CertificateOf(run, "nodes:2,3", 1);
    EXPECT_EQ(proven.statement, "none");
    EXPECT_TRUE(std::isinf(proven.guarantee.epsilon));
    EXPECT_NE(proven.reason.find("colluders"), std::string::npos);
    run.leakers = 1;
    EXPECT_EQ(CertificateOf(run, "final", 1).statement, "all-states");
    EXPECT_EQ(CertificateOf(run, "node:2", 1).statement, "none");
    run.leakers = 2;
    EXPECT_EQ(CertificateOf(run, "final", 1).statement, "none");
}

} // namespace
} // namespace dpdl
