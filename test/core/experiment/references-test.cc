// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/random.h"
#include "dpdl/privacy/accountant.h"
#include "dpdl/privacy/gdp.h"
#include "dpdl/privacy/step-group.h"
#include "experiment-fixture.h"

#include <cmath>
#include <functional>

namespace dpdl
{
namespace
{

/// References that decentralized learning is measured against.
class ReferencesTest : public ExperimentTest
{
  protected:
    /// What a run learns and releases, bit by bit.
    std::vector<std::string> Outcome(const RunOptions& settings)
    {
        Run(settings);
        std::vector<std::string> rows = Bits("SELECT * FROM accuracy_by_node");
        const std::vector<std::string> releases = Bits("SELECT * FROM release");
        rows.insert(rows.end(), releases.begin(), releases.end());
        return rows;
    }

    RunOptions Named(const std::string& algorithm) const
    {
        RunOptions settings = Small();
        settings.algorithm = algorithm;
        return settings;
    }
};

TEST_F(ReferencesTest, IsolatedIsConstD2pWithoutEdgesOnAnyTopology)
{
    RunOptions alone = Named("const-d2p");
    alone.topology = "none";
    RunOptions isolated = Named("isolated");
    isolated.topology = "complete";
    EXPECT_EQ(Outcome(isolated), Outcome(alone));
    EXPECT_EQ(Value("SELECT COUNT(*) FROM delivery_by_link"), "0");
}

TEST_F(ReferencesTest, CentralIsOneNodeWithAllExamplesAtTheSameRate)
{
    RunOptions one = Named("isolated");
    one.nodes = 1;
    one.batchSize = 5 * 8;
    one.partition = "contiguous";
    const std::vector<std::string> expected = Outcome(one);
    EXPECT_EQ(Outcome(Named("central")), expected);
    EXPECT_EQ(Value("SELECT DISTINCT rate FROM release"), "0.2");
    EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_node"), "1");
}

TEST_F(ReferencesTest, TheBudgetAsksForTheSameNoiseWhereverTheExamplesAre)
{
    Run(Named("isolated"));
    const std::string multiplier = Value("SELECT DISTINCT noise_multiplier FROM release");
    Run(Named("central"));
    EXPECT_EQ(Value("SELECT DISTINCT noise_multiplier FROM release"), multiplier);
}

TEST_F(ReferencesTest, GossipIsAcceleratedWhereItsPaperProvesIt)
{
    const auto momentum = [this](const std::function<void(RunOptions&)>& change) {
        RunOptions settings = Named("muffliato");
        settings.topology = "undirected-ring";
        settings.network = NetworkKind::MESSAGE;
        change(settings);
        Run(settings);
        return std::stod(Value("SELECT value FROM settings WHERE name = 'gossipMomentum'"));
    };
    const double gap = 2.0 / 3.0 * (1.0 - std::cos(2.0 * std::acos(-1.0) / 5.0));
    const double root = std::sqrt(gap * (1.0 - gap / 4.0));
    const double gamma = 2.0 * (1.0 - root) / std::pow(1.0 - gap / 2.0, 2);
    EXPECT_NEAR(momentum([](RunOptions&) {}), gamma, 1e-12);
    const std::function<void(RunOptions&)> changes[] = {
        [](RunOptions& changed) { changed.topology = "ring"; },
        [](RunOptions& changed) { changed.topology = "exponential"; },
        [](RunOptions& changed) { changed.topology = "star"; },
        [](RunOptions& changed) { changed.topology = "none"; },
        [](RunOptions& changed) { changed.drop = 0.1; },
        [](RunOptions& changed) { changed.fail = {"node 2 crash at 1ms for 5ms"}; },
        [](RunOptions& changed) { changed.schedule = Schedule::ASYNCHRONOUS; },
        [](RunOptions& changed) { changed.compress = "quantize:8"; }};
    for (const auto& change : changes)
    {
        EXPECT_EQ(momentum(change), 1.0);
    }
}

TEST_F(ReferencesTest, NodesWeighTheirExamplesAtAServer)
{
    const auto weights = [this](const std::string& algorithm, const std::string& hyper) {
        RunOptions settings = Named(algorithm);
        settings.partition = "dirichlet:1";
        settings.sampler = "full";
        settings.hyper = hyper;
        settings.snapshotEvery = 2;
        Run(settings);
        EXPECT_LT(std::stod(Value("SELECT MAX(ABS(w_error)) FROM mass_by_round")), 1e-12);
        return Query("SELECT w FROM snapshot WHERE round = 6 ORDER BY node");
    };
    Run([&] {
        RunOptions settings = Named("sgp");
        settings.partition = "dirichlet:1";
        settings.sampler = "full";
        return settings;
    }());
    const std::vector<std::string> sizes =
        Query("SELECT examples_drawn FROM round_by_node WHERE round = 0 ORDER BY node");
    const std::vector<std::string> found = weights("fedavg", "");
    for (NodeId node = 0; node < 5; ++node)
    {
        EXPECT_NEAR(std::stod(found[node]), std::stod(sizes[node]) / 40.0, 1e-12) << node;
    }
    EXPECT_NE(found.front(), "1.0");
    const std::vector<std::string> alike(5, "1.0");
    EXPECT_EQ(weights("fedavg", "cap=1"), alike);
    EXPECT_EQ(weights("dp-fedavg", ""), alike);
    EXPECT_EQ(weights("dp-fedavg", "cap=0"), found);
}

TEST_F(ReferencesTest, FailuresDoNotTouchCentral)
{
    RunOptions settings = Named("central");
    const std::vector<std::string> expected = Outcome(settings);
    settings.fail = {"node 3 slow 10x from 0s", "node 0 crash at 1ms"};
    EXPECT_EQ(Outcome(settings), expected);
    settings.fail = {"node 5 crash"};
    EXPECT_NE(ErrorOf(settings).find("expected nodes in 0..4"), std::string::npos);
}

TEST_F(ReferencesTest, EveryClientReleasesWhenItIsDrawnAndPaysForThatAlone)
{
    RunOptions settings = Named("dp-fedavg");
    settings.rounds = 20;
    settings.hyper = "clients=0.4,iterations=2";
    Run(settings);
    std::size_t all = 0;
    for (NodeId node = 0; node < settings.nodes; ++node)
    {
        std::vector<std::string> drawn;
        for (Round round = 0; round < settings.rounds; round += 2)
        {
            const RandomStream coin(settings.seed, RandomPurpose::CLIENTS, node, round);
            if (coin.Uniform(0) < 0.4)
            {
                drawn.insert(drawn.end(), 2, std::to_string(round));
            }
        }
        const std::string own = " WHERE node = " + std::to_string(node);
        EXPECT_EQ(Query("SELECT round FROM release" + own + " ORDER BY round"), drawn) << node;
        ASSERT_FALSE(drawn.empty());
        StepGroup group;
        group.rate = 0.2;
        group.noise = std::stod(Value("SELECT DISTINCT noise_multiplier FROM release" + own));
        group.steps = drawn.size();
        const double delta = std::stod(Value("SELECT delta FROM guarantee_by_node" + own));
        const double expected =
            Accountants().Get("rdp")->Evaluate(CountSteps({group}), {delta}).epsilon;
        const double certified = std::stod(Value("SELECT certified FROM guarantee_by_node" + own));
        EXPECT_NEAR(certified, expected, 1e-6 * expected) << node;
        all += drawn.size();
    }
    EXPECT_LT(all, 2U * 10U * settings.nodes);
    EXPECT_LT(std::stod(Value("SELECT MAX(ABS(w_error)) FROM mass_by_round")), 1e-12);
}

TEST_F(ReferencesTest, ATrustedServerIsItselfToldByItsOwnEpsilon)
{
    Run(Named("central"));
    const std::string multiplier = Value("SELECT DISTINCT noise_multiplier FROM release");
    RunOptions settings = Named("dp-fedavg");
    settings.rounds *= 2; // every second one has a step
    settings.hyper = "trusted=1";
    Run(settings);
    // Who sees the sums alone has what a central learner's noise gives.
    EXPECT_EQ(Value("SELECT DISTINCT noise_multiplier FROM release"), multiplier);
    EXPECT_EQ(Value("SELECT DISTINCT flags FROM release"),
              "FLOAT_NOISE,CORRELATED_NOISE,TRUSTED_SERVER");
    // The server sees each node's sum, with the part of the noise that the node has added.
    StepGroup group;
    group.rate = 0.2;
    group.noise = std::stod(multiplier) / std::sqrt(static_cast<double>(settings.nodes));
    group.steps = settings.rounds / 2;
    const double delta = std::stod(Value("SELECT MIN(delta) FROM guarantee_by_node"));
    const double expected =
        Accountants().Get("rdp")->Evaluate(CountSteps({group}), {delta}).epsilon;
    const double found =
        std::stod(Value("SELECT value FROM summary WHERE name = 'epsilon_without_secrets'"));
    EXPECT_NEAR(found, expected, 1e-6 * expected);
    EXPECT_GT(found, std::stod(Value("SELECT MAX(certified) FROM guarantee_by_node")));
}

TEST_F(ReferencesTest, ATrustedServerHidesAllExamplesOfANodeWhereUpdatesAreClippedAsAWhole)
{
    RunOptions settings = Named("dp-fedavg");
    settings.rounds *= 2;
    settings.protectsNodes = true;
    settings.accountant = "gdp";
    settings.hyper = "trusted=1";
    EXPECT_NE(ErrorOf(settings).find("option 'unit': 'node'"), std::string::npos);
    for (const std::string sampler : {"poisson", "full"})
    {
        settings.sampler = sampler;
        settings.hyper = "trusted=1,clipUpdate=1,iterations=2,colluders=1";
        Run(settings);
        EXPECT_EQ(Value("SELECT DISTINCT flags FROM release"),
                  "BATCH_CLIP,FLOAT_NOISE,CORRELATED_NOISE,TRUSTED_SERVER");
        // All examples of a node move the sum by at most 2 C, whatever batches are drawn.
        const double noise = std::stod(Value("SELECT DISTINCT noise FROM release"));
        const double clip = std::stod(Value("SELECT DISTINCT sensitivity FROM release"));
        const double steps = static_cast<double>(settings.rounds) / 2.0;
        const double delta = std::stod(Value("SELECT MIN(delta) FROM guarantee_by_node"));
        const double mu = 2.0 * clip / noise * std::sqrt(steps);
        EXPECT_NEAR(std::stod(Value("SELECT MAX(certified) FROM guarantee_by_node")),
                    GdpEpsilon(mu, delta),
                    1e-6);
        // The server sees each update with a part of the noise: 1 of 4, since one node may tell.
        const std::string without =
            Value("SELECT value FROM summary WHERE name = 'epsilon_without_secrets'");
        EXPECT_NEAR(std::stod(without), GdpEpsilon(2.0 * mu, delta), 1e-5);
    }
}

TEST_F(ReferencesTest, ASumThatLacksAPartCertifiesNothing)
{
    for (const std::string hyper : {"", "trusted=1"})
    {
        RunOptions settings = Named("dp-fedavg");
        settings.hyper = hyper;
        settings.trace = m_path;
        settings.overwrite = true;
        {
            // A crash that no option announced, such as that of a battery.
            Experiment experiment(settings, {});
            experiment.Recorder().OnCrashed(1, 0, true, false, 0.0);
            experiment.Recorder().OnRecovered(1, 0.0);
            LockstepRun(experiment);
        }
        const std::string expected = hyper.empty() ? "0" : "5";
        EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_node WHERE certified = 9e999"),
                  expected);
        EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_node WHERE reason LIKE "
                        "'%lacks a part of its noise: node 1 crashed in round 0'"),
                  expected);
        EXPECT_EQ(Value("SELECT MIN(certified_max) = 9e999 FROM guarantee_by_round"),
                  hyper.empty() ? "0" : "1");
    }
}

