// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/learning-plan.h"

#include "dpdl/privacy/accountant.h"
#include "dpdl/privacy/calibration.h"
#include "dpdl/privacy/gdp-clt.h"
#include "dpdl/privacy/gdp.h"

#include <cmath>
#include <limits>

namespace dpdl
{

namespace
{

/// Sampling probability of the paper's formula: one sample a step in paper mode.
double
ClaimedRate(const LearningPlanSettings& settings)
{
    return settings.mode == Mode::PAPER ? 1.0 / static_cast<double>(settings.localSamples)
                                        : settings.samplingRate;
}

} // namespace

LearningPlan::LearningPlan(const LearningPlanSettings& settings)
    : m_settings(settings),
      m_rules(settings.rounds)
{
    const AlgorithmPreset& algorithm = m_settings.algorithm;
    const auto rounds = static_cast<double>(m_settings.rounds);
    for (Round k = 0; k < m_settings.rounds; ++k)
    {
        RoundRule& rule = m_rules[k];
        rule.stepSize = algorithm.stepSize;
        rule.clip = algorithm.isPrivate
                        ? algorithm.clip * std::pow(algorithm.clipDecay, -(k / rounds))
                        : std::numeric_limits<double>::infinity();
        rule.sensitivity = rule.clip;
    }
    if (algorithm.isPrivate)
    {
        Calibrate();
    }
}

void
LearningPlan::Calibrate()
{
    const bool paper = m_settings.mode == Mode::PAPER;
    const ScheduleShape shape = ScheduleShape::Growing(ClaimedRate(m_settings),
                                                       m_settings.rounds,
                                                       m_settings.algorithm.noiseGrowth);
    const double epsilon = m_settings.epsilon;
    const double delta = m_settings.delta;
    const double scale = paper ? CalibrateScaleByClt(shape, epsilon, delta)
                               : CalibrateScale(*Accountants().Get("rdp"), shape, epsilon, delta);
    for (Round k = 0; k < m_settings.rounds; ++k)
    {
        RoundRule& rule = m_rules[k];
        rule.mu = scale * shape.mu[k];
        if (m_settings.noise)
        {
            const NoiseScale fit =
                m_settings.noiseSource->Fit(rule.clip, rule.mu, m_settings.parameters);
            rule.noise = fit.deviation;
            rule.grid = fit.grid;
            rule.sensitivity = fit.sensitivity;
        }
    }
}

double
LearningPlan::ClaimedEpsilon(Round rounds) const
{
    if (!m_settings.algorithm.isPrivate)
    {
        return std::numeric_limits<double>::infinity();
    }
    std::vector<double> mu;
    for (Round k = 0; k < rounds; ++k)
    {
        mu.push_back(m_rules[k].mu);
    }
    const std::vector<double> rate(mu.size(), ClaimedRate(m_settings));
    return mu.empty() ? 0.0 : GdpEpsilon(CltMu(mu, rate), m_settings.delta);
}

Release
LearningPlan::ReleaseOf(NodeId node, Round round) const
{
    const RoundRule& rule = m_rules[round];
    Release::Fields fields;
    fields.node = node;
    fields.round = round;
    fields.mechanism = rule.noise > 0.0 ? m_settings.noiseSource->Mechanism() : "none";
    fields.sampler = m_settings.samplingRate < 1.0 ? m_settings.sampler->AccountingName() : "full";
    fields.rate = m_settings.samplingRate;
    fields.epoch = m_settings.sampler->Epoch(round, m_settings.localSamples);
    fields.sensitivity = rule.sensitivity;
    fields.noise = rule.noise;
    if (rule.noise == 0.0)
    {
        fields.flags = fields.flags | ReleaseFlag::UNNOISED_RELEASE;
    }
    if (rule.noise > 0.0 && rule.grid == 0.0)
    {
        fields.flags = fields.flags | ReleaseFlag::FLOAT_NOISE;
    }
    if (!std::isfinite(rule.clip))
    {
        fields.flags = fields.flags | ReleaseFlag::NO_CLIP;
    }
    return Release(fields);
}

} // namespace dpdl
