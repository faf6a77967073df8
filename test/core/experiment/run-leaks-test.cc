// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "experiment-fixture.h"

#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

/// Runs in which nodes leak secrets.
class RunLeaksTest : public ExperimentTest
{
  protected:
    RunOptions Leaking(const std::vector<std::string>& events) const
    {
        RunOptions settings = Small();
        settings.algorithm = "decor";
        settings.hyper = "secrets=1,colluders=1";
        settings.fail = events;
        return settings;
    }

    std::vector<std::string> Models() const
    {
        return Bits("SELECT round, node, w, z FROM snapshot ORDER BY round, node");
    }
};

TEST_F(RunLeaksTest, ALeakChangesWhatIsCertifiedAndNothingElse)
{
    Run(Leaking({}));
    const std::vector<std::string> models = Models();
    const std::vector<std::string> others = Bits("SELECT certified FROM guarantee_by_node WHERE "
                                                 "node <> 3 ORDER BY node");
    Run(Leaking({"node 3 leaks at 20ms"}));
    EXPECT_EQ(Models(), models);
    EXPECT_EQ(Bits("SELECT certified FROM guarantee_by_node WHERE node <> 3 ORDER BY node"),
              others);
    EXPECT_EQ(Query("SELECT certified > 1.5 AND certified = as_sent AND reason IS NULL FROM "
                    "guarantee_by_node WHERE node = 3"),
              std::vector<std::string>{"1"});
    EXPECT_EQ(Query("SELECT time || ' ' || event || ' ' || node FROM link_event"),
              std::vector<std::string>{"0.02 leak 3"});
    EXPECT_EQ(Query("SELECT round || ' ' || node FROM violation WHERE assumption = 'secrets-kept'"),
              std::vector<std::string>{"0 3"});
    EXPECT_EQ(Query("SELECT value FROM settings WHERE name = 'leakers'"),
              std::vector<std::string>{"3"});
}

TEST_F(RunLeaksTest, WhenItHappensMakesNoDifferenceToCertificates)
{
    const std::string rows = "SELECT node, certified, reason, as_sent FROM guarantee_by_node";
    for (const char* nodes : {"3", "{1,3}"})
    {
        const std::string event = std::string("node ") + nodes + " leaks";
        Run(Leaking({event}));
        const std::vector<std::string> first = Bits(rows);
        for (const char* time : {" at 35ms", " from 1h"})
        {
            Run(Leaking({event + time}));
            EXPECT_EQ(Bits(rows), first) << event << time;
        }
    }
    EXPECT_EQ(Query("SELECT DISTINCT certified || ': ' || reason FROM guarantee_by_node"),
              std::vector<std::string>{"Inf: 2 nodes leak their secrets, and what is certified "
                                       "allows for 1 colluder"});
    EXPECT_EQ(Query("SELECT COUNT(*) FROM guarantee_by_node WHERE as_sent < 1000"),
              std::vector<std::string>{"5"});
}

TEST_F(RunLeaksTest, CornDoesNotSayWhoHasWhichSecret)
{
    RunOptions settings = Leaking({"node 3 leaks"});
    settings.algorithm = "corn";
    settings.hyper = "";
    Run(settings);
    EXPECT_EQ(Query("SELECT COUNT(*) FROM guarantee_by_node WHERE certified = 9e999 AND as_sent = "
                    "9e999 AND reason LIKE '1 node leaks its secrets%0 colluders'"),
              std::vector<std::string>{"5"});
}

TEST_F(RunLeaksTest, WhatDoesNotGoTogetherIsRefused)
{
    RunOptions settings = Small();
    settings.fail = {"node 3 leaks at 2s"};
    EXPECT_EQ(
        ErrorOf(settings),
        "--fail, line 1: 'node 3 leaks at 2s' is not accepted with dyn-d2p, whose nodes share "
        "no secrets; expected --algorithm=decor or corn");
    settings = Leaking({"node 3 leaks at 2s"});
    settings.stopAt = 0.5;
    EXPECT_EQ(ErrorOf(settings),
              "option 'stopAt': '0.5' is not accepted; expected none with nodes that leak: what "
              "they have spent is known only once they have leaked");
}

class RunSensitivity : public ExperimentTest
{
  protected:
    RunOptions Paper(const std::string& algorithm, const std::string& hyper) const
    {
        RunOptions settings = Small();
        settings.algorithm = algorithm;
        settings.hyper = hyper;
        settings.mode = Mode::PAPER;
        settings.rounds = 9;
        settings.epsilon = 5.0;
        return settings;
    }
};

