// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "tilted-composition.h"

#include "mu-quadrature.h"

#include <cmath>
#include <limits>

namespace dpdl
{

TiltedComposition::TiltedComposition(const SampledSteps& steps,
                                     double fullMuSquared,
                                     bool remove,
                                     int nodes)
    : m_square(fullMuSquared),
      m_largest(remove || fullMuSquared > 0.0 ? std::numeric_limits<double>::infinity() : 0.0)
{
    for (const auto& [rate, counts] : steps)
    {
        for (const auto& entry : counts)
        {
            m_largest -= entry.second * std::log1p(-rate);
        }
        for (const MuNode& node : QuadratureOver(counts, nodes))
        {
            m_kinds.push_back({TiltedLoss(rate, node.mu, remove), node.weight});
        }
    }
}

double
TiltedComposition::LogMoment(double c) const
{
    double sum = 0.5 * c * (c + 1.0) * m_square;
    for (const Kind& kind : m_kinds)
    {
        sum += kind.weight * kind.loss.LogMoment(c);
    }
    return sum;
}

void
TiltedComposition::Tilt(double c)
{
    m_c = c;
    for (Kind& kind : m_kinds)
    {
        kind.loss.Tilt(c);
    }
}

double
TiltedComposition::LogMoments(double first, double step, std::vector<std::complex<double>>& sum)
{
    for (std::size_t j = 0; j < sum.size(); ++j)
    {
        const std::complex<double> z(m_c, first + step * static_cast<double>(j));
        sum[j] = 0.5 * m_square * z * (z + 1.0);
    }
    double work = 0.0;
    for (Kind& kind : m_kinds)
    {
        work += kind.loss.AddLogMoments(first, step, sum.size(), kind.weight, sum.data());
    }
    return work;
}

double
TiltedComposition::MostWork() const
{
    // Points times nodes, some 1 ns each: for the line, and for each kind of steps.
    constexpr double MOST_WORK = 5e7;
    constexpr double WORK_PER_KIND = 1e7;
    return MOST_WORK + WORK_PER_KIND * static_cast<double>(m_kinds.size());
}

double
TiltedComposition::Work(double imaginary, std::size_t count) const
{
    double points = 0.0;
    for (const Kind& kind : m_kinds)
    {
        points += kind.loss.Points(m_c, 2.0 * imaginary);
    }
    return points * static_cast<double>(count);
}

} // namespace dpdl
