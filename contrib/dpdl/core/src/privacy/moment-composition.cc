// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "moment-composition.h"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <limits>

// Bounds the Renyi divergence of Gaussian, Laplace and discrete Gaussian steps, sampled or not, and
// of their compositions.

namespace dpdl
{

namespace
{

/// mu is rounded up to a geometric grid with this number of points per factor of two.
constexpr double PER_OCTAVE = 256.0;

/// Rounds the mu of each step up to the next point of a geometric grid.
StepCounts
RoundedUp(const StepCounts& steps)
{
    StepCounts rounded;
    for (const auto& [step, count] : steps)
    {
        PrivacyStep larger = step;
        larger.muAddRemove =
            std::exp2(std::ceil(PER_OCTAVE * std::log2(step.muAddRemove)) / PER_OCTAVE);
        larger.muReplace = step.muReplace * (larger.muAddRemove / step.muAddRemove);
        rounded[larger] += count;
    }
    return rounded;
}

/// Minimum of a function over u in [-12, 10]. A scan stops after 4 points without a smaller value.
/// A refinement around the smallest value follows.
/// @return the minimum's position and value
template <typename F>
std::pair<double, double>
LeastOver(F f)
{
    constexpr double STEP = 0.5;
    double best = std::numeric_limits<double>::infinity();
    double at = -12.0;
    int rises = 0;
    for (double u = -12.0; u <= 10.0 && rises < 4; u += STEP)
    {
        const double value = f(u);
        rises = value < best ? 0 : rises + 1;
        if (value < best)
        {
            best = value;
            at = u;
        }
    }
    std::uintmax_t iterations = 100;
    const auto found =
        boost::math::tools::brent_find_minima(f, at - STEP, at + STEP, 26, iterations);
    return found.second < best ? found : std::make_pair(at, best);
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
    : m_chords(step.noise == NoiseKind::DISCRETE_GAUSSIAN && step.rate < 1.0)
{
    if (step.noise == NoiseKind::LAPLACE || (step.rate < 1.0 && adjacency == Adjacency::REPLACE))
    {
        m_pair = PairsOf(step, adjacency).remove;
    }
    else
    {
        m_gaussian = std::make_shared<SampledGaussian>(step.rate, step.Distance(adjacency));
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

bool
NeedsPair(const PrivacyStep& step, Adjacency adjacency)
{
    if (step.sampling == Amplification::NONE)
    {
        return step.noise == NoiseKind::LAPLACE;
    }
    return step.noise != NoiseKind::GAUSSIAN || adjacency == Adjacency::REPLACE ||
           step.sampling != Amplification::POISSON;
}

MomentComposition::MomentComposition(const StepCounts& steps, Adjacency adjacency)
{
    StepCounts others;
    for (const auto& [step, count] : steps)
    {
        if (step.noise != NoiseKind::LAPLACE && step.rate == 1.0)
        {
            const double shift = step.Shift(adjacency);
            m_fullSquares += static_cast<double>(count) * shift * shift;
        }
        else
        {
            others[step] += count;
        }
    }
    m_rounded = others.size() > MOST_KINDS;
    for (const auto& [step, count] : m_rounded ? RoundedUp(others) : others)
    {
        m_steps.emplace_back(StepMoment(step, adjacency), static_cast<double>(count));
    }
}

double
MomentComposition::Rdp(double order) const
{
    double logMoment = 0.0;
    for (const auto& [step, count] : m_steps)
    {
        logMoment += count * step.At(order);
    }
    return logMoment / (order - 1.0) + 0.5 * order * m_fullSquares;
}

RdpOptimum
MomentComposition::Optimise(double delta) const
{
    if (m_steps.empty() && m_fullSquares == 0.0)
    {
        return {};
    }
    const auto [u, best] = LeastOver([this, delta](double v) {
        const double order = 1.0 + std::exp(v);
        return RdpToEpsilon(Rdp(order), order, delta);
    });
    return {std::max(best, 0.0), 1.0 + std::exp(u)};
}

} // namespace dpdl
