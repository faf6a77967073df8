// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/node-plan.h"

#include "dpdl/base/quantity.h"
#include "dpdl/training/sum-rounding.h"
#include "plan-accountant.h"

#include <algorithm>
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

/// How far a record's numbers may be from the plan's, relative.
constexpr double TOLERANCE = 0x1p-20;

bool
IsClose(double a, double b)
{
    return std::fabs(a - b) <= TOLERANCE * std::fabs(b);
}

std::string
Says(const std::string& found, const std::string& planned)
{
    return found + ", the plan says " + planned;
}

/// What the noise of a release says of it.
ReleaseFlag
NoiseFlags(double noise, double grid)
{
    if (noise == 0.0)
    {
        return ReleaseFlag::UNNOISED_RELEASE;
    }
    return noise > 0.0 && grid == 0.0 ? ReleaseFlag::FLOAT_NOISE : ReleaseFlag::NONE;
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
    std::vector<double> strength;
    for (Round k = 0; k < m_settings->rounds; ++k)
    {
        const RoundShape shape = algorithm.schedule->At(algorithm, k, m_settings->rounds);
        RoundRule& rule = m_rules[k];
        rule.stepSize = shape.stepSize;
        rule.clip = shape.clip;
        rule.unit = shape.unit;
        rule.sensitivity = shape.clip;
        strength.push_back(shape.strength);
    }
    if (algorithm.isPrivate)
    {
        Calibrate(strength);
    }
}

std::uint32_t
NodePlan::Iterations() const
{
    return m_settings->algorithm.step->Iterations();
}

