// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/node-plan.h"

#include "dpdl/privacy/calibration.h"
#include "dpdl/privacy/clt-total.h"
#include "dpdl/privacy/gdp-clt.h"
#include "dpdl/privacy/gdp.h"
#include "plan-accountant.h"

#include <cmath>
#include <limits>
#include <utility>

namespace dpdl
{

namespace
{

/// Those of the flags that change what a release costs and do not rule a guarantee out.
ReleaseFlag
CostFlags(ReleaseFlag flags)
{
    return HasFlag(flags, ReleaseFlag::BATCH_CLIP) ? ReleaseFlag::BATCH_CLIP : ReleaseFlag::NONE;
}

} // namespace

NodePlan::NodePlan(std::shared_ptr<const LearningPlanSettings> settings,
                   const NodeTerms& terms,
                   std::shared_ptr<GuaranteeCache> guarantees)
    : m_settings(std::move(settings)),
      m_terms(terms),
      m_guarantees(std::move(guarantees)),
      m_rules(m_settings->rounds)
{
    const AlgorithmPreset& algorithm = m_settings->algorithm;
    for (Round k = 0; k < m_settings->rounds; ++k)
    {
        const RoundShape shape = algorithm.schedule->At(algorithm, k, m_settings->rounds);
        RoundRule& rule = m_rules[k];
        rule.stepSize = shape.stepSize;
        rule.clip = shape.clip;
        rule.unit = shape.unit;
        rule.sensitivity = shape.clip;
    }
    if (algorithm.isPrivate)
    {
        Calibrate();
    }
}

std::uint32_t
NodePlan::Iterations() const
{
    return m_settings->algorithm.step->Iterations();
}

void
NodePlan::SetStrength(const std::vector<double>& shape, double scale)
{
    for (Round k = 0; k < m_settings->rounds; ++k)
    {
        RoundRule& rule = m_rules[k];
        rule.mu = scale * shape[k];
        if (m_settings->noise)
        {
            const NoiseScale fit =
                m_settings->noiseSource->Fit(rule.unit, rule.mu, m_settings->parameters);
            rule.noise = fit.deviation;
            rule.grid = fit.grid;
            rule.sensitivity = std::isfinite(rule.clip) ? fit.sensitivity : rule.clip;
        }
    }
}

double
NodePlan::CalibratedScale(const std::vector<double>& shape) const
{
    std::vector<Release> unit;
    for (Round k = 0; k < m_settings->rounds; ++k)
    {
        for (std::uint32_t i = 0; i < Iterations(); ++i)
        {
            unit.push_back(MakeRelease(shape[k], 1.0, k, i));
        }
    }
    return ScaleByAccountant(*m_guarantees, unit, m_terms.epsilon);
}

void
NodePlan::Calibrate()
{
    std::vector<double> strength;
    ScheduleShape steps;
    for (Round k = 0; k < m_settings->rounds; ++k)
    {
        const AlgorithmPreset& algorithm = m_settings->algorithm;
        strength.push_back(algorithm.schedule->At(algorithm, k, m_settings->rounds).strength);
        steps.mu.insert(steps.mu.end(), Iterations(), strength.back());
    }
    steps.rate.assign(steps.mu.size(), ClaimedRate());
    if (m_settings->mode == Mode::PAPER)
    {
        SetStrength(strength, CalibrateScaleByClt(steps, m_terms.epsilon, m_settings->delta));
        return;
    }
    double scale = CalibratedScale(strength);
    SetStrength(strength, scale);
    // Rounding may cost the last bits, a grid a little more: the releases have to pass.
    constexpr int MOST = 20;
    for (int i = 0; i < MOST && Exceeds(m_terms.epsilon); ++i)
    {
        scale *= 1.0 - std::ldexp(1e-9, i);
        SetStrength(strength, scale);
    }
}

bool
NodePlan::Exceeds(double epsilon) const
{
    std::vector<Release> releases;
    for (Round k = 0; k < m_settings->rounds && m_settings->noise; ++k)
    {
        for (std::uint32_t i = 0; i < Iterations(); ++i)
        {
            releases.push_back(MakeRelease(m_rules[k].sensitivity, m_rules[k].noise, k, i));
        }
    }
    const double certified = m_guarantees->Of(releases).epsilon;
    return certified > epsilon && std::isfinite(certified);
}

double
NodePlan::ClaimedRate() const
{
    return m_settings->mode == Mode::PAPER ? 1.0 / static_cast<double>(m_terms.localSamples)
                                           : m_terms.samplingRate;
}

double
NodePlan::ClaimedEpsilon(Round rounds) const
{
    if (!m_settings->algorithm.isPrivate)
    {
        return std::numeric_limits<double>::infinity();
    }
    CltTotal claimed;
    for (Round k = 0; k < rounds; ++k)
    {
        for (std::uint32_t i = 0; i < Iterations(); ++i)
        {
            claimed.Add(m_rules[k].mu, ClaimedRate());
        }
    }
    return rounds == 0 ? 0.0 : GdpEpsilon(claimed.Mu(), m_settings->delta);
}

double
NodePlan::ClaimKappa() const
{
    std::vector<double> mu;
    for (const RoundRule& rule : m_rules)
    {
        mu.insert(mu.end(), Iterations(), rule.mu);
    }
    return CltKappa(mu, std::vector<double>(mu.size(), ClaimedRate()));
}

Release
NodePlan::MakeRelease(double sensitivity, double noise, Round round, std::uint32_t iteration) const
{
    Release::Fields fields;
    fields.round = round;
    fields.stream = iteration;
    fields.mechanism = noise > 0.0 ? m_settings->noiseSource->Mechanism() : "none";
    if (m_settings->algorithm.isAmplified)
    {
        fields.sampler = m_settings->sampler->AccountingName();
        fields.rate = m_terms.samplingRate;
        const Round draw = round * Iterations() + iteration;
        fields.epoch = m_settings->sampler->Epoch(draw, m_terms.localSamples);
    }
    fields.sensitivity = sensitivity;
    fields.noise = noise;
    fields.flags = CostFlags(m_settings->flags);
    return Release(fields);
}

std::vector<Release>
NodePlan::ReleasesOf(NodeId node, Round round) const
{
    const RoundRule& rule = m_rules[round];
    std::vector<Release> releases;
    for (std::uint32_t i = 0; i < Iterations(); ++i)
    {
        Release::Fields fields = MakeRelease(rule.sensitivity, rule.noise, round, i).Get();
        fields.node = node;
        fields.flags = m_settings->flags;
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
        releases.emplace_back(fields);
    }
    return releases;
}

std::vector<Release>
NodePlan::Releases(NodeId node) const
{
    std::vector<Release> releases;
    for (Round k = 0; k < m_settings->rounds; ++k)
    {
        for (Release& release : ReleasesOf(node, k))
        {
            releases.push_back(std::move(release));
        }
    }
    return releases;
}

} // namespace dpdl
