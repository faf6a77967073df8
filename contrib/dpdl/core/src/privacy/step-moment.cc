// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "step-moment.h"

#include "dominating-pairs.h"
#include "log-mixture.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

/// The continuous sibling of a step.
PrivacyStep
Continuous(PrivacyStep step)
{
    step.noise = step.noise == NoiseKind::LAPLACE ? NoiseKind::LAPLACE : NoiseKind::GAUSSIAN;
    return step;
}

/// The distance of the two outputs of a step that holds the example.
double
DistanceOf(const PrivacyStep& step, Adjacency adjacency)
{
    return step.sampling == Amplification::WITHOUT_REPLACEMENT ? step.swing : step.Shift(adjacency);
}

} // namespace

std::string
WhyNoMoment(const PrivacyStep& step, Adjacency adjacency)
{
    if (step.noise == NoiseKind::DISCRETE_GAUSSIAN)
    {
        return step.rate < 1.0 && adjacency == Adjacency::REPLACE
                   ? "accepts discrete Gaussian noise with sampling under add-remove adjacency only"
                   : "";
    }
    return WhyNoPairs(step, adjacency);
}

StepMoment::StepMoment(const PrivacyStep& step, Adjacency adjacency)
    : m_pair(PairsOf(Continuous(step), adjacency).remove),
      m_rate(step.rate),
      m_shift(DistanceOf(step, adjacency)),
      m_bounded(step.noise == NoiseKind::LAPLACE),
      m_chords(step.noise == NoiseKind::DISCRETE_GAUSSIAN && step.rate < 1.0),
      m_mirrored(step.rate < 1.0 && adjacency == Adjacency::REPLACE)
{
}

double
StepMoment::At(double order) const
{
    const double below = std::floor(order);
    if (!m_chords || below == order)
    {
        return m_pair->LogMoment(order);
    }
    const double share = order - below;
    const double left = below > 1.0 ? m_pair->LogMoment(below) : 0.0;
    return (1.0 - share) * left + share * m_pair->LogMoment(below + 1.0);
}

double
StepMoment::Quick(double order) const
{
    constexpr double SHARP = 80.0;
    const double size = order * (m_bounded ? m_shift : m_shift * m_shift);
    return size > SHARP ? Coarse(order) : At(order);
}

double
StepMoment::Coarse(double order) const
{
    if (m_bounded)
    {
        return (order - 1.0) * LogMixture(m_rate, m_shift);
    }
    // Joint convexity; of a mirrored pair all of the part that stays counts as well.
    const double moved = 0.5 * order * (order - 1.0) * m_shift * m_shift;
    return m_mirrored ? std::log1p(m_rate * std::exp(std::min(moved, 600.0))) +
                            std::max(moved - 600.0, 0.0)
                      : LogMixture(m_rate, moved);
}

} // namespace dpdl
