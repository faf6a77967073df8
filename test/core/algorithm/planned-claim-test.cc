// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/algorithm/planned-claim.h"
#include "dpdl/base/errors.h"
#include "dpdl/privacy/gdp.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

ClaimSettings
Planned(std::uint64_t localSamples, std::uint64_t rounds, double epsilon, double delta)
{
    ClaimSettings settings;
    settings.mode = Mode::PAPER;
    settings.localSamples = localSamples;
    settings.rounds = rounds;
    settings.epsilon = epsilon;
    settings.question.delta = delta;
    return settings;
}

const Accountant&
Pld()
{
    return *Accountants().Get("pld");
}

PlannedClaim
RunOf(const std::string& name, ClaimSettings settings)
{
    settings.algorithm = name;
    return ClaimOf(settings);
}

double
Certified(const std::string& name, const ClaimSettings& settings)
{
    return Pld().Evaluate(RunOf(name, settings).steps, settings.question).epsilon;
}

double
Figure(const PlannedClaim& run, const std::string& name)
{
    for (const auto& [key, value] : run.schedule)
    {
        if (key == name)
        {
            return value;
        }
    }
    ADD_FAILURE() << "no figure " << name;
    return NAN;
}

/// At least the exact value but for the digits that the scale lacks, and at most a thousandth
/// above.
void
ExpectTight(double certified, double exact, const std::string& what)
{
    EXPECT_GE(certified, exact * (1.0 - 1e-6)) << what;
    EXPECT_LE(certified, exact * (1.0 + 1e-3)) << what;
}

bool
Warns(const PlannedClaim& run, const std::string& assumption)
{
    for (const std::string& warning : run.warnings)
    {
        if (warning.rfind(assumption + ":", 0) == 0)
        {
            return true;
        }
    }
    return false;
}

TEST(PlannedClaim, ReadLiterallyDynD2pIsWorst)
{
    // One uniformly drawn example a round, neighbours that differ in one value.
    const double rows[][3] = {{0.3, 16.61439939167746, 1.3316984945281771},
                              {3, 66.42, 0.884326996345994}};
    for (const auto& [epsilon, exact, noise] : rows)
    {
        ClaimSettings settings = Planned(2500, 3500, epsilon, 1e-4);
        EXPECT_TRUE(Warns(RunOf("const-d2p", settings), "clt-regime"));
        settings.sampler = "fixed";
        settings.question.adjacency = Adjacency::REPLACE;
        ExpectTight(Certified("const-d2p", settings), exact, "literal");
        settings.mode = Mode::SOUND;
        settings.parameters["batchSize"] = 1.0;
        const double found = Figure(RunOf("const-d2p", settings), "noise_first");
        EXPECT_NEAR(found / noise, 1.0, 1e-4);
    }
}

/// Theorem 1 sums alpha(0)..alpha(T-1), the noise in use has alpha(T)..alpha(1): the constant with
/// which the plan has the noise of the theorem.
double
Published(double c2)
{
    return c2 * std::sqrt(173.66606296 / 173.38574683);
}

TEST(PlannedClaim, AdpVrsgp)
{
    const double rows[][3] = {{2, 2, 2.8677647173556258}, {8, 2, 159.95043881274924}};
    for (const auto& [epsilon, c2, exact] : rows)
    {
        ClaimSettings settings = Planned(7500, 1000, epsilon, 1e-5);
        settings.parameters["c2"] = Published(c2);
        const PlannedClaim run = RunOf("adp-vrsgp", settings);
        EXPECT_EQ(run.claimed, epsilon);
        EXPECT_TRUE(Warns(run, "moments-regime"));
        ExpectTight(Certified("adp-vrsgp", settings), exact, "c2 = " + std::to_string(c2));
    }
    ClaimSettings settings = Planned(7500, 1000, 2.0, 1e-5);
    settings.parameters["batchClip"] = 1.0;
    settings.parameters["c2"] = Published(2.0);
    ExpectTight(Certified("adp-vrsgp", settings), 21.765030796757024, "clipped batches");
    const PlannedClaim run = RunOf("adp-vrsgp", settings);
    EXPECT_EQ(run.steps.size(), 201U) << "blocks of five equal rounds, the first of one round";
    settings.parameters.erase("batchClip");
    EXPECT_NEAR(Figure(RunOf("adp-vrsgp", settings), "noise_first"), 1.111764738373972, 1e-8);
    EXPECT_NEAR(Figure(RunOf("adp-vrsgp", settings), "noise_last"), 0.6047404747678067, 1e-8);
}

