// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/noise-source.h"
#include "dpdl/privacy/gdp.h"
#include "dpdl/privacy/rdp.h"
#include "oracles.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{

namespace
{

void
CheckGdp(const Tree& row)
{
    const double mu = Number(row, "mu");
    const double epsilon = Number(row, "eps");
    if (Has(row, "logdelta"))
    {
        Hold("gdp log delta", GdpLogDelta(epsilon, mu), Number(row, "logdelta"), CLOSED_FORM);
        return;
    }
    Hold("gdp delta", std::exp(GdpLogDelta(epsilon, mu)), Number(row, "delta"), CLOSED_FORM);
}

void
CheckGdpMu(const Tree& row)
{
    Hold("gdp roots", GdpMu(Number(row, "eps"), Number(row, "delta")), Number(row, "mu"), ROOT);
}

void
CheckGdpEpsilon(const Tree& row)
{
    Hold("gdp roots",
         GdpEpsilon(Number(row, "mu"), Number(row, "delta")),
         Number(row, "eps"),
         ROOT);
    Hold("gdp roots",
         Schedule::Constant(1.0, Number(row, "mu") / 2.0, 4).Epsilon("gdp", Number(row, "delta")),
         Number(row, "eps"),
         ROOT);
}

void
CheckAnalyticGaussian(const Tree& row)
{
    const double mu = GdpMu(Number(row, "eps"), Number(row, "delta"));
    Hold("gdp roots", Number(row, "sens") / mu, Number(row, "sigma"), ROOT);
}

void
CheckClassicalGaussian(const Tree& row)
{
    // The textbook noise meets its target, with noise to spare.
    EXPECT_LT(GdpEpsilon(1.0 / Number(row, "sigma"), Number(row, "delta")), Number(row, "eps"));
}

void
CheckRdp(const Tree& row)
{
    Hold("rdp",
         SampledGaussianRdp(Number(row, "q"), 1.0 / Number(row, "sigma"), Number(row, "alpha")),
         Number(row, "rdp"),
         RENYI);
}

void
CheckRdpToEpsilon(const Tree& row)
{
    auto schedule = Schedule::Constant(Number(row, "q"),
                                       1.0 / Number(row, "sigma"),
                                       static_cast<std::uint64_t>(Number(row, "T")));
    Hold("rdp epsilon",
         schedule.Epsilon("rdp", Number(row, "delta")),
         Number(row, "eps_cks_cont"),
         RENYI);
}

void
CheckPldEpsilon(const Tree& row)
{
    const Direction direction =
        Child(row, "direction").data() == "rem" ? Direction::REMOVE : Direction::ADD;
    HoldPld(Schedule::Constant(Number(row, "q"),
                               Number(row, "mu"),
                               static_cast<std::uint64_t>(Number(row, "T"))),
            Number(row, "delta"),
            direction,
            Number(row, "eps_mp"));
}

void
CheckExtrapolated(const Tree& row)
{
    // Two Fourier transforms of different width, extrapolated to width 0: good to some 1e-9.
    HoldPld(Schedule::Constant(Number(row, "q"),
                               Number(row, "mu"),
                               static_cast<std::uint64_t>(Number(row, "T"))),
            Number(row, "delta"),
            Direction::REMOVE,
            Number(row, "eps"),
            3e-9);
}

void
CheckOpacus(const Tree& tree)
{
    auto schedule = Schedule::Constant(0.04, 1.0 / 1.5, 2250);
    HoldPld(schedule, 1e-5, Direction::REMOVE, Number(tree, "exact_rem"));
    HoldPld(schedule, 1e-5, Direction::ADD, Number(tree, "exact_add"));
    const double renyi = schedule.Epsilon("rdp", 1e-5);
    Hold("rdp epsilon", renyi, Number(tree, "rdp"), RENYI);
    // A grid of orders cannot be better, and neither can a bound that has an error itself.
    EXPECT_LE(renyi, Number(tree, "opacus_rdp"));
    EXPECT_LE(Number(tree, "exact_rem"), Number(tree, "opacus_prv"));
    const std::vector<double> mu(2250, 1.0 / 1.5);
    const std::vector<double> rate(2250, 0.04);
    Hold("clt", GdpEpsilon(CltMu(mu, rate), 1e-5), Number(tree, "clt"), ROOT);
}

void
CheckThreeGroups(const Tree& tree)
{
    Schedule schedule;
    for (const auto& item : Child(tree, "items"))
    {
        const std::vector<double> group = Numbers(item.second);
        schedule.Add(group[0], 1.0 / group[1], static_cast<std::uint64_t>(group[2]));
    }
    HoldPld(schedule, 1e-5, Direction::REMOVE, Number(tree, "rem"));
    HoldPld(schedule, 1e-5, Direction::ADD, Number(tree, "add"));
}

void
CheckSmallDelta(const Tree& row)
{
    const auto schedule = Schedule::Constant(Number(row, "q"),
                                             1.0 / Number(row, "sigma"),
                                             static_cast<std::uint64_t>(Number(row, "T")));
    const double delta = Number(row, "delta");
    if (delta < LEAST_DELTA)
    {
        EXPECT_EQ(schedule.Ask("pld", delta, Direction::REMOVE).epsilon, INFINITY);
        return;
    }
    HoldPld(schedule, delta, Direction::REMOVE, Number(row, "eps"));
}

/// Values by numerical inversion of the Laplace transform of the privacy loss, to 12 digits.
void
CheckInvertedLaplace(const Tree& row)
{
    const auto schedule = Schedule::Constant(Number(row, "q"),
                                             1.0 / Number(row, "sigma"),
                                             static_cast<std::uint64_t>(Number(row, "T")));
    for (const auto& [name, direction] :
         {std::pair{"remove", Direction::REMOVE}, {"add", Direction::ADD}})
    {
        if (Has(row, name))
        {
            const double exact = Number(row, name);
            const Guarantee bound = schedule.Ask("pld", Number(row, "delta"), direction);
            EXPECT_GE(bound.epsilon, exact * (1.0 - 1e-10));
            EXPECT_LE(bound.epsilon, exact + PLD_EXCESS * std::max(1.0, exact));
            EXPECT_LE(bound.lower, exact * (1.0 + 1e-10));
        }
    }
}

} // namespace

Checks
GaussianChecks()
{
    return {
        {"analytic_gaussian_sigma", EachRow(CheckAnalyticGaussian)},
        {"classical_gaussian_sigma", EachRow(CheckClassicalGaussian)},
        {"fft_extrapolated", EachRow(CheckExtrapolated)},
        {"gdp_delta", EachRow(CheckGdp)},
        {"gdp_eps", EachRow(CheckGdpEpsilon)},
        {"gdp_logdelta", EachRow(CheckGdp)},
        {"gdp_mu", EachRow(CheckGdpMu)},
        {"heterogeneous_3group_d1e-5", CheckThreeGroups},
        {"inverted_laplace", EachRow(CheckInvertedLaplace)},
        {"opacus_q0.04_s1.5_T2250_d1e-5", CheckOpacus},
        {"pld_eps", EachRow(CheckPldEpsilon)},
        {"rdp_sampled_gaussian", EachRow(CheckRdp)},
        {"rdp_to_eps", EachRow(CheckRdpToEpsilon)},
        {"small_delta", EachRow(CheckSmallDelta)},
    };
}

} // namespace dpdl
