// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/privacy-step.h"

#include <algorithm>
#include <tuple>

namespace dpdl
{

namespace
{

NoiseKind
KindOf(const std::string& mechanism)
{
    if (mechanism == "laplace")
    {
        return NoiseKind::LAPLACE;
    }
    return mechanism == "discrete-gaussian" ? NoiseKind::DISCRETE_GAUSSIAN : NoiseKind::GAUSSIAN;
}

} // namespace

std::string
ToString(Adjacency adjacency)
{
    return adjacency == Adjacency::REPLACE ? "replace" : "add-remove";
}

bool
PrivacyStep::operator<(const PrivacyStep& other) const
{
    return std::tie(noise, sampling, rate, muAddRemove, muReplace) <
           std::tie(other.noise, other.sampling, other.rate, other.muAddRemove, other.muReplace);
}

std::optional<PrivacyStep>
StepOf(const Release& release)
{
    if (release.rate == 0.0 || release.Mu() == 0.0)
    {
        return std::nullopt;
    }
    PrivacyStep step;
    step.noise = KindOf(release.mechanism);
    step.muAddRemove = release.Mu();
    // If a batch is clipped as a whole, muAddRemove already covers any change within the clip norm.
    step.muReplace =
        HasFlag(release.flags, ReleaseFlag::BATCH_CLIP) ? step.muAddRemove : 2.0 * step.muAddRemove;
    if (release.sampler == "fixed" || release.sampler == "shuffle")
    {
        // In a batch of fixed size, another example replaces a removed example.
        step.muAddRemove = step.muReplace;
    }
    if (release.rate < 1.0 && (release.sampler == "poisson" || release.sampler == "cyclic-poisson"))
    {
        step.sampling = Amplification::POISSON;
        step.rate = release.rate;
    }
    else if (release.rate < 1.0 && release.sampler == "fixed")
    {
        step.sampling = Amplification::WITHOUT_REPLACEMENT;
        step.rate = release.rate;
    }
    return step;
}

ReleaseTally::ReleaseTally(const std::vector<Release>& releases)
{
    for (const Release& release : releases)
    {
        Add(release);
    }
}

void
ReleaseTally::Add(const PrivacyStep& step, std::optional<std::uint32_t> epoch, std::uint64_t count)
{
    if (!epoch)
    {
        m_steps[step] += count;
        return;
    }
    const auto [known, isNew] = m_epochs.try_emplace({step.noise, *epoch}, step);
    if (!isNew)
    {
        const auto before = m_steps.find(known->second);
        if (--before->second == 0)
        {
            m_steps.erase(before);
        }
        known->second.rate = std::max(known->second.rate, step.rate);
        known->second.muAddRemove = std::max(known->second.muAddRemove, step.muAddRemove);
        known->second.muReplace = std::max(known->second.muReplace, step.muReplace);
    }
    ++m_steps[known->second];
}

void
ReleaseTally::Add(const Release& release, std::uint64_t count)
{
    if (m_reason.empty())
    {
        m_reason = release.UnsupportedReason();
    }
    if (!m_reason.empty())
    {
        return;
    }
    m_hasBatchClip = m_hasBatchClip || HasFlag(release.flags, ReleaseFlag::BATCH_CLIP);
    if (const auto step = StepOf(release))
    {
        Add(*step, release.HasEpochs() ? release.epoch : std::nullopt, count);
    }
}

} // namespace dpdl