TEST(PlannedClaim, ClipD2p)
{
    const double rows[][5] = {{2500, 3500, 0.03, 4912.729908559726, 2.6764898780104858},
                              {3000, 2200, 0.05, 1295.2413001450097, 1.06099399983505}};
    for (const auto& [localSamples, rounds, noise, exact, claimOverC2] : rows)
    {
        ClaimSettings settings = Planned(static_cast<std::uint64_t>(localSamples),
                                         static_cast<std::uint64_t>(rounds),
                                         1.0,
                                         1e-5);
        settings.parameters["noise"] = noise;
        const PlannedClaim run = RunOf("clip-d2p", settings);
        EXPECT_NEAR(run.claimed / claimOverC2, 2.0, 1e-12);
        EXPECT_TRUE(Warns(run, "moments-regime"));
        EXPECT_EQ(run.unsupported, "");
        // The reference values are upper bounds themselves, by less than 1e-5.
        const double certified = Certified("clip-d2p", settings);
        EXPECT_GE(certified, exact * (1.0 - 1e-5)) << noise;
        EXPECT_LE(certified, exact * (1.0 + 1e-3)) << noise;
    }
    ClaimSettings settings = Planned(2500, 3500, 8.029469634031457, 1e-5);
    settings.parameters["c2"] = 1.0;
    EXPECT_NEAR(Figure(RunOf("clip-d2p", settings), "noise_first"), 0.01, 1e-12);
}

TEST(PlannedClaim, ScalesFromPrivateDataAreNeverCertified)
{
    const ClaimSettings settings = Planned(2500, 720, 1.0, 1e-5);
    EXPECT_NEAR(RunOf("dpps", settings).claimed, 720000.0, 1e-4);
    ClaimSettings atOne = settings;
    atOne.parameters["noiseRate"] = 1.0;
    EXPECT_DOUBLE_EQ(RunOf("partpsp-1", atOne).claimed, 720.0);
    for (const char* name : {"ada-d2p", "const-ada", "dpps", "partpsp-1", "partpsp-2", "sgpdp"})
    {
        const PlannedClaim run = RunOf(name, settings);
        EXPECT_NE(run.unsupported, "") << name;
        EXPECT_TRUE(HasFlag(run.flags, ReleaseFlag::DATA_DEPENDENT_SCALE)) << name;
    }
}

TEST(PlannedClaim, EveryAlgorithmIsWholeOrSaysThatItIsNot)
{
    for (const PartInfo& info : Algorithms().List())
    {
        if (info.name == "decor" || info.name == "corn" || info.name == "mafalda")
        {
            continue; // the noise depends on the topology
        }
        const PlannedClaim run = RunOf(info.name, Planned(1000, 50, 2.0, 1e-5));
        EXPECT_EQ(run.formula.empty(), ClaimParameters(info.name).empty()) << info.name;
        for (const std::string& warning : run.warnings)
        {
            bool known = warning.rfind("claimed is infinite:", 0) == 0;
            for (const ClaimAssumption& assumption : run.assumptions)
            {
                known = known || warning.rfind(assumption.name + ":", 0) == 0;
            }
            EXPECT_TRUE(known) << info.name << ": " << warning;
        }
    }
}

TEST(PlannedClaim, RefusesWhatIsOutOfRange)
{
    const auto refused = [](const std::string& name, const std::function<void(ClaimSettings&)>& f) {
        ClaimSettings settings = Planned(100, 10, 1.0, 1e-5);
        f(settings);
        EXPECT_THROW(RunOf(name, settings), UsageError);
    };
    for (const char* name : {"dyn-d2p", "clip-d2p", "adp-vrsgp", "dpps", "sgp"})
    {
        refused(name, [](auto& s) { s.epsilon = 0.0; });
        refused(name, [](auto& s) { s.epsilon = NAN; });
        refused(name, [](auto& s) { s.question.delta = 1.0; });
        refused(name, [](auto& s) { s.rounds = 0; });
        refused(name, [](auto& s) { s.rounds = ClaimSettings::MOST_ROUNDS + 1; });
    }
    refused("dyn-d2p", [](auto& s) { s.parameters["batchSize"] = 101.0; });
    refused("dyn-d2p", [](auto& s) { s.parameters["muGrowth"] = 0.0; });
    refused("adp-vrsgp", [](auto& s) { s.parameters["c2"] = INFINITY; });
    refused("dyn-d2p", [](auto& s) { s.localSamples = 0; });
    ClaimSettings sound = Planned(100, 10, 1.0, 1e-5);
    sound.mode = Mode::SOUND;
    sound.accountant = "clt";
    EXPECT_THROW(RunOf("const-d2p", sound), UsageError) << "an accountant that certifies nothing";
}

TEST(PlannedClaim, SamplersAndAdjacencyThatTheFormulaDoesNotKnow)
{
    ClaimSettings settings = Planned(2500, 3500, 1.0, 1e-4);
    settings.sampler = "shuffle";
    const PlannedClaim run = RunOf("const-d2p", settings);
    EXPECT_TRUE(Warns(run, "poisson-sampling"));
    // 3500 single examples of 2500 are two passes, without amplification, and in the place of an
    // example that is missing stands another.
    const double mu = 1.0 / Figure(run, "noise_first");
    EXPECT_NEAR(Pld().Evaluate(run.steps, settings.question).epsilon,
                GdpEpsilon(2.0 * std::sqrt(2.0) * mu, 1e-4),
                1e-6);
    settings.question.adjacency = Adjacency::REPLACE;
    EXPECT_TRUE(Warns(RunOf("const-d2p", settings), "add-remove-sensitivity"));
}

} // namespace
} // namespace dpdl
