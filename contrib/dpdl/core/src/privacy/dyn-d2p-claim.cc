// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-claims.h"
#include "claim-inputs.h"
#include "dpdl/base/quantity.h"
#include "dpdl/privacy/calibration.h"
#include "dpdl/privacy/gdp-clt.h"
#include "dpdl/privacy/gdp.h"

#include <algorithm>
#include <cmath>
#include <sstream>

// Dyn-D2P's growing mu, in mode paper by equation 8 or 10 and in mode sound scaled with a
// certified accountant.

namespace dpdl
{

namespace
{

/// mu_k / mu_0 of every round, or a single entry if all rounds are equal.
std::vector<double>
ShapeOf(double growth, std::uint64_t rounds)
{
    return growth == 1.0
               ? std::vector<double>{1.0}
               : ScheduleShape::Growing(1.0, static_cast<std::uint32_t>(rounds), growth).mu;
}

/// The releases of the run for a given scale of the shape.
std::vector<StepGroup>
ClaimedSteps(const ClaimInputs& inputs, const std::vector<double>& shape, double rate, double scale)
{
    const std::uint64_t each = inputs.Settings().rounds / shape.size();
    std::vector<StepGroup> steps;
    steps.reserve(shape.size());
    for (const double mu : shape)
    {
        steps.push_back(inputs.Group(rate, 1.0 / (scale * mu), each, ReleaseFlag::NONE));
    }
    return steps;
}

void
WarnOfKappa(double kappa, std::vector<std::string>& warnings)
{
    if (kappa <= CLT_KAPPA_INACCURATE)
    {
        return;
    }
    std::ostringstream text;
    text << "clt-regime: kappa = " << kappa << " should be below " << CLT_KAPPA_INACCURATE
         << "; the claim " << (kappa <= CLT_KAPPA_REFUSED ? "is inaccurate" : "means nothing");
    warnings.push_back(text.str());
}

} // namespace

DynD2pClaim::DynD2pClaim(std::string name, double growth, Calibration calibration)
    : m_name(std::move(name)),
      m_growth(growth),
      m_calibration(calibration)
{
}

PartInfo
DynD2pClaim::Info() const
{
    const bool general = m_calibration == Calibration::EQUATION_10;
    return {m_name,
            general ? "noise from the closed form of Proposition 4"
                    : "noise from the central-limit formula",
            std::string("Zhu et al., IJCAI 2025 (arXiv:2505.06651), ") +
                (general ? "Prop. 4, eq. 10" : "Prop. 3, eq. 8 and 9"),
            {{"batchSize", "64", "B, expected examples in a batch; 1 in mode paper"},
             {"muGrowth", ShowNumber(m_growth), "rho_mu: mu_k = mu_0 rho_mu^(k/K)"}}};
}

std::string
DynD2pClaim::Formula() const
{
    return m_calibration == Calibration::EQUATION_10
               ? "mu_total = p sqrt(2 sum mu_k^2), p = 1/J in mode paper"
               : "mu_total = p sqrt(sum (exp(mu_k^2) - 1)), p = 1/J in mode paper";
}

std::vector<Premise>
DynD2pClaim::Assumptions() const
{
    std::vector<Premise> assumptions{
        {"clt-regime", "so many rounds include any one example that the sum is nearly Gaussian"},
        {"poisson-sampling", "an example takes part with probability p, independently each round"},
        {"single-sample-batch", "in mode paper a round uses one example, p = 1/J"},
        {"add-remove-sensitivity", "one example moves the sum by the clip bound, not by twice it"}};
    if (m_calibration == Calibration::EQUATION_10)
    {
        assumptions.push_back({"small-mu", "exp(mu_k^2) - 1 < 2 mu_k^2, that is mu_k^2 < 1.256"});
    }
    return assumptions;
}

double
DynD2pClaim::PaperScale(const std::vector<double>& shape,
                        double rate,
                        const ClaimSettings& settings) const
{
    const double total = GdpMu(settings.epsilon, settings.question.delta);
    const double each = static_cast<double>(settings.rounds) / static_cast<double>(shape.size());
    if (m_calibration == Calibration::EQUATION_8)
    {
        // A shape with one entry represents all rounds: the share of one is total / sqrt(rounds).
        return CltScale(total / std::sqrt(each), shape, std::vector<double>(shape.size(), rate));
    }
    double sumOfSquares = 0.0;
    for (const double mu : shape)
    {
        sumOfSquares += each * mu * mu;
    }
    return total / rate / std::sqrt(2.0 * sumOfSquares);
}

ClaimedRun
DynD2pClaim::Run(const ClaimSettings& settings, const Accountant& accountant) const
{
    const ClaimInputs inputs(settings, Info());
    const double real = inputs.BatchSize(1.0) / inputs.LocalSamples();
    const double claimedRate = inputs.IsPaper() ? 1.0 / inputs.LocalSamples() : real;
    const double growth = inputs.Positive("muGrowth");
    std::vector<double> mu = ShapeOf(growth, settings.rounds);
    const double scale =
        inputs.IsPaper()
            ? PaperScale(mu, claimedRate, settings)
            : 1.0 / inputs.NoiseFactor(accountant, ClaimedSteps(inputs, mu, real, 1.0));
    ClaimedRun run;
    run.steps = ClaimedSteps(inputs, mu, real, scale);
    for (double& each : mu)
    {
        each *= scale;
    }
    const std::vector<double> rate(mu.size(), claimedRate);
    // Repeating the same steps increases the total and reduces the skewness.
    const double repeated = std::sqrt(inputs.Rounds() / static_cast<double>(mu.size()));
    const double total = CltMu(mu, rate) * repeated;
    const double kappa = CltKappa(mu, rate) / repeated;
    const bool byEquation10 = inputs.IsPaper() && m_calibration == Calibration::EQUATION_10;
    run.claimed = inputs.IsPaper() ? settings.epsilon : GdpEpsilon(total, settings.question.delta);
    run.warnings = inputs.SamplingWarnings(claimedRate, real);
    WarnOfKappa(kappa, run.warnings);
    const double largest = std::max(mu.front(), mu.back());
    if (byEquation10 && largest * largest > 1.256)
    {
        run.warnings.push_back("small-mu: mu_k^2 reaches " + ShowNumber(largest * largest) +
                               ", and the step of the proof holds below 1.256 only");
    }
    run.schedule = {
        {"rate", real},
        {"claimed_rate", claimedRate},
        {"noise_growth", growth},
        {"mu_total", byEquation10 ? GdpMu(settings.epsilon, settings.question.delta) : total},
        {"kappa", kappa},
        {"mu_first", mu.front()},
        {"mu_last", mu.back()},
        {"noise_first", 1.0 / mu.front()},
        {"noise_last", 1.0 / mu.back()}};
    return run;
}

} // namespace dpdl