// What the announcements say, and what is made of it: test/system/replay_dpps.py.
TEST_F(RunSensitivity, AnnouncementsAreCounted)
{
    Run(Paper("dpps", "measureEvery=1"));
    EXPECT_EQ(Value("SELECT COUNT(*), COUNT(real), SUM(unheard) FROM sensitivity_by_round"),
              "45|45|0");
    EXPECT_EQ(Value("SELECT value FROM settings WHERE name = 'sensitivityOracle'"), "none");
    EXPECT_EQ(Value("SELECT value FROM summary WHERE name = 'bytes_announced'"),
              std::to_string(9 * 5 * 4 * 52));
}

TEST_F(RunSensitivity, ClaimsWhatThePaperClaimsAndCertifiesNothing)
{
    Run(Paper("dpps", "bound=1,noiseRate=0.01"));
    EXPECT_EQ(Value("SELECT claimed, certified = 9e999 FROM guarantee_by_node WHERE node = 0"),
              "4500.0|1"); // 9 * 5 / 0.01
    EXPECT_EQ(Value("SELECT DISTINCT mechanism || ' ' || noise_multiplier || ' ' || flags FROM "
                    "release"),
              "laplace 0.002 UNNOISED_RELEASE,DATA_DEPENDENT_SCALE,BATCH_CLIP,FLOAT_NOISE");
    EXPECT_NE(Value("SELECT reason FROM guarantee_by_node WHERE node = 0").find("noise scale"),
              std::string::npos);
}

// What is announced is computed from data, whether or not noise and shares follow.
TEST_F(RunSensitivity, AnAnnouncementCountsThoughItsNodeCrashes)
{
    Experiment experiment(Paper("dpps", ""), {});
    for (NodeId node = 0; node < 5; ++node)
    {
        experiment.At(node).BeginRound(0.0);
    }
    EXPECT_FALSE(experiment.At(2).FinishStep(1.0).empty());
    experiment.At(2).Crash(false, 1.0);
    experiment.Finish(1.0);
    EXPECT_EQ(Value("SELECT node, round FROM release"), "2|0");
    EXPECT_EQ(Value("SELECT GROUP_CONCAT(certified = 9e999) FROM guarantee_by_node"), "0,0,1,0,0");
    EXPECT_EQ(Value("SELECT claimed = 9e999 FROM guarantee_by_node WHERE node = 2"), "1");
}

TEST_F(RunSensitivity, WithoutNoiseTheMeanIsKept)
{
    RunOptions settings = Paper("dpps", "perturb=0");
    settings.noise = false;
    settings.snapshotEvery = 1;
    Run(settings);
    EXPECT_EQ(Value("SELECT MAX(consensus_distance) < 1e-6 FROM accuracy_by_round"), "1");
    EXPECT_EQ(Value("SELECT MAX(ABS(w_error)) < 1e-12, MAX(ABS(w_lost)) FROM mass_by_round"),
              "1|0.0");
    EXPECT_EQ(Value("SELECT MAX(heard_maximum) FROM sensitivity_by_round"), "0.0");
}

TEST_F(RunSensitivity, SoundModeCertifiesABudgetWhateverTheOwnPartIs)
{
    RunOptions settings = Small();
    settings.model = "cnn-s";
    settings.epsilon = 3.0;
    settings.evaluateEvery = 0;
    for (const char* const algorithm : {"partpsp-1", "sgpdp"})
    {
        settings.algorithm = algorithm;
        Run(settings);
        EXPECT_EQ(Value("SELECT COUNT(*) FROM sensitivity_by_round"), "0");
        EXPECT_EQ(Value("SELECT MIN(certified) > 2.9 AND MAX(certified) <= 3 FROM "
                        "guarantee_by_node"),
                  "1");
        const bool isWhole = std::string(algorithm) == "sgpdp";
        EXPECT_EQ(Value("SELECT DISTINCT sampler || ' ' || mechanism FROM release"),
                  isWhole ? "poisson laplace" : "full laplace");
    }
}

TEST_F(RunSensitivity, APartOfAPrivateModelIsAsPrivateAsAll)
{
    RunOptions settings = Small();
    settings.model = "cnn-s";
    settings.sharedLayers = 1;
    settings.evaluateEvery = 0;
    Run(settings);
    EXPECT_EQ(Value("SELECT MAX(certified) <= 1 FROM guarantee_by_node"), "1");
    EXPECT_EQ(Value("SELECT DISTINCT sampler FROM release"), "poisson");
    EXPECT_EQ(Value("SELECT value FROM settings WHERE name = 'stepLaw'"), "own")
        << "for observers, who do not know of parts";
}

} // namespace
} // namespace dpdl
