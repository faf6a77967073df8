// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "moment-composition.h"
#include "oracles.h"

#include <gtest/gtest.h>

namespace dpdl
{

namespace
{

/// A step that moves twice as far when an example is replaced as when it comes or goes.
PrivacyStep
Step(NoiseKind noise, Amplification sampling, double rate, double mu)
{
    return {noise, sampling, rate, mu, 2.0 * mu};
}

PrivacyStep
Unsampled(NoiseKind noise, double mu)
{
    return Step(noise, Amplification::NONE, 1.0, mu);
}

double
Epsilon(const std::string& accountant,
        const StepCounts& steps,
        double delta,
        Adjacency adjacency = Adjacency::ADD_REMOVE)
{
    return Accountants().Get(accountant)->Evaluate(steps, {delta, adjacency}).epsilon;
}

std::uint64_t
Count(const Tree& row, const std::string& key)
{
    return static_cast<std::uint64_t>(Number(row, key));
}

StepCounts
LaplaceSteps(const Tree& row, std::uint64_t count)
{
    return {{Unsampled(NoiseKind::LAPLACE, Number(row, "eps0")), count}};
}

void
CheckAdvanced(const Tree& row)
{
    const StepCounts steps = LaplaceSteps(row, Count(row, "k"));
    const double delta = Number(row, "delta");
    const double advanced = Number(row, "drv");
    Hold("advanced", Epsilon("advanced", steps, delta), advanced, CLOSED_FORM);
    Hold("basic", Epsilon("basic", steps, delta), Number(row, "basic"), CLOSED_FORM);
    // The oracle converts as Bun and Steinke (2016); what is known since is better.
    EXPECT_LT(Epsilon("zcdp", steps, delta), Number(row, "zcdp"));
    const double optimal = Epsilon("optimal-composition", steps, delta);
    EXPECT_LT(optimal, advanced);
    EXPECT_LT(Epsilon("pld", steps, delta), optimal);
}

void
CheckOptimal(const Tree& row)
{
    const StepCounts steps = LaplaceSteps(row, Count(row, "k"));
    Hold("optimal-composition",
         Epsilon("optimal-composition", steps, Number(row, "delta")),
         Number(row, "eps"),
         ROOT);
}

void
CheckZcdp(const Tree& row)
{
    const double mu = std::sqrt(2.0 * Number(row, "rho"));
    const double delta = Number(row, "delta");
    const double best = Number(row, "cks");
    for (const NoiseKind noise :
         {NoiseKind::GAUSSIAN, NoiseKind::DISCRETE_GAUSSIAN, NoiseKind::LAPLACE})
    {
        Hold("zcdp", Epsilon("zcdp", {{Unsampled(noise, mu), 1}}, delta), best, ROOT);
        Hold("zcdp", Epsilon("zcdp", {{Unsampled(noise, mu / 4.0), 16}}, delta), best, ROOT);
    }
    const StepCounts steps{{Unsampled(NoiseKind::GAUSSIAN, mu), 1}};
    Hold("gdp roots", Epsilon("gdp", steps, delta), Number(row, "gaussian_exact"), ROOT);
    Hold("rdp epsilon", Epsilon("rdp", steps, delta), best, RENYI);
    EXPECT_LT(best, Number(row, "bs16"));
}

void
CheckLaplaceRdp(const Tree& row)
{
    const StepMoment moment(Unsampled(NoiseKind::LAPLACE, 1.0 / Number(row, "b")),
                            Adjacency::ADD_REMOVE);
    const double order = Number(row, "alpha");
    Hold("rdp, laplace", moment.At(order) / (order - 1.0), Number(row, "rdp"), RENYI);
}

/// Laplace noise has one curve in both directions.
void
HoldLaplace(const StepCounts& steps, const Tree& row)
{
    const double delta = Number(row, "delta");
    const double exact = Number(row, "eps");
    HoldBound("pld, laplace", Epsilon("pld", steps, delta), exact);
    EXPECT_GE(Epsilon("rdp", steps, delta), exact);
    EXPECT_GE(Epsilon("optimal-composition", steps, delta), exact);
}

void
CheckLaplaceComposition(const Tree& row)
{
    HoldLaplace(LaplaceSteps(row, Count(row, "T")), row);
}

void
CheckLaplaceStep(const Tree& row)
{
    HoldLaplace(LaplaceSteps(row, 1), row);
}

void
CheckReplacedPoisson(const Tree& tree)
{
    const StepCounts steps{{Step(NoiseKind::GAUSSIAN, Amplification::POISSON, 0.01, 0.25), 10000}};
    const double bound = Epsilon("pld", steps, 1e-5, Adjacency::REPLACE);
    HoldBound("pld, replaced, poisson", bound, Number(tree, "eps"));
    EXPECT_GE(Epsilon("rdp", steps, 1e-5, Adjacency::REPLACE), bound);
}

void
CheckWithoutReplacement(const Tree& row)
{
    const double rate = Number(row, "B") / Number(row, "J");
    const double mu = CltConstantMu(GdpMu(Number(row, "eps"), 1e-4), rate, 3500);
    const StepCounts steps{
        {Step(NoiseKind::GAUSSIAN, Amplification::WITHOUT_REPLACEMENT, rate, mu), 3500}};
    const double bound = Epsilon("pld", steps, 1e-4, Adjacency::REPLACE);
    // Bounds of two widths, extrapolated to width 0.
    HoldBound("pld, without replacement", bound * (1.0 + 1e-8), Number(row, "rich"));
    EXPECT_GE(Epsilon("rdp", steps, 1e-4, Adjacency::REPLACE), bound);
    EXPECT_GE(Number(row, "upper"), Number(row, "upper_h2"));
}

} // namespace

Checks
OtherChecks()
{
    return {
        {"advanced_composition", EachRow(CheckAdvanced)},
        {"dyn_wor_replace_upper", EachRow(CheckWithoutReplacement)},
        {"kov_pure", EachRow(CheckOptimal)},
        {"laplace_composition_delta", EachRow(CheckLaplaceComposition)},
        {"laplace_rdp", EachRow(CheckLaplaceRdp)},
        {"laplace_single_delta", EachRow(CheckLaplaceStep)},
        {"poisson_substitute_q0.01_s4_T1e4_d1e-5", CheckReplacedPoisson},
        {"zcdp", EachRow(CheckZcdp)},
    };
}

} // namespace dpdl
