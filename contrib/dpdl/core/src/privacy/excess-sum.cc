// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "excess-sum.h"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <limits>
#include <utility>

namespace dpdl
{

namespace
{

using Rule = boost::math::quadrature::gauss<double, 20>;
constexpr std::size_t PANEL = 20;
constexpr double MOST_PANELS = 1000.0;

/// log |e^y - 1|
double
LogExpm1(double y)
{
    return y > 30.0 ? y + std::log1p(-std::exp(-y)) : std::log(std::abs(std::expm1(y)));
}

} // namespace

ExcessSum::ExcessSum(Curve curve, double width, const std::vector<LossPoint>& atoms)
    : m_curve(std::move(curve)),
      m_width(width),
      m_atoms(atoms.size()),
      m_points(atoms)
{
}

bool
ExcessSum::Affordable(double to) const
{
    return to / m_width <= MOST_PANELS;
}

std::size_t
ExcessSum::PointsFor(double to) const
{
    // Whole panels up to rounding.
    const auto panels = static_cast<std::size_t>(std::ceil(to / m_width - 1e-9));
    for (std::size_t panel = (m_points.size() - m_atoms) / PANEL; panel < panels; ++panel)
    {
        const double half = 0.5 * m_width;
        const double middle = (static_cast<double>(panel) + 0.5) * m_width;
        for (std::size_t i = 0; i < PANEL / 2; ++i)
        {
            const double logWeight = std::log(Rule::weights()[i] * half);
            for (const double sign : {-1.0, 1.0})
            {
                LossPoint point = m_curve(middle + sign * half * Rule::abscissa()[i]);
                point.logDensity += logWeight;
                m_points.push_back(point);
            }
        }
    }
    return m_atoms + panels * PANEL;
}

double
ExcessSum::Log(double order, double to) const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    const std::size_t count = PointsFor(to);
    std::vector<double> terms(count);
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < count; ++i)
    {
        const LossPoint& point = m_points[i];
        terms[i] =
            LogExpm1(order * point.loss) + LogExpm1((1.0 - order) * point.loss) + point.logDensity;
        largest = std::max(largest, terms[i]);
    }
    if (!std::isfinite(largest))
    {
        return -std::numeric_limits<double>::infinity();
    }
    double sum = 0.0;
    for (const double term : terms)
    {
        sum += std::exp(term - largest);
    }
    return largest + std::log(sum);
}

} // namespace dpdl
