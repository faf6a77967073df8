// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// An audit of pairwise noise by nodes that collude: they take off the noise that they know.

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/audit/score-test.h"
#include "dpdl/base/correlated-noise.h"
#include "dpdl/privacy/gdp.h"
#include "dpdl/topology/topologies.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

constexpr RandomSeed GAME_SEED{4, 1};
constexpr double GAME_CLIP = 1.0;
constexpr double GAME_DEVIATION = 0.8; // of independent noise that would hide a release as well
constexpr double GAME_DELTA = 1e-2;
constexpr double GAME_CONFIDENCE = 0.999;
constexpr Round GAMES = 60'000; // with the canary, and as many without

/// The noise of a run in which all pairs of nodes share secrets.
NoiseMix
PairMixFor(std::size_t nodes, std::size_t colluders)
{
    const auto graph = MakeGraphSequence("complete", nodes, GAME_SEED);
    const std::string hyper = "kappa=0.05,secrets=1,colluders=" + std::to_string(colluders);
    return MakeAlgorithm("decor", hyper).correlate(*graph, GAMES);
}

/// What colluders know of the noise of a release: the streams that are also theirs.
double
KnownNoise(const NoiseMix& mix, NodeId node, NodeId firstColluder, Round round)
{
    double known = 0.0;
    for (NodeId colluder = firstColluder; colluder < mix.nodes.size(); ++colluder)
    {
        for (const SharedNoise& theirs : mix.nodes[colluder].shared)
        {
            for (const SharedNoise& term : mix.nodes[node].shared)
            {
                if (term.stream == theirs.stream)
                {
                    RandomStream(GAME_SEED, RandomPurpose::SHARED_NOISE, term.stream, round)
                        .AddNormal(&known, 1, GAME_DEVIATION * term.weight);
                }
            }
        }
    }
    return known;
}

/// What the last nodes prove together of an example of node 0, of which they see each release.
/// @param silent how many of the last nodes release nothing
double
Observed(const NoiseMix& mix, NodeId colluders, NodeId silent = 0)
{
    const NodeId seen = static_cast<NodeId>(mix.nodes.size()) - std::max(colluders, silent);
    const NodeId honest = static_cast<NodeId>(mix.nodes.size()) - colluders;
    const auto figure = [&mix](const std::string& name) {
        const auto found = std::find_if(mix.figures.begin(),
                                        mix.figures.end(),
                                        [&name](const auto& one) { return one.first == name; });
        return found->second;
    };
    const double own = figure("noise_own");
    const double pair = figure("noise_pair");
    // Sigma = own^2 I + pair^2 L; of a complete graph Sigma^-1 is a multiple of I + peers 11', also
    // of those of its rows that are seen.
    const double peers = pair * pair / (own * own + (honest - seen) * pair * pair);
    const auto source = MakeCorrelatedNoise(mix, GAME_SEED);
    ScoreSample scores;
    for (Round round = 0; round < 2 * GAMES; ++round)
    {
        const bool withCanary = round % 2 == 1;
        double score = 0.0;
        for (NodeId node = 0; node < seen; ++node)
        {
            double release = node == 0 && withCanary ? GAME_CLIP : 0.0;
            source->AddNoise(&release, 1, {GAME_DEVIATION, 0.0, GAME_CLIP}, node, round);
            const double left = release - KnownNoise(mix, node, honest, round);
            score += (node == 0 ? 1.0 + peers : peers) * left;
        }
        (withCanary ? scores.with : scores.without).push_back(score);
    }
    return TestScores(scores, GAME_DELTA, GAME_CONFIDENCE).epsilon.value;
}

TEST(ColluderAudit, FindsWhatIsCertifiedForThemAndMoreThanForOneLess)
{
    const double certified = GdpEpsilon(GAME_CLIP / GAME_DEVIATION, GAME_DELTA);
    for (NodeId colluders = 0; colluders < 3; ++colluders)
    {
        const NodeId nodes = colluders + 2;
        const double observed = Observed(PairMixFor(nodes, colluders), colluders);
        EXPECT_LE(observed, certified) << colluders;
        EXPECT_GT(observed, 0.8 * certified) << colluders;
        if (colluders > 0)
        {
            EXPECT_GT(Observed(PairMixFor(nodes, colluders - 1), colluders), certified);
        }
    }
}

/// What is certified of node 0 where the last nodes release nothing.
double
CertifiedAsSent(const NoiseMix& mix, NodeId silent)
{
    std::vector<bool> released(mix.nodes.size(), true);
    std::fill_n(released.rbegin(), silent, false);
    const double exposure = MakeCorrelatedNoise(mix, GAME_SEED)->Exposure(released, {})[0];
    return GdpEpsilon(GAME_CLIP / GAME_DEVIATION * std::sqrt(exposure), GAME_DELTA);
}

TEST(ColluderAudit, FindsWhatIsCertifiedAsSentWhereNodesAreSilent)
{
    const double planned = GdpEpsilon(GAME_CLIP / GAME_DEVIATION, GAME_DELTA);
    for (NodeId colluders = 0; colluders < 2; ++colluders)
    {
        // One honest node is silent, and so are all who collude.
        const NodeId silent = colluders + 1;
        const NoiseMix mix = PairMixFor(silent + 2, colluders);
        const double certified = CertifiedAsSent(mix, silent);
        const double observed = Observed(mix, colluders, silent);
        EXPECT_LT(certified, 0.8 * planned);
        EXPECT_LE(observed, certified) << colluders;
        EXPECT_GT(observed, 0.7 * certified) << colluders;
        EXPECT_GT(Observed(mix, colluders + 1, silent), certified) << colluders;
    }
}

} // namespace
} // namespace dpdl