TEST_F(ReferencesTest, ATrustedServerNeedsAllPartsOfASum)
{
    RunOptions settings = Named("dp-fedavg");
    settings.hyper = "trusted=1";
    const std::vector<std::function<void(RunOptions&)>> changes{
        [](RunOptions& changed) { changed.drop = 0.1; },
        [](RunOptions& changed) { changed.sampler = "full"; },
        [](RunOptions& changed) { changed.stopAt = 1.0; },
        [](RunOptions& changed) { changed.rounds = 3; },
        [](RunOptions& changed) { changed.schedule = Schedule::WAIT_FREE; },
        [](RunOptions& changed) { changed.sharedLayers = 1; }};
    for (const auto& change : changes)
    {
        RunOptions other = settings;
        other.network = NetworkKind::MESSAGE;
        change(other);
        EXPECT_NE(ErrorOf(other).find("hyper-parameter 'trusted'"), std::string::npos);
    }
}

/// Which figures a run has of the noise in its nodes' states, and whether it has a certificate.
struct FloatCase
{
    std::string algorithm;
    std::string hyper;
    Round rounds;
    double epsilon;
    bool isMeasured; ///< no step follows in the round after any release
    bool isRounded;  ///< a certificate rests on a sum that float32 does not show
};

/// On every engine the same rule.
class FloatNoise : public ReferencesTest, public testing::WithParamInterface<const char*>
{
};

