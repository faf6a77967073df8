// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "accountants.h"
#include "dpdl/privacy/gdp.h"
#include "dpdl/privacy/rdp.h"
#include "pure-composition.h"

#include <cmath>
#include <sstream>

// Accountants with closed formulas. For each accountant, one function rejects unsupported steps and
// another function computes epsilon.

namespace dpdl
{

namespace
{

std::string
UnsupportedByGdp(const PrivacyStep& step, Adjacency /* adjacency */)
{
    if (step.noise != NoiseKind::GAUSSIAN || step.sampling != Amplification::NONE)
    {
        return "accepts Gaussian noise without sampling only";
    }
    return "";
}

void
AccountByGdp(const StepCounts& steps, const AccountingQuery& question, Guarantee& guarantee)
{
    double sum = 0.0;
    for (const auto& [step, count] : steps)
    {
        const double shift = step.Shift(question.adjacency);
        sum += static_cast<double>(count) * shift * shift;
    }
    guarantee.epsilon = GdpEpsilon(std::sqrt(sum), question.delta);
    guarantee.lower = guarantee.epsilon;
}

std::string
UnsupportedByZcdp(const PrivacyStep& step, Adjacency /* adjacency */)
{
    return step.sampling == Amplification::NONE ? "" : "accepts steps without sampling only";
}

void
AccountByZcdp(const StepCounts& steps, const AccountingQuery& question, Guarantee& guarantee)
{
    // Every step is rho-zCDP. For (discrete) Gaussian noise, rho is mu^2 / 2. For an epsilon-DP
    // step, rho is epsilon^2 / 2; a Laplace step has epsilon = mu.
    RdpComposition composition;
    for (const auto& [step, count] : steps)
    {
        composition.Add(1.0, step.Shift(question.adjacency), count);
    }
    guarantee.epsilon = composition.Optimise(question.delta).epsilon;
}

void
AccountByOptimal(const StepCounts& steps, const AccountingQuery& question, Guarantee& guarantee)
{
    const PureSteps pure = ToPureSteps(steps, question.adjacency);
    guarantee.epsilon = OptimalEpsilon(pure, question.delta);
    if (pure.size() > 1)
    {
        guarantee.warnings.emplace_back(
            "the steps are not equal: a bound is given in place of the optimal composition");
    }
}

void
AccountByAdvanced(const StepCounts& steps, const AccountingQuery& question, Guarantee& guarantee)
{
    guarantee.epsilon = AdvancedEpsilon(ToPureSteps(steps, question.adjacency), question.delta);
}

void
AccountByPure(const StepCounts& steps, const AccountingQuery& question, Guarantee& guarantee)
{
    guarantee.epsilon = BasicEpsilon(ToPureSteps(steps, question.adjacency));
}

std::string
UnsupportedByClt(const PrivacyStep& step, Adjacency adjacency)
{
    if (step.noise != NoiseKind::GAUSSIAN)
    {
        return "accepts Gaussian noise only";
    }
    if (step.sampling == Amplification::POISSON && adjacency == Adjacency::REPLACE)
    {
        return "has no formula for Poisson sampling under replace adjacency";
    }
    return "";
}

void
AccountByClt(const StepCounts& steps, const AccountingQuery& question, Guarantee& guarantee)
{
    double square = 0.0;
    double variance = 0.0;
    double third = 0.0;
    for (const auto& [step, count] : steps)
    {
        const auto times = static_cast<double>(count);
        const bool fixed = step.sampling == Amplification::WITHOUT_REPLACEMENT;
        const std::vector<double> rate{step.rate};
        const std::vector<double> mu{fixed ? step.muReplace : step.Shift(question.adjacency)};
        const double poisson = CltMu(mu, rate);
        const double claimed = fixed ? CltFixedMu(mu, rate) : poisson;
        square += times * claimed * claimed;
        variance += times * poisson * poisson;
        third += times * CltKappa(mu, rate) * poisson * poisson * poisson;
    }
    guarantee.epsilon = GdpEpsilon(std::sqrt(square), question.delta);
    const double kappa = third / variance / std::sqrt(variance);
    if (!(kappa <= CLT_KAPPA_INACCURATE))
    {
        std::ostringstream text;
        text << "the central-limit formula is "
             << (kappa <= CLT_KAPPA_REFUSED
                     ? "inaccurate here"
                     : "not valid here, may be far too small and is refused as a "
                       "guarantee")
             << ": kappa = " << (std::isfinite(kappa) ? kappa : HUGE_VAL)
             << ", which should be below " << CLT_KAPPA_INACCURATE;
        guarantee.warnings.push_back(text.str());
    }
}

} // namespace

std::vector<AccountantRow>
ClosedFormAccountants()
{
    return {
        {"gdp",
         "certified and exact: Gaussian steps without sampling",
         "Dong, Roth and Su 2022",
         true,
         UnsupportedByGdp,
         AccountByGdp},
        {"zcdp",
         "certified: zero-concentrated DP; any noise, without sampling",
         "Bun and Steinke 2016; Canonne, Kamath and Steinke 2020",
         true,
         UnsupportedByZcdp,
         AccountByZcdp},
        {"optimal-composition",
         "certified: the best for pure DP as a black box; Laplace noise",
         "Kairouz, Oh and Viswanath 2017",
         true,
         WhyNotPure,
         AccountByOptimal},
        {"advanced",
         "certified: advanced composition of pure DP; Laplace noise",
         "Dwork, Rothblum and Vadhan 2010",
         true,
         WhyNotPure,
         AccountByAdvanced},
        {"basic",
         "certified at any delta: the sum of pure DP; Laplace noise",
         "Dwork et al. 2006; Balle, Barthe and Gaboardi 2018",
         true,
         WhyNotPure,
         AccountByPure},
        {"clt",
         "claimed only: the central-limit formula, with its validity indicator",
         "Zhu et al., IJCAI 2025, Prop. 3; Bu et al. 2020",
         false,
         UnsupportedByClt,
         AccountByClt},
    };
}

} // namespace dpdl
