// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/claim.h"

#include "dpdl/privacy/gdp.h"

#include <cmath>
#include <limits>

namespace dpdl
{

namespace
{

/// Formula from a paper as text, and the paper's assumptions.
struct Published
{
    std::string text;
    std::vector<ClaimAssumption> assumptions;
};

const Published&
RowOf(ClaimFormula formula)
{
    static const ClaimAssumption POISSON{
        "poisson-sampling",
        "an example takes part with probability p, independently each "
        "round"};
    static const ClaimAssumption SINGLE{"single-sample-batch",
                                        "in mode paper a round uses one example, p = 1/J"};
    static const ClaimAssumption ADDED{
        "add-remove-sensitivity",
        "one example moves the sum by the clip bound, not by twice it"};
    static const std::map<ClaimFormula, Published> TABLE{
        {ClaimFormula::NONE, {}},
        {ClaimFormula::CLT,
         {"mu_total = p sqrt(sum (exp(mu_k^2) - 1)), p = 1/J in mode paper",
          {{"clt-regime",
            "enough rounds include any one example for the sum to be nearly Gaussian"},
           POISSON,
           SINGLE,
           ADDED}}},
        {ClaimFormula::MOMENTS,
         {"epsilon = c2 sqrt(log(1/delta) sum (p mu_k)^2)",
          {{"moments-regime", "noise multiplier >= 1, q < 1/(16 noise), epsilon < c1 q^2 T"},
           {"stated-c2", "the constant c2 is what the proof really gives"},
           POISSON,
           SINGLE,
           {"per-sample-clip", "each example is clipped, not the batch"},
           ADDED,
           {"public-noise-scale", "the noise scale tells nothing of the data"},
           {"bounded-gradient", "no gradient exceeds the noise's own unit"}}}},
        {ClaimFormula::PURE_SUM,
         {"epsilon of a round = b / gamma_n, rounds add up; --epsilon is b",
          {{"b-strong-connectivity", "the union of any B rounds' graphs is strongly connected"},
           {"maximum-heard", "every node knows the largest sensitivity before it adds noise"},
           {"public-noise-scale", "the estimated sensitivity tells nothing of the data"},
           {"estimate-dominates", "the estimate, with tuned constants, is never too small"},
           {"node-adjacency", "neighbours differ in which node answered, not in one example"},
           {"pure-composition", "the epsilons of the rounds add up"}}}}};
    return TABLE.at(formula);
}

} // namespace

std::string
ToString(Mode mode)
{
    return mode == Mode::PAPER ? "paper" : "sound";
}

double
Claim::Spent(double mu, double rate) const
{
    switch (formula)
    {
    case ClaimFormula::CLT:
        return rate > 0.0 ? rate * rate * std::expm1(mu * mu) : 0.0;
    case ClaimFormula::MOMENTS:
        return rate * rate * mu * mu;
    case ClaimFormula::PURE_SUM:
        return mu;
    case ClaimFormula::NONE:
        break;
    }
    return 0.0;
}

double
Claim::Epsilon(double spent, double delta) const
{
    switch (formula)
    {
    case ClaimFormula::CLT:
        return spent > 0.0 ? GdpEpsilon(std::sqrt(spent), delta) : 0.0;
    case ClaimFormula::MOMENTS:
        return c2 * std::sqrt(-spent * std::log(delta));
    case ClaimFormula::PURE_SUM:
        return spent;
    case ClaimFormula::NONE:
        break;
    }
    return std::numeric_limits<double>::infinity();
}

std::optional<double>
Claim::Scale(const ScheduleShape& steps, double epsilon, double delta) const
{
    if (formula == ClaimFormula::NONE)
    {
        return std::nullopt;
    }
    CheckTarget(epsilon, delta);
    if (formula == ClaimFormula::CLT)
    {
        return WithoutLastDigits(CalibrateScaleByClt(steps, epsilon, delta));
    }
    // The epsilon of the formulas MOMENTS and PURE_SUM is proportional to a common factor on the mu
    // of all steps.
    double spent = 0.0;
    for (std::size_t k = 0; k < steps.mu.size(); ++k)
    {
        spent += Spent(steps.mu[k], steps.rate[k]);
    }
    return epsilon / Epsilon(spent, delta);
}

double
Claim::Kappa(const ScheduleShape& steps) const
{
    return formula == ClaimFormula::CLT ? CltKappa(steps.mu, steps.rate) : 0.0;
}

std::string
Claim::Text() const
{
    return RowOf(formula).text;
}

const std::vector<ClaimAssumption>&
Claim::Assumptions() const
{
    return RowOf(formula).assumptions;
}

} // namespace dpdl
