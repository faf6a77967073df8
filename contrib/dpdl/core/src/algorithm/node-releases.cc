// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/node-plan.h"
#include "dpdl/base/quantity.h"

#include <algorithm>
#include <cmath>
#include <utility>

// Makes the ledger entries of a node: the planned ones, and those from the records of its steps.

namespace dpdl
{

namespace
{

/// Largest accepted relative difference between a number in a recorded release and the same number
/// in the planned release.
constexpr double TOLERANCE = 0x1p-20;

std::string
Says(const std::string& found, const std::string& planned)
{
    return found + ", the plan says " + planned;
}

/// Flags of a release that its noise standard deviation and its grid determine.
/// @param noise standard deviation, or scale of Laplace noise
/// @param grid distance of the values to which a release is rounded; 0: no rounding
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

Release
NodePlan::MakeRelease(double sensitivity, double noise, Round round, std::uint32_t iteration) const
{
    Release fields;
    fields.round = round;
    fields.stream = iteration;
    fields.mechanism = noise > 0.0 ? m_settings->noiseSource->Mechanism() : "none";
    if (m_settings->algorithm.isAmplified && !m_settings->ownPart)
    {
        fields.sampler = m_settings->sampler->AccountingName();
        fields.rate = m_terms.samplingRate;
        const Round draw = StepsBefore(round) * Iterations() + iteration;
        if (fields.HasEpochs())
        {
            fields.epoch = m_settings->sampler->Epoch(draw, m_terms.localSamples);
        }
    }
    else if (!m_settings->ownPart && !HasFlag(m_settings->flags, ReleaseFlag::BATCH_CLIP))
    {
        const std::string name = m_settings->sampler->AccountingName();
        // With the sampler name `fixed`, accountants count a removed example as a replaced one.
        fields.sampler = name == "fixed" || name == "shuffle" ? "fixed" : fields.sampler;
    }
    fields.sensitivity = sensitivity;
    fields.noise = noise;
    // BATCH_CLIP is the only flag that changes the cost of a release without ruling out a finite
    // guarantee.
    fields.flags = HasFlag(m_settings->flags, ReleaseFlag::BATCH_CLIP) ? ReleaseFlag::BATCH_CLIP
                                                                       : ReleaseFlag::NONE;
    return fields;
}

Release
NodePlan::PlannedRelease(NodeId node, Round round, std::uint32_t iteration) const
{
    const RoundRule& rule = At(round);
    Release fields = MakeRelease(rule.sensitivity, rule.noise, round, iteration);
    fields.node = node;
    fields.flags = m_settings->flags | NoiseFlags(rule.noise, rule.grid);
    if (!std::isfinite(rule.clip))
    {
        fields.flags = fields.flags | ReleaseFlag::NO_CLIP;
    }
    return fields;
}

std::vector<Release>
NodePlan::ReleasesOf(NodeId node, Round round) const
{
    std::vector<Release> releases;
    for (std::uint32_t i = 0; i < IterationsOf(round); ++i)
    {
        releases.emplace_back(PlannedRelease(node, round, i));
    }
    return releases;
}

std::vector<Release>
NodePlan::Match(NodeId node,
                Round round,
                const std::vector<Release>& records,
                std::string& mismatch) const
{
    const std::size_t draws = IterationsOf(round);
    mismatch.clear();
    if (records.size() != draws)
    {
        mismatch = Says("the step added noise " + std::to_string(records.size()) + " times",
                        std::to_string(draws));
    }
    std::vector<Release> releases;
    for (std::size_t i = 0; i < std::max<std::size_t>(1, records.size()); ++i)
    {
        const std::size_t iteration = std::min<std::size_t>(i, Iterations() - 1);
        Release planned = PlannedRelease(node, round, static_cast<std::uint32_t>(iteration));
        Release entry = i < records.size() ? records[i] : Release();
        planned.stream = static_cast<std::uint32_t>(i);
        if (mismatch.empty())
        {
            mismatch = Difference(entry, planned);
        }
        entry.node = node;
        entry.round = round;
        entry.sampler = planned.sampler;
        entry.rate = planned.rate;
        entry.epoch = planned.epoch;
        entry.flags = entry.flags | m_settings->flags |
                      (entry.noise == 0.0 ? ReleaseFlag::UNNOISED_RELEASE : ReleaseFlag::NONE) |
                      (std::isfinite(entry.sensitivity) ? ReleaseFlag::NONE : ReleaseFlag::NO_CLIP);
        releases.emplace_back(std::move(entry));
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
NodePlan::Difference(const Release& record, const Release& planned) const
{
    const auto keyOf = [this](const Release& release) {
        return release.round * Iterations() + release.stream;
    };
    const Round draw = StepsBefore(planned.round) * Iterations() + planned.stream;
    if (keyOf(record) != keyOf(planned))
    {
        return Says("the step used noise number " + std::to_string(keyOf(record)),
                    std::to_string(keyOf(planned)));
    }
    if (record.mechanism != planned.mechanism && planned.mechanism != "none")
    {
        return Says("the step added noise '" + record.mechanism + "'",
                    "'" + planned.mechanism + "'");
    }
    const Sampler& sampler = *m_settings->sampler;
    const std::size_t shared = m_settings->shared > 0 ? m_settings->shared : m_settings->parameters;
    const double rate = m_terms.samplingRate;
    if (record.sampler != sampler.AccountingName() ||
        !(std::fabs(record.rate - rate) <= TOLERANCE * std::fabs(rate)) ||
        record.epoch != sampler.Epoch(draw, m_terms.localSamples))
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
    if (HasFlag(record.flags, ReleaseFlag::BATCH_CLIP) &&
        !HasFlag(planned.flags, ReleaseFlag::BATCH_CLIP))
    {
        return "the step clipped the batch as a whole, the plan says each example";
    }
    if (HasFlag(planned.flags, ReleaseFlag::DATA_DEPENDENT_SCALE))
    {
        return ""; // the plan cannot know noise scale and sensitivity, which depend on data
    }
    if (HasFlag(record.flags, ReleaseFlag::DATA_DEPENDENT_SCALE))
    {
        return "the step computed the noise's scale from data, the plan does not";
    }
    if (!(record.noise >= planned.noise * (1.0 - TOLERANCE)))
    {
        return Says("the step added noise " + ShowNumber(record.noise), ShowNumber(planned.noise));
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
        const std::vector<Release> planned = ReleasesOf(node, k);
        releases.insert(releases.end(), planned.begin(), planned.end());
    }
    return releases;
}

} // namespace dpdl
