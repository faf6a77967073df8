// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "oracles.h"

#include <gtest/gtest.h>

namespace dpdl
{

namespace
{

void
CheckDynSchedule(const Tree& row)
{
    const double rate = Number(row, "B") / Number(row, "J");
    const auto steps = static_cast<std::uint32_t>(Number(row, "K"));
    const double total = GdpMu(Number(row, "eps"), Number(row, "delta"));
    Hold("clt", total, Number(row, "mu_tot"), ROOT);
    Hold("clt", CltConstantMu(total, rate, steps), Number(row, "mu_bar"), ROOT);
    Hold("clt", CltInitialMu(total, rate, steps, 2.0), Number(row, "mu0_rho2"), ROOT);
    Hold("clt", CltInitialMu(total, rate, steps, 10.0), Number(row, "mu0_rho10"), ROOT);
}

void
CheckDynConstant(const Tree& row)
{
    HoldPld(Schedule::Constant(1.0 / Number(row, "J"), Number(row, "mu_bar"), 3500),
            1e-4,
            Direction::REMOVE,
            Number(row, "hx0.004"));
}

void
CheckDynTruth(const Tree& row)
{
    const bool single = Child(row, "p").data() == "1/J";
    const double rate = (single ? 1.0 : 64.0) / Number(row, "J");
    const double growth = Number(row, "rho");
    const double mu = Number(row, "mu0");
    const auto scheduleOf = [=](double scale) {
        return growth == 1.0 ? Schedule::Constant(rate, scale * mu, 3500)
                             : Schedule::Growing(rate, scale * mu, growth, 3500);
    };
    // Sampling single examples made the oracle's quadrature and the end of its sum too coarse.
    const double tolerance = single ? 1e-7 : EXACT;
    const double coarser = single ? 3e-6 : EXACT;
    Schedule once = scheduleOf(1.0);
    HoldPld(once, 1e-4, Direction::REMOVE, Number(row, "true_rem"), tolerance);
    HoldPld(once, 1e-4, Direction::ADD, Number(row, "true_add"), single ? 3e-10 : EXACT);
    HoldPld(scheduleOf(2.0), 1e-4, Direction::REMOVE, Number(row, "true_rem_2C"), coarser);
    if (growth == 1.0)
    {
        const std::vector<double> mus(3500, mu);
        Hold("clt kappa",
             CltKappa(mus, std::vector<double>(3500, rate)),
             Number(row, "clt_skew"),
             ROOT);
    }
}

void
CheckDynExtra(const Tree& row)
{
    const double local = Number(row, "J");
    const double total = Number(row, "mu_tot");
    for (const int batch : {1, 64})
    {
        for (const int growth : {1, 2, 10})
        {
            const double initial = CltInitialMu(total, batch / local, 3500, growth);
            std::vector<double> mu(3500);
            for (std::size_t k = 0; k < mu.size(); ++k)
            {
                mu[k] = initial * std::pow(growth, k / 3500.0);
            }
            const std::vector<double> rate(3500, batch / local);
            const std::string key =
                "kappa_B" + std::to_string(batch) + "_rho" + std::to_string(growth);
            Hold("clt kappa", CltKappa(mu, rate), Number(row, key), ROOT);
        }
    }
    const double mu = CltConstantMu(total, 1.0 / local, 3500);
    HoldPld(Schedule::Constant(64.0 / local, mu, 3500),
            1e-4,
            Direction::REMOVE,
            Number(row, "mismatch_p64_C"));
    // Here the oracle's quadrature was also too coarse.
    HoldPld(Schedule::Constant(1.0 / local, Number(row, "prop4_mu"), 3500),
            1e-4,
            Direction::REMOVE,
            Number(row, "prop4_true_rem"),
            3e-5);
    Hold("rdp epsilon",
         Schedule::Constant(1.0 / local, mu, 3500).Epsilon("rdp", 1e-4),
         Numbers(Child(row, "rdp_p1"))[0],
         RENYI);
}

void
CheckDynCalibrated(const Tree& row)
{
    const double rate = 1.0 / Number(row, "J");
    const double total = GdpMu(Number(row, "eps"), 1e-4);
    Hold("clt", 1.0 / CltConstantMu(total, rate, 3500), Number(row, "claimed_sigma"), ROOT);
    HoldPld(Schedule::Constant(rate, 1.0 / Number(row, "poisson_sigma"), 3500),
            1e-4,
            Direction::REMOVE,
            Number(row, "eps"));
    const double mu = 1.0 / Number(row, "wor_replace_sigma");
    const StepCounts drawn{
        {{NoiseKind::GAUSSIAN, Amplification::WITHOUT_REPLACEMENT, rate, mu, 2.0 * mu}, 3500}};
    Hold("pld, without replacement",
         Accountants().Get("pld")->Evaluate(drawn, {1e-4, Adjacency::REPLACE}).epsilon,
         Number(row, "eps"),
         PLD_EXCESS);
}

void
CheckDynGrowing(const Tree& tree)
{
    const double total = GdpMu(1.0, 1e-4);
    HoldPld(Schedule::Growing(1.0 / 2500, CltInitialMu(total, 1.0 / 2500, 3500, 2.0), 2.0, 3500),
            1e-4,
            Direction::REMOVE,
            Number(tree, "contour"));
}

/// 1000 steps of ADP-VRSGP whose claim is epsilon / c2 = strength, at delta = 1e-5.
Schedule
AdpSchedule(double strength)
{
    const double rate = 64.0 / 7500;
    const auto alpha = [](int t) { return std::pow(t / 5 + 10, 0.2); };
    double sum = 0.0;
    for (int t = 0; t < 1000; ++t)
    {
        sum += 1.0 / (alpha(t) * alpha(t));
    }
    Schedule schedule;
    for (int t = 1; t <= 1000; ++t)
    {
        schedule.Add(rate, strength / (rate * std::sqrt(std::log(1e5) * sum) * alpha(t)));
    }
    return schedule;
}

void
CheckAdpTruth(const Tree& row)
{
    Schedule schedule = AdpSchedule(Number(row, "r"));
    if (Has(row, "contour"))
    {
        HoldPld(schedule, 1e-5, Direction::REMOVE, Number(row, "contour"));
    }
    else
    {
        const Guarantee bound = schedule.Ask("pld", 1e-5, Direction::REMOVE);
        EXPECT_GT(bound.epsilon, Number(row, "fft_grouped_low"));
        EXPECT_LT(bound.lower, Number(row, "fft_upper_grouped"));
    }
    // The oracle's Renyi bound rounds the steps up to fewer kinds.
    EXPECT_LT(schedule.Epsilon("rdp", 1e-5), Number(row, "rdp"));
}

void
CheckAdpConstants(const Tree& tree)
{
    for (const auto& [claim, row] : tree)
    {
        HoldPld(AdpSchedule(Number(row, "r")), 1e-5, Direction::REMOVE, std::stod(claim));
        Hold("gdp delta", Number(row, "r") * Number(row, "c2"), std::stod(claim), CLOSED_FORM);
    }
}

void
CheckFixedClip(const Tree& row)
{
    auto schedule = Schedule::Constant(1.0 / Number(row, "J"),
                                       Number(row, "mu"),
                                       static_cast<std::uint64_t>(Number(row, "K")));
    const double upper = Number(row, "eps_upper");
    HoldBound("pld", schedule.Epsilon("pld", 1e-5), upper * (1.0 - PLD_EXCESS / 2.0));
    if (Number(row, "mu") <= 100.0)
    {
        // A certified bound is above the value, by some 1e-6 here.
        HoldPld(schedule, 1e-5, Direction::REMOVE, upper, 5e-6);
    }
}

} // namespace

Checks
PublishedChecks()
{
    return {
        {"adad2p_clip", EachRow(CheckFixedClip)},
        {"adp_vrsgp_c2_needed", CheckAdpConstants},
        {"adp_vrsgp_true_eps_vs_r", EachRow(CheckAdpTruth)},
        {"dyn_calibrated_sigma", EachRow(CheckDynCalibrated)},
        {"dyn_claimed_vs_true", EachRow(CheckDynTruth)},
        {"dyn_d2p", EachRow(CheckDynSchedule)},
        {"dyn_extra_prop4_mismatch", EachRow(CheckDynExtra)},
        {"dyn_hetero_rho2_eps1_J2500", CheckDynGrowing},
        {"dyn_true_const", EachRow(CheckDynConstant)},
    };
}

} // namespace dpdl
