// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "inversion-line.h"

#include "mu-quadrature.h"
#include "numbers.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

using Complex = std::complex<double>;

/// What is neglected is below e^-DIGITS of delta.
constexpr double DIGITS = 30.0;
/// A longer line no longer changes log delta.
constexpr double CONVERGED = 3e-11;
/// Nodes that are computed at once.
constexpr std::size_t BLOCK = 64;

} // namespace

TiltedComposition::TiltedComposition(const SampledSteps& steps,
                                     double fullMuSquared,
                                     bool remove,
                                     int nodes)
    : m_square(fullMuSquared),
      m_largest(remove || fullMuSquared > 0.0 ? INF : 0.0)
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

double
LogHockeyStick(double c)
{
    return c > 0.0 ? c * std::log(c) - (1.0 + c) * std::log1p(c) : 0.0;
}

double
LogIntegrandAt(double c, double logMoment, double epsilon)
{
    return logMoment - c * epsilon - std::log(c) - std::log1p(c);
}

InversionLine::InversionLine(TiltedComposition& composition,
                             double c,
                             double epsilon,
                             double logDelta,
                             double reach)
    : m_c(c),
      m_bounds{{0.0, 0.0}}
{
    for (const double factor : {0.2, 0.4, 0.6, 0.8, 0.9, 1.0, 1.05, 1.1, 1.2, 1.5, 2.0, 3.0})
    {
        m_bounds.push_back({factor * c, composition.LogMoment(factor * c)});
    }
    Choose(PlacesUpTo(c, epsilon, logDelta));
    composition.Tilt(m_c);
    m_complete = std::isfinite(m_period) && Fill(composition, epsilon, logDelta, reach);
}

bool
InversionLine::IsFineFor(double epsilon, double logDelta) const
{
    return PeriodAt(m_c, epsilon, logDelta) <= m_period;
}

double
InversionLine::LogDelta(double epsilon) const
{
    double sum = 0.0;
    const double scale = m_logMoment[0].real() - m_c * epsilon;
    for (std::size_t j = 0; j < m_logMoment.size(); ++j)
    {
        const double t = (static_cast<double>(j) + 0.5) * m_step;
        const Complex z(m_c, t);
        const Complex exponent = m_logMoment[j] - z * epsilon;
        // Not std::polar, which accepts no NaN.
        const double length = std::exp(exponent.real() - scale);
        const Complex value(length * std::cos(exponent.imag()), length * std::sin(exponent.imag()));
        sum += Window(t) * (value / (z * (z + 1.0))).real();
    }
    return sum > 0.0 ? scale + std::log(sum * m_step / PI) : -INF;
}

/// Period for which Chernoff bounds of delta(epsilon +- period), which the rule adds, vanish.
double
InversionLine::PeriodAt(double c, double epsilon, double logDelta) const
{
    double below = INF;
    double above = INF;
    for (const RealMoment& bound : m_bounds)
    {
        const double excess =
            bound.logMoment - bound.c * epsilon + LogHockeyStick(bound.c) - logDelta + DIGITS;
        if (bound.c != c)
        {
            double& period = bound.c < c ? below : above;
            period = std::min(period, excess / std::abs(bound.c - c));
        }
    }
    return std::max({below, above, 1.0 / c});
}

/**
 * The places between 0 and the saddle point c, nearest to it first. Off the saddle point the terms
 * are larger than their sum, of which little is allowed.
 */
std::vector<InversionLine::Place>
InversionLine::PlacesUpTo(double c, double epsilon, double logDelta) const
{
    constexpr double CANCELLATION = 3.0;
    const auto peakAt = [epsilon](const RealMoment& bound) {
        return LogIntegrandAt(bound.c, bound.logMoment, epsilon);
    };
    const auto last = std::find_if(m_bounds.begin(), m_bounds.end(), [c](const RealMoment& bound) {
        return bound.c >= c;
    });
    const double highest = peakAt(*last) + CANCELLATION;
    std::vector<Place> places;
    for (auto bound = last; bound != m_bounds.begin(); --bound)
    {
        if (peakAt(*bound) <= highest)
        {
            places.push_back({bound->c, PeriodAt(bound->c, epsilon, logDelta)});
        }
    }
    return places;
}

/**
 * Takes the first place whose period is not much longer than the shortest one. The moments can grow
 * so fast beyond the saddle point that there is no room for a bound to the right of it.
 */
void
InversionLine::Choose(const std::vector<Place>& places)
{
    constexpr double LONGER = 4.0;
    double shortest = INF;
    for (const Place& place : places)
    {
        shortest = std::min(shortest, place.period);
    }
    const auto place = std::find_if(places.begin(), places.end(), [=](const Place& candidate) {
        return candidate.period <= LONGER * shortest;
    });
    if (place != places.end())
    {
        m_c = place->c;
        m_period = 1.05 * place->period;
        m_step = 2.0 * PI / m_period;
    }
}

/**
 * Weight of a node. The moments of a loss that is almost concentrated in a point far from epsilon
 * hardly decay, but what such a point adds to the integral cancels: a smooth end of the line sees
 * that, a sharp one does not. Only a point close to epsilon makes a long line necessary.
 */
double
InversionLine::Window(double t) const
{
    return m_middle > 0.0 ? 0.5 * std::erfc(6.0 * (t - m_middle) / m_middle) : 1.0;
}

/// Computes the nodes; false if that costs too much.
bool
InversionLine::Fill(TiltedComposition& composition, double epsilon, double logDelta, double reach)
{
    std::vector<Complex> block(BLOCK);
    double work = 0.0;
    double previous = INF;
    std::size_t next = 2 * BLOCK;
    for (double first = 0.5 * m_step;; first += m_step * BLOCK)
    {
        const double last = first + m_step * BLOCK;
        if (!(work + composition.Work(last, BLOCK) < composition.MostWork()))
        {
            return false;
        }
        work += composition.LogMoments(first, m_step, block);
        m_logMoment.insert(m_logMoment.end(), block.begin(), block.end());
        m_middle = 0.0;
        if (HasVanished(last, epsilon, logDelta))
        {
            return true;
        }
        if (m_logMoment.size() >= next)
        {
            next += next / 2;
            m_middle = 0.5 * last;
            const double current = LogDelta(epsilon);
            if (std::abs(current - previous) < CONVERGED && last > reach)
            {
                return true;
            }
            previous = current;
        }
    }
}

/// Whether the rest of the integral is negligible if the moments do not grow again.
bool
InversionLine::HasVanished(double last, double epsilon, double logDelta) const
{
    double largest = -INF;
    for (auto moment = m_logMoment.end() - BLOCK / 2; moment != m_logMoment.end(); ++moment)
    {
        largest = std::max(largest, moment->real());
    }
    return largest - m_c * epsilon - std::log(last) < logDelta - DIGITS;
}

} // namespace dpdl