TEST_P(FloatNoise, HasToSurviveWhereverACertificateRestsOnASum)
{
    for (const FloatCase& one : {FloatCase{"dp-fedavg", "trusted=1", 4, 1.0, true, false},
                                 {"dp-fedavg", "trusted=1", 4, 1e6, true, true},
                                 {"dp-fedavg", "trusted=1,clipUpdate=1", 4, 1.0, true, false},
                                 {"dp-fedavg", "trusted=1,clipUpdate=1", 4, 1e9, true, true},
                                 {"dp-fedavg", "", 4, 1e6, true, false},
                                 {"muffliato", "", 4, 1e6, true, false},
                                 {"muffliato", "phase=2", 4, 1.0, true, false},
                                 {"muffliato", "phase=1", 4, 1.0, false, false},
                                 {"const-d2p", "", 1, 1.0, true, false},
                                 {"const-d2p", "", 4, 1e6, false, false},
                                 {"decor", "", 4, 1e6, false, false}})
    {
        RunOptions settings = Named(one.algorithm);
        settings.hyper = one.hyper;
        settings.rounds = one.rounds;
        settings.epsilon = one.epsilon;
        settings.engine = GetParam();
        Run(settings);
        const std::string name = one.algorithm + " " + one.hyper;
        EXPECT_EQ(Value("SELECT COUNT(*) FROM summary WHERE value IS NOT NULL AND name IN "
                        "('noise_in_state', "
                        "'largest_state')"),
                  one.isMeasured ? "2" : "0")
            << name;
        EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_node WHERE certified = 9e999 AND "
                        "reason LIKE '%does not survive float32%'"),
                  one.isRounded ? "5" : "0")
            << name;
        if (one.isMeasured && one.hyper.find("clipUpdate") == std::string::npos)
        {
            const double step =
                std::stod(Value("SELECT value FROM settings WHERE name = 'stepSize'"));
            const double noise = std::stod(Value("SELECT MIN(noise) FROM release"));
            EXPECT_NEAR(std::stod(Value("SELECT value FROM summary WHERE name = 'noise_in_state'")),
                        step * noise / static_cast<double>(*settings.batchSize),
                        1e-6 * noise)
                << name;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Engines,
                         FloatNoise,
                         testing::Values("native", "libtorch", "libtorch-loop"));

TEST_F(ReferencesTest, AllClientsAreDrawnWithProbabilityOne)
{
    for (const std::string name : {"fedavg", "dp-fedavg"})
    {
        const std::vector<std::string> expected = Outcome(Named(name));
        RunOptions settings = Named(name);
        settings.hyper = "clients=1";
        EXPECT_EQ(Outcome(settings), expected);
        settings.hyper = "clients=0.5";
        EXPECT_NE(Outcome(settings), expected);
    }
}

} // namespace
} // namespace dpdl
