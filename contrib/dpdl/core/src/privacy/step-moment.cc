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
    : m_rate(step.rate),
      m_shift(DistanceOf(step, adjacency)),
      m_bounded(step.noise == NoiseKind::LAPLACE),
      m_chords(step.noise == NoiseKind::DISCRETE_GAUSSIAN && step.rate < 1.0),
      m_mirrored(step.rate < 1.0 && adjacency == Adjacency::REPLACE)
{
    if (m_bounded || m_mirrored)
    {
        m_pair = PairsOf(step, adjacency).remove;
    }
    else
    {
        m_gaussian = std::make_shared<SampledGaussian>(m_rate, m_shift);
    }
}

double
StepMoment::Moment(double order) const
{
    return m_gaussian ? m_gaussian->LogMoment(order) : m_pair->LogMoment(order);
}

double
StepMoment::At(double order) const
{
    const double below = std::floor(order);
    if (!m_chords || below == order)
    {
        return Moment(order);
    }
    const double share = order - below;
    const double left = below > 1.0 ? Moment(below) : 0.0;
    return (1.0 - share) * left + share * Moment(below + 1.0);
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