void
NodePlan::SetStrength(const std::vector<double>& strength, double scale)
{
    const double rounding =
        m_settings->floatSums ? DeviceSumRounding(SUM_BLOCK) : SumRounding(m_terms.localSamples);
    for (Round k = 0; k < m_settings->rounds; ++k)
    {
        RoundRule& rule = m_rules[k];
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

ScheduleShape
NodePlan::Steps(const std::vector<double>& strength) const
{
    ScheduleShape steps;
    for (const double mu : strength)
    {
        steps.mu.insert(steps.mu.end(), Iterations(), mu);
    }
    steps.rate.assign(steps.mu.size(), ClaimedRate());
    return steps;
}

double
NodePlan::CalibratedScale(const std::vector<double>& strength) const
{
    std::vector<Release> unit;
    for (Round k = 0; k < m_settings->rounds; ++k)
    {
        for (std::uint32_t i = 0; i < Iterations(); ++i)
        {
            unit.push_back(MakeRelease(strength[k], 1.0, k, i));
        }
    }
    return ScaleByAccountant(*m_guarantees, unit, m_terms.epsilon);
}

void
NodePlan::Calibrate(const std::vector<double>& strength)
{
    const AlgorithmPreset& algorithm = m_settings->algorithm;
    if (FollowsData())
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
            ? algorithm.claim->Scale(Steps(strength), m_terms.epsilon, m_settings->delta)
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
    // Rounding may cost the last bits, a grid a little more: the releases have to pass.
    constexpr int MOST = 20;
    for (int i = 0; i < MOST && Exceeds(epsilon); ++i)
    {
        scale *= 1.0 - std::ldexp(1e-9, i);
        SetStrength(strength, scale);
    }
}

bool
NodePlan::FollowsData() const
{
    return m_settings->mode == Mode::PAPER && m_settings->algorithm.sensitivity != nullptr;
}

void
NodePlan::SetUnitNoise()
{
    const AlgorithmPreset& algorithm = m_settings->algorithm;
    for (RoundRule& rule : m_rules)
    {
        // gamma_n decays with the step size.
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
    return m_settings->mode == Mode::PAPER && m_settings->algorithm.claim->CountsOneExample()
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
    const std::unique_ptr<ClaimTotal> claimed = m_settings->algorithm.claim->Start();
    for (Round k = 0; k < rounds; ++k)
    {
        for (std::uint32_t i = 0; i < Iterations(); ++i)
        {
            claimed->Add(m_rules[k].mu, ClaimedRate());
        }
    }
    return claimed->Epsilon(m_settings->delta);
}

double
NodePlan::ClaimKappa() const
{
    std::vector<double> mu;
    for (const RoundRule& rule : m_rules)
    {
        mu.push_back(rule.mu);
    }
    return m_settings->algorithm.claim->Kappa(Steps(mu));
}

Release
NodePlan::MakeRelease(double sensitivity, double noise, Round round, std::uint32_t iteration) const
{
    Release::Fields fields;
    fields.round = round;
    fields.stream = iteration;
    fields.mechanism = noise > 0.0 ? m_settings->noiseSource->Mechanism() : "none";
    if (m_settings->algorithm.isAmplified && !m_settings->ownPart)
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
        fields.flags = m_settings->flags | NoiseFlags(rule.noise, rule.grid);
        if (!std::isfinite(rule.clip))
        {
            fields.flags = fields.flags | ReleaseFlag::NO_CLIP;
        }
        releases.emplace_back(fields);
    }
    return releases;
}

std::vector<Release>
NodePlan::Match(NodeId node,
                Round round,
                const std::vector<ReleaseRecord>& records,
                std::string& mismatch) const
{
    const std::vector<Release> planned = ReleasesOf(node, round);
    mismatch.clear();
    if (records.size() != planned.size())
    {
        mismatch = Says("the step added noise " + std::to_string(records.size()) + " times",
                        std::to_string(planned.size()));
    }
    std::vector<Release> releases;
    for (std::size_t i = 0; i < std::max<std::size_t>(1, records.size()); ++i)
    {
        Release::Fields fields = planned[std::min(i, planned.size() - 1)].Get();
        const ReleaseRecord record = i < records.size() ? records[i] : ReleaseRecord();
        fields.stream = static_cast<std::uint32_t>(i);
        if (mismatch.empty())
        {
            mismatch = Difference(record, fields);
        }
        fields.stream = record.noiseKey - round * Iterations();
        fields.mechanism = record.mechanism;
        fields.sensitivity = record.sensitivity;
        fields.noise = record.deviation;
        fields.flags = m_settings->flags | NoiseFlags(record.deviation, record.grid);
        if (!std::isfinite(record.sensitivity))
        {
            fields.flags = fields.flags | ReleaseFlag::NO_CLIP;
        }
        if (record.dataDependent)
        {
            fields.flags = fields.flags | ReleaseFlag::DATA_DEPENDENT_SCALE;
        }
        if (record.batchDependent)
        {
            fields.flags = fields.flags | ReleaseFlag::BATCH_DEPENDENT_GRADIENT;
        }
        releases.emplace_back(fields);
    }
    if (!mismatch.empty())
    {
        for (Release& release : releases)
        {
            release = release.WithFlags(ReleaseFlag::PLAN_MISMATCH);
        }
    }
    return releases;
}

std::string
NodePlan::Difference(const ReleaseRecord& record, const Release::Fields& planned) const
{
    const Round key = planned.round * Iterations() + planned.stream;
    if (record.noiseKey != key)
    {
        return Says("the step used noise number " + std::to_string(record.noiseKey),
                    std::to_string(key));
    }
    if (record.mechanism != planned.mechanism && planned.mechanism != "none")
    {
        return Says("the step added noise '" + record.mechanism + "'",
                    "'" + planned.mechanism + "'");
    }
    const Sampler& sampler = *m_settings->sampler;
    const std::size_t shared = m_settings->shared > 0 ? m_settings->shared : m_settings->parameters;
    if (record.sampler != sampler.AccountingName() || !IsClose(record.rate, m_terms.samplingRate) ||
        record.epoch != sampler.Epoch(key, m_terms.localSamples))
    {
        return Says("the step drew its batch by '" + record.sampler + "' at rate " +
                        ShowNumber(record.rate),
                    "'" + sampler.AccountingName() + "' at rate " +
                        ShowNumber(m_terms.samplingRate));
    }
    if (record.values < shared)
    {
        return Says("the step added noise to " + std::to_string(record.values) + " parameters",
                    std::to_string(shared));
    }
    if (record.batchClip && !HasFlag(planned.flags, ReleaseFlag::BATCH_CLIP))
    {
        return "the step clipped the batch as a whole, the plan says each example";
    }
    if (HasFlag(planned.flags, ReleaseFlag::DATA_DEPENDENT_SCALE))
    {
        return ""; // the numbers are multiples of what only the data decide
    }
    if (record.dataDependent)
    {
        return "the step computed the noise's scale from data, the plan does not";
    }
    if (!(record.deviation >= planned.noise * (1.0 - TOLERANCE)))
    {
        return Says("the step added noise " + ShowNumber(record.deviation),
                    ShowNumber(planned.noise));
    }
    if (!(record.sensitivity <= planned.sensitivity * (1.0 + TOLERANCE)))
    {
        return Says("the sum has sensitivity " + ShowNumber(record.sensitivity),
                    ShowNumber(planned.sensitivity));
    }
    return "";
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
