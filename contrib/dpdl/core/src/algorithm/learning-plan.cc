// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/learning-plan.h"

#include "dpdl/base/errors.h"
#include "dpdl/privacy/calibration.h"
#include "dpdl/privacy/clt-total.h"
#include "dpdl/privacy/gdp-clt.h"
#include "dpdl/privacy/gdp.h"

#include <cmath>
#include <limits>

namespace dpdl
{

namespace
{

/// The certified accountants that have a finite answer for some steps.
std::string
CertifiedNames(const StepCounts& steps, const Question& question)
{
    std::vector<std::string> certified;
    for (const std::string& name : Accountants().AvailableNames())
    {
        const auto accountant = Accountants().Get(name);
        if (accountant->Certified() && accountant->Evaluate(steps, question).reason.empty())
        {
            certified.push_back(name);
        }
    }
    return JoinNames(certified);
}

/// The accountant of that name, which has to be a certified one.
std::shared_ptr<const Accountant>
CertifiedAccountant(const std::string& name)
{
    const auto accountant = Accountants().Get(name);
    if (!accountant->Certified())
    {
        throw UsageError("option 'accountant'",
                         name,
                         "one whose epsilon is proven: " + CertifiedNames({}, Question()));
    }
    return accountant;
}

/// Those of the flags that change what a release costs and do not rule a guarantee out.
ReleaseFlag
CostFlags(ReleaseFlag flags)
{
    return HasFlag(flags, ReleaseFlag::BATCH_CLIP) ? ReleaseFlag::BATCH_CLIP : ReleaseFlag::NONE;
}

} // namespace

LearningPlan::LearningPlan(const LearningPlanSettings& settings)
    : m_settings(settings),
      m_rules(settings.rounds)
{
    const AlgorithmPreset& algorithm = m_settings.algorithm;
    m_settings.flags = m_settings.flags | algorithm.flags;
    m_guarantees = std::make_shared<GuaranteeCache>(
        CertifiedAccountant(m_settings.accountant),
        Question{m_settings.delta, m_settings.adjacency, Direction::BOTH});
    for (Round k = 0; k < m_settings.rounds; ++k)
    {
        const RoundShape shape = algorithm.schedule->At(algorithm, k, m_settings.rounds);
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

void
LearningPlan::SetStrength(const std::vector<double>& shape, double scale)
{
    for (Round k = 0; k < m_settings.rounds; ++k)
    {
        RoundRule& rule = m_rules[k];
        rule.mu = scale * shape[k];
        if (m_settings.noise)
        {
            const NoiseScale fit =
                m_settings.noiseSource->Fit(rule.unit, rule.mu, m_settings.parameters);
            rule.noise = fit.deviation;
            rule.grid = fit.grid;
            rule.sensitivity = std::isfinite(rule.clip) ? fit.sensitivity : rule.clip;
        }
    }
}

double
LearningPlan::CalibratedScale(const std::vector<double>& shape) const
{
    const Accountant& accountant = m_guarantees->GetAccountant();
    const Question& question = m_guarantees->GetQuestion();
    std::vector<Release> unit;
    for (Round k = 0; k < m_settings.rounds; ++k)
    {
        unit.push_back(MakeRelease(m_settings.noiseSource->Mechanism(), shape[k], 1.0, k));
    }
    CheckTarget(m_settings.epsilon, m_settings.delta);
    const StepCounts steps = NormalForm(unit);
    constexpr double WEAK = 1e-3;
    // One weak step tells whether the accountant knows steps of this kind.
    PrivacyStep weak = steps.begin()->first;
    weak.mu *= WEAK / weak.swing;
    weak.swing = WEAK;
    const StepCounts one{{weak, 1}};
    const std::string reason = accountant.Evaluate(one, question).reason;
    if (!reason.empty())
    {
        throw UsageError("option 'accountant'",
                         m_settings.accountant,
                         "one that knows these steps, as " + CertifiedNames(one, question) + ": " +
                             reason);
    }
    return CalibrateSteps(accountant, steps, m_settings.epsilon, question);
}

void
LearningPlan::Calibrate()
{
    const double epsilon = m_settings.epsilon;
    ScheduleShape shape = ScheduleShape::Constant(ClaimedRate(), m_settings.rounds);
    for (Round k = 0; k < m_settings.rounds; ++k)
    {
        shape.mu[k] =
            m_settings.algorithm.schedule->At(m_settings.algorithm, k, m_settings.rounds).strength;
    }
    if (m_settings.mode == Mode::PAPER)
    {
        SetStrength(shape.mu, CalibrateScaleByClt(shape, epsilon, m_settings.delta));
    }
    else
    {
        double scale = CalibratedScale(shape.mu);
        SetStrength(shape.mu, scale);
        // Rounding may cost the last bits, a grid a little more: the releases have to pass.
        constexpr int MOST = 20;
        for (int i = 0; i < MOST && Exceeds(epsilon); ++i)
        {
            scale *= 1.0 - std::ldexp(1e-9, i);
            SetStrength(shape.mu, scale);
        }
    }
}

bool
LearningPlan::Exceeds(double epsilon) const
{
    std::vector<Release> releases;
    for (Round k = 0; k < m_settings.rounds && m_settings.noise; ++k)
    {
        const RoundRule& rule = m_rules[k];
        releases.push_back(
            MakeRelease(m_settings.noiseSource->Mechanism(), rule.sensitivity, rule.noise, k));
    }
    const double certified = m_guarantees->Of(releases).epsilon;
    return certified > epsilon && std::isfinite(certified);
}

double
LearningPlan::ClaimedRate() const
{
    return m_settings.mode == Mode::PAPER ? 1.0 / static_cast<double>(m_settings.localSamples)
                                          : m_settings.samplingRate;
}

double
LearningPlan::ClaimedEpsilon(Round rounds) const
{
    if (!m_settings.algorithm.isPrivate)
    {
        return std::numeric_limits<double>::infinity();
    }
    CltTotal claimed;
    for (Round k = 0; k < rounds; ++k)
    {
        claimed.Add(m_rules[k].mu, ClaimedRate());
    }
    return rounds == 0 ? 0.0 : GdpEpsilon(claimed.Mu(), m_settings.delta);
}

double
LearningPlan::ClaimKappa() const
{
    std::vector<double> mu;
    for (const RoundRule& rule : m_rules)
    {
        mu.push_back(rule.mu);
    }
    return CltKappa(mu, std::vector<double>(mu.size(), ClaimedRate()));
}

Release
LearningPlan::MakeRelease(const std::string& mechanism,
                          double sensitivity,
                          double noise,
                          Round round) const
{
    Release::Fields fields;
    fields.round = round;
    fields.mechanism = mechanism;
    fields.sampler = m_settings.sampler->AccountingName();
    fields.rate = m_settings.samplingRate;
    fields.epoch = m_settings.sampler->Epoch(round, m_settings.localSamples);
    fields.sensitivity = sensitivity;
    fields.noise = noise;
    fields.flags = CostFlags(m_settings.flags);
    return Release(fields);
}

Release
LearningPlan::ReleaseOf(NodeId node, Round round) const
{
    const RoundRule& rule = m_rules[round];
    const std::string mechanism = rule.noise > 0.0 ? m_settings.noiseSource->Mechanism() : "none";
    Release::Fields fields = MakeRelease(mechanism, rule.sensitivity, rule.noise, round).Get();
    fields.node = node;
    fields.flags = m_settings.flags;
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

std::vector<Release>
LearningPlan::Releases() const
{
    std::vector<Release> releases;
    for (Round k = 0; k < Rounds(); ++k)
    {
        releases.push_back(ReleaseOf(0, k));
    }
    return releases;
}

} // namespace dpdl
