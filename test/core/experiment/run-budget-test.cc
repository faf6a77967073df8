// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/accountant.h"
#include "experiment-fixture.h"

#include <cmath>

namespace dpdl
{
namespace
{

class RunBudgetTest : public ExperimentTest
{
  protected:
    /// Twelve rounds of noise that falls, enough for epsilon 1.
    RunOptions Stopped(double stopAt) const
    {
        RunOptions settings = Small();
        settings.rounds = 12;
        settings.stopAt = stopAt;
        settings.snapshotEvery = 1;
        return settings;
    }

    double Number(const std::string& sql) const
    {
        const std::string value = Value(sql);
        return value == "Inf" || value == "inf" ? INFINITY : std::stod(value);
    }

    /// Certified epsilon of the first rounds of the plan of a run.
    static double Prefix(const Experiment& experiment, std::size_t rounds)
    {
        std::vector<Release> releases = experiment.Plan().Releases(0);
        releases.erase(releases.begin() + static_cast<std::ptrdiff_t>(rounds), releases.end());
        const LearningPlanSettings& plan = experiment.Plan().Settings();
        return Accountants().Get(plan.accountant)->Evaluate(releases, {plan.delta}).epsilon;
    }
};

TEST_F(RunBudgetTest, NodesStopBeforeTheReleaseThatWouldExceedTheBudget)
{
    for (const auto& [stopAt, mode] : {std::pair{0.6, Mode::SOUND}, {2.5, Mode::PAPER}})
    {
        RunOptions settings = Stopped(stopAt);
        settings.mode = mode;
        settings.overwrite = true;
        Experiment experiment(settings, {});
        std::vector<std::string> warnings;
        experiment.Recorder().SetProgressCallback([&warnings](const Progress& progress) {
            warnings.insert(warnings.end(), progress.warnings.begin(), progress.warnings.end());
        });
        LockstepRun(experiment);
        const auto stopped = static_cast<std::size_t>(
            Number("SELECT DISTINCT stopped_in_round FROM guarantee_by_node"));
        ASSERT_GT(stopped, 0u);
        ASSERT_LT(stopped, 12u);
        EXPECT_LE(Prefix(experiment, stopped), stopAt);
        EXPECT_GT(Prefix(experiment, stopped + 1), stopAt);
        EXPECT_NEAR(Number("SELECT value FROM summary WHERE name = 'epsilon_certified'"),
                    Prefix(experiment, stopped),
                    1e-12);
        EXPECT_NEAR(Number("SELECT MAX(certified_max) FROM guarantee_by_round"),
                    Prefix(experiment, stopped),
                    1e-12);
        EXPECT_EQ(Number("SELECT COUNT(*) FROM release"), 5.0 * static_cast<double>(stopped));
        EXPECT_EQ(Number("SELECT MAX(round) + 1 FROM release"), static_cast<double>(stopped));
        EXPECT_EQ(Value("SELECT COUNT(*) FROM violation WHERE assumption = 'privacy-budget' AND "
                        "round = " +
                        std::to_string(stopped)),
                  "5");
        EXPECT_EQ(Summary("nodes_stopped"), "5");
        EXPECT_EQ(Summary("state"), "complete");
        ASSERT_EQ(warnings.size(), 1u);
        EXPECT_NE(warnings[0].find("round " + std::to_string(stopped) + ": all 5 nodes"),
                  std::string::npos);
    }
}

TEST_F(RunBudgetTest, WhoStopsLearningGoesOnMixing)
{
    RunOptions settings = Stopped(0.6);
    settings.evaluateEvery = 1;
    Run(settings);
    const std::string stopped = Value("SELECT DISTINCT stopped_in_round FROM guarantee_by_node");
    EXPECT_EQ(Value("SELECT COUNT(*) FROM delivery"), std::to_string(12 * 5));
    EXPECT_EQ(Value("SELECT COUNT(*) FROM round_by_node WHERE batch > 0 AND round >= " + stopped),
              "0");
    // Without steps the nodes come together, and do not only stand still.
    const std::string distance = "SELECT consensus_distance FROM accuracy_by_round WHERE round = ";
    EXPECT_GT(Number(distance + stopped), 0.0);
    EXPECT_LT(Number(distance + "12"), 0.1 * Number(distance + stopped));
}

TEST_F(RunBudgetTest, ABudgetThatIsLargeEnoughChangesNothing)
{
    RunOptions settings = Stopped(1.0);
    Run(settings);
    const std::vector<std::string> states = Bits("SELECT round, node, z FROM snapshot");
    EXPECT_EQ(Summary("nodes_stopped"), "0");
    EXPECT_EQ(Value("SELECT COUNT(*) FROM violation"), "0");
    settings.stopAt = std::nullopt;
    Run(settings);
    EXPECT_EQ(Bits("SELECT round, node, z FROM snapshot"), states);
}

TEST_F(RunBudgetTest, RoundsWithoutReleasesCostNothingAndStopNobody)
{
    RunOptions settings = Small();
    settings.algorithm = "dp-fedavg";
    settings.rounds = 12;
    for (const char* hyper : {"", "iterations=2", "clients=0.4", "server=0"})
    {
        settings.hyper = hyper;
        settings.stopAt = std::nullopt;
        Run(settings);
        const double all = Number("SELECT value FROM summary WHERE name = 'epsilon_certified'");
        const std::vector<std::string> releases = Bits("SELECT node, round, noise FROM release");
        settings.stopAt = 1.5 * all;
        Run(settings);
        EXPECT_EQ(Summary("nodes_stopped"), "0") << hyper;
        EXPECT_EQ(Bits("SELECT node, round, noise FROM release"), releases) << hyper;
        settings.stopAt = 0.9 * all;
        Run(settings);
        EXPECT_NE(Summary("nodes_stopped"), "0") << hyper;
        EXPECT_LE(Number("SELECT value FROM summary WHERE name = 'epsilon_certified'"),
                  *settings.stopAt)
            << hyper;
    }
}

TEST_F(RunBudgetTest, ABudgetThatNoReleaseFitsIntoIsRefused)
{
    EXPECT_NE(ErrorOf(Stopped(1e-3)).find("stopAt"), std::string::npos);
    EXPECT_NE(ErrorOf(Stopped(1e-3)).find("first round"), std::string::npos);
    RunOptions silent = Stopped(1.0);
    silent.noise = false;
    EXPECT_NE(ErrorOf(silent).find("without noise"), std::string::npos);
    RunOptions open = Stopped(1.0);
    open.algorithm = "sgp";
    EXPECT_NE(ErrorOf(open).find("stopAt"), std::string::npos);
    EXPECT_TRUE(Files().empty());
}

TEST_F(RunBudgetTest, TheAccountantIsTheOneAskedForAndCertified)
{
    RunOptions settings = Small();
    settings.rounds = 2;
    for (const char* name : {"pld", "rdp"})
    {
        settings.accountant = name;
        Run(settings);
        EXPECT_EQ(Value("SELECT DISTINCT accountant FROM guarantee_by_node"), name);
        EXPECT_LE(Number("SELECT MAX(certified) FROM guarantee_by_node"), 1.0);
        EXPECT_GT(Number("SELECT MAX(certified) FROM guarantee_by_node"), 1.0 - 1e-5);
        EXPECT_EQ(Value("SELECT value FROM settings WHERE name = 'accountant'"), name);
    }
    settings.trace = (m_folder / "other.db").string();
    settings.accountant = "clt";
    EXPECT_NE(ErrorOf(settings).find("one whose epsilon is proven"), std::string::npos);
    EXPECT_NE(ErrorOf(settings).find("rdp"), std::string::npos);
    settings.accountant = "gdp";
    EXPECT_NE(ErrorOf(settings).find("option 'accountant'"), std::string::npos);
    settings.accountant = "rdpp";
    EXPECT_NE(ErrorOf(settings).find("did you mean 'rdp'"), std::string::npos);
    settings.accountant = "gdp";
    settings.sampler = "full";
    EXPECT_EQ(ErrorOf(settings), "accepted");
}

} // namespace
} // namespace dpdl
