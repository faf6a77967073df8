// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/node-plan.h"

#include "dpdl/training/clip-rule.h"
#include "plan-accountant.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

// NodePlan makes the schedule of nodes with equal privacy budget and number of examples, and
// calibrates their noise multipliers to the budget. Consecutive rounds with equal rules are stored
// as one rule.

namespace dpdl
{

namespace
{

/// True if the public randomness of the seed draws the node as a client of the round.
/// @param probability probability of being drawn
bool
IsDrawn(RandomSeed seed, double probability, NodeId node, Round round)
{
    return RandomStream(seed, RandomPurpose::CLIENTS, node, round).Uniform(0) < probability;
}

} // namespace

NodePlan::NodePlan(std::shared_ptr<const LearningPlanSettings> settings,
                   const NodeTerms& terms,
                   std::shared_ptr<AccountantCache> guarantees,
                   NodeId node)
    : m_settings(std::move(settings)),
      m_terms(terms),
      m_guarantees(std::move(guarantees)),
      m_rules(m_settings->rounds)
{
    const AlgorithmPreset& algorithm = m_settings->algorithm;
    std::vector<double> strength;
    for (Round k = 0; k < m_settings->rounds; ++k)
    {
        const RoundShape shape = ShapeOf(algorithm, k, m_settings->rounds);
        RoundRule& rule = m_rules[k];
        rule.stepSize = shape.stepSize;
        rule.clip = shape.clip;
        rule.unit = shape.unit;
        rule.sensitivity = shape.clip;
        rule.learns = shape.learns && (node > 0 || algorithm.serverLearns) &&
                      IsDrawn(m_settings->seed, algorithm.clients, node, k);
        strength.push_back(shape.strength);
        m_steps.push_back(k == 0 ? 0 : m_steps.back() + Round{m_rules[k - 1].learns});
    }
    const bool steps = std::any_of(m_rules.begin(), m_rules.end(), [](const RoundRule& rule) {
        return rule.learns;
    });
    if (algorithm.isPrivate && steps)
    {
        Calibrate(strength);
    }
    Fold(std::move(m_rules));
}

void
NodePlan::Fold(std::vector<RoundRule> rules)
{
    m_rules.clear();
    m_first.clear();
    m_steps.clear();
    Round steps = 0;
    for (Round k = 0; k < rules.size(); ++k)
    {
        if (m_rules.empty() || !(m_rules.back() == rules[k]))
        {
            m_first.push_back(k);
            m_rules.push_back(rules[k]);
            m_steps.push_back(steps);
        }
        steps += Round{rules[k].learns};
    }
    m_first.shrink_to_fit();
    m_rules.shrink_to_fit();
    m_steps.shrink_to_fit();
}

std::size_t
NodePlan::RuleOf(Round round) const
{
    // Before Fold() merges rounds with equal rules, there is one rule per round, and m_first is
    // empty.
    const auto next = std::upper_bound(m_first.begin(), m_first.end(), round);
    return m_first.empty() ? round : static_cast<std::size_t>(next - m_first.begin() - 1);
}

const RoundRule&
NodePlan::At(Round round) const
{
    return m_rules[RuleOf(round)];
}

Round
NodePlan::StepsBefore(Round round) const
{
    const std::size_t rule = RuleOf(round);
    const bool isLater = !m_first.empty() && m_rules[rule].learns;
    return m_steps[rule] + (isLater ? round - m_first[rule] : 0);
}

void
NodePlan::SetStrength(const std::vector<double>& strength, double scale)
{
    const double rounding =
        m_settings->floatSums ? DeviceSumRounding(SUM_BLOCK) : SumRounding(m_terms.localSamples);
    for (Round k = 0; k < m_settings->rounds; ++k)
    {
        RoundRule& rule = m_rules[k];
        if (!rule.learns)
        {
            continue;
        }
        rule.mu = scale * strength[k];
        if (m_settings->noise)
        {
            const NoiseScale fit = m_settings->noiseSource->Fit(rule.unit * (1.0 + rounding),
                                                                rule.mu,
                                                                m_settings->parameters,
                                                                m_terms.localSamples);
            rule.noise = fit.deviation;
            rule.grid = fit.grid;
            rule.sensitivity = std::isfinite(rule.clip) ? fit.sensitivity : rule.clip;
        }
    }
}

void
NodePlan::RaiseNoise(const std::vector<double>& noise)
{
    std::vector<RoundRule> rules;
    for (Round k = 0; k < noise.size(); ++k)
    {
        rules.push_back(At(k));
        if (noise[k] > rules[k].noise)
        {
            rules[k].mu *= rules[k].noise / noise[k];
            rules[k].noise = noise[k];
        }
    }
    Fold(std::move(rules));
}

ScheduleShape
NodePlan::Steps(const std::vector<double>& strength) const
{
    ScheduleShape steps;
    for (Round k = 0; k < m_settings->rounds; ++k)
    {
        steps.mu.insert(steps.mu.end(), IterationsOf(k), strength[k]);
    }
    steps.rate.assign(steps.mu.size(), ClaimedRate());
    return steps;
}

double
NodePlan::CalibratedScale(const std::vector<double>& strength) const
{
    ReleaseTally unit;
    for (Round k = 0; k < m_settings->rounds; ++k)
    {
        for (std::uint32_t i = 0; i < IterationsOf(k); ++i)
        {
            const Release release = MakeRelease(strength[k], 1.0, k, i);
            if (const auto step = StepOf(release))
            {
                unit.Add(*step, release.epoch);
            }
        }
    }
    return ScaleByAccountant(*m_guarantees, unit.Steps(), m_terms.epsilon);
}

void
NodePlan::Calibrate(const std::vector<double>& strength)
{
    const AlgorithmPreset& algorithm = m_settings->algorithm;
    if (m_settings->mode == Mode::PAPER && algorithm.sensitivity != nullptr)
    {
        SetUnitNoise();
        return;
    }
    if (!Budget())
    {
        SetStrength(strength, 1.0 / algorithm.noiseMultiplier);
        return;
    }
    const std::optional<double> byFormula =
        m_settings->mode == Mode::PAPER
            ? algorithm.claim.Scale(Steps(strength), m_terms.epsilon, m_settings->delta)
            : std::nullopt;
    if (byFormula)
    {
        SetStrength(strength, *byFormula);
        return;
    }
    SpendAtMost(m_terms.epsilon, strength);
}

void
NodePlan::SpendAtMost(double epsilon, const std::vector<double>& strength)
{
    double scale = CalibratedScale(strength);
    SetStrength(strength, scale);
    // The epsilon of the releases may be slightly above the budget, by rounding errors and because
    // values are rounded to a grid. So the loop raises the noise multiplier until the releases fit
    // the budget, in at most MOST steps, by about 0.1 % in all. If the releases still exceed the
    // budget, the noise of the last step stays. The certified epsilon of the run is computed from
    // the releases, so it then shows the excess.
    constexpr int MOST = 20;
    for (int i = 0; i < MOST && Exceeds(epsilon); ++i)
    {
        scale *= 1.0 - std::ldexp(1e-9, i);
        SetStrength(strength, scale);
    }
}

void
NodePlan::SetUnitNoise()
{
    const AlgorithmPreset& algorithm = m_settings->algorithm;
    for (RoundRule& rule : m_rules)
    {
        // The noise rate gamma_n, a factor on the noise scale of DPPS, is proportional to the step
        // size.
        const double rate = algorithm.sensitivity->noiseRate * rule.stepSize / algorithm.stepSize;
        rule.unit = 1.0;
        rule.sensitivity = 1.0;
        rule.mu = m_terms.epsilon / rate;
        rule.noise = m_settings->noise ? 1.0 / rule.mu : 0.0;
    }
}

bool
NodePlan::Exceeds(double epsilon) const
{
    ReleaseTally releases;
    for (Round k = 0; k < m_settings->rounds && m_settings->noise; ++k)
    {
        for (std::uint32_t i = 0; i < IterationsOf(k); ++i)
        {
            releases.Add(MakeRelease(m_rules[k].sensitivity, m_rules[k].noise, k, i));
        }
    }
    const double certified = m_guarantees->Of(releases).epsilon;
    return certified > epsilon && std::isfinite(certified);
}

std::optional<double>
NodePlan::Budget() const
{
    const AlgorithmPreset& algorithm = m_settings->algorithm;
    return algorithm.isPrivate && algorithm.noiseMultiplier == 0.0
               ? std::optional<double>(m_terms.epsilon)
               : std::nullopt;
}

double
NodePlan::ClaimedRate() const
{
    return m_settings->mode == Mode::PAPER && m_settings->algorithm.claim.oneExample
               ? 1.0 / static_cast<double>(m_terms.localSamples)
               : m_terms.samplingRate;
}

double
NodePlan::ClaimedEpsilon(Round rounds) const
{
    if (!m_settings->algorithm.isPrivate)
    {
        return std::numeric_limits<double>::infinity();
    }
    const Claim& claim = m_settings->algorithm.claim;
    double spent = 0.0;
    for (Round k = 0; k < rounds; ++k)
    {
        for (std::uint32_t i = 0; i < IterationsOf(k); ++i)
        {
            spent += claim.Spent(At(k).mu, ClaimedRate());
        }
    }
    return claim.Epsilon(spent, m_settings->delta);
}

double
NodePlan::ClaimKappa() const
{
    std::vector<double> mu;
    for (Round k = 0; k < m_settings->rounds; ++k)
    {
        mu.push_back(At(k).mu);
    }
    return m_settings->algorithm.claim.Kappa(Steps(mu));
}

} // namespace dpdl
