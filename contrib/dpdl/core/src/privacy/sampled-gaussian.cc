// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "sampled-gaussian.h"

#include "normal-tail.h"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <cmath>

// Moments of the sampled Gaussian by the trapezoidal rule. If the likelihood ratio r is near 1, a
// series avoids cancellation.

namespace dpdl
{

namespace
{

/// Largest number of grid points. If a moment needs more grid points, a convexity bound replaces
/// it.
constexpr double MOST_POINTS = 20000.0;

/// Distance of grid points at which the error of the trapezoidal rule is about e^-45. The integrand
/// is analytic in the strip |Im x| < pi/mu, which determines the error of the rule.
double
StepFor(double mu)
{
    const double strip = std::min(8.0, 0.9 * PI / mu);
    return 2.0 * PI * strip / (45.0 + 0.5 * strip * strip);
}

using Iterator = std::map<double, double>::const_iterator;

/// Replaces the values of mu in [first, last) by Chebyshev nodes of the first kind on their range.
MuPiece
Interpolated(Iterator first, Iterator last, int nodes)
{
    MuPiece piece;
    piece.interpolated = true;
    piece.low = first->first;
    piece.high = std::prev(last)->first;
    const double low = piece.low;
    const double high = piece.high;
    // moments[n] is the sum over the values of mu of count * T_n(position). T_n is a Chebyshev
    // polynomial, and the position of mu in [low, high] is mapped to [-1, 1].
    std::vector<double> moments(nodes, 0.0);
    for (Iterator value = first; value != last; ++value)
    {
        const double place = ((value->first - low) - (high - value->first)) / (high - low);
        double previous = 1.0;
        double current = place;
        moments[0] += value->second;
        for (int n = 1; n < nodes; ++n)
        {
            moments[n] += value->second * current;
            const double next = 2.0 * place * current - previous;
            previous = current;
            current = next;
        }
    }
    for (int j = 0; j < nodes; ++j)
    {
        const double angle = boost::math::constants::pi<double>() * (2.0 * j + 1.0) / (2.0 * nodes);
        double weight = moments[0];
        for (int n = 1; n < nodes; ++n)
        {
            weight += 2.0 * std::cos(n * angle) * moments[n];
        }
        const double place = std::cos(angle);
        piece.nodes.push_back({0.5 * (low + high) + 0.5 * (high - low) * place, weight / nodes});
    }
    piece.count = moments[0];
    return piece;
}

} // namespace

SampledGaussian::SampledGaussian(double rate, double mu, double lowestOrder)
    : m_rate(rate),
      m_mu(mu),
      m_first(-NORMAL_TAIL + std::min(lowestOrder, 0.0) * mu),
      m_step(mu > 0.0 ? StepFor(mu) : 1.0)
{
}

std::size_t
SampledGaussian::PointsFor(double order)
{
    const double span = std::max(order, 0.0) * m_mu + NORMAL_TAIL - m_first;
    const auto count = static_cast<std::size_t>(span / m_step) + 2;
    const double logNorm = std::log(m_step) - 0.5 * std::log(2.0 * PI);
    for (std::size_t i = m_excess.size(); i < count; ++i)
    {
        const double x = m_first + static_cast<double>(i) * m_step;
        const double exponent = m_mu * x - 0.5 * m_mu * m_mu;
        const double logPhi = logNorm - 0.5 * x * x;
        const double excess = m_rate * std::expm1(std::min(exponent, 700.0));
        const double logRatio = exponent < 30.0
                                    ? std::log1p(excess)
                                    : std::log(m_rate) + exponent +
                                          std::log1p((1.0 - m_rate) / m_rate * std::exp(-exponent));
        m_excess.push_back(excess);
        m_logRatio.push_back(logRatio);
        m_logWeight.push_back(logRatio + logPhi);
        m_weight.push_back(std::exp(logRatio + logPhi));
        m_excessWeight.push_back(exponent < 30.0 ? excess * std::exp(logPhi)
                                                 : m_weight.back() - std::exp(logPhi));
    }
    return count;
}

double
SampledGaussian::DirectSum(double order, std::size_t count) const
{
    const double b = order - 1.0;
    const double small = 0.1 / std::max(std::abs(order), 2.0);
    double sum = 0.0;
    for (std::size_t i = 0; i < count; ++i)
    {
        // Summand for order a = b + 1: r^a - 1 - a (r - 1) = r (r^b - 1) - b (r - 1)
        const double w = m_excess[i];
        const double t = b * m_logRatio[i];
        if (std::abs(w) < small)
        {
            sum += w * BinomialTail(w, order) * m_excessWeight[i];
        }
        else if (t > 1.0)
        {
            sum += std::exp(t + m_logWeight[i]) - m_weight[i] - b * m_excessWeight[i];
        }
        else
        {
            sum += m_weight[i] * std::expm1(t) - b * m_excessWeight[i];
        }
    }
    return sum;
}

double
SampledGaussian::ScaledLogSum(double order, std::size_t count) const
{
    const double b = order - 1.0;
    double largest = -1e300;
    for (std::size_t i = 0; i < count; ++i)
    {
        largest = std::max(largest, b * m_logRatio[i] + m_logWeight[i]);
    }
    if (largest < LARGEST_EXPONENT)
    {
        return std::log1p(DirectSum(order, count));
    }
    double sum = 0.0;
    for (std::size_t i = 0; i < count; ++i)
    {
        sum += std::exp(b * m_logRatio[i] + m_logWeight[i] - largest);
    }
    return largest + std::log(sum);
}

double
SampledGaussian::LogMoment(double order)
{
    const double square = m_mu * m_mu;
    if (m_rate == 0.0 || m_mu == 0.0)
    {
        return 0.0;
    }
    if (m_rate == 1.0)
    {
        return 0.5 * order * (order - 1.0) * square;
    }
    if ((std::max(order, 0.0) * m_mu + NORMAL_TAIL - m_first) / m_step > MOST_POINTS)
    {
        // Upper bounds for sampling rate q. For an order outside (0, 1), r^order is convex in r. By
        // Jensen's inequality, E[r^order] is then at most 1 - q + q times the moment without
        // sampling. For an order in (0, 1), r^order is concave and E[r] = 1, so the log moment is
        // at most 0.
        return order > 0.0 && order < 1.0
                   ? 0.0
                   : LogMixture(m_rate, 0.5 * order * (order - 1.0) * square);
    }
    const std::size_t count = PointsFor(order);
    if (0.5 * order * (order - 1.0) * square < LARGEST_EXPONENT)
    {
        return std::log1p(DirectSum(order, count));
    }
    return ScaledLogSum(order, count);
}

std::vector<MuPiece>
PiecesOver(const std::map<double, double>& counts, int nodes, int spare)
{
    std::vector<MuPiece> pieces;
    for (Iterator first = counts.begin(); first != counts.end();)
    {
        const Iterator last = counts.upper_bound(2.0 * first->first);
        if (std::distance(first, last) > nodes + spare)
        {
            pieces.push_back(Interpolated(first, last, nodes));
        }
        else
        {
            MuPiece piece;
            piece.low = first->first;
            piece.high = std::prev(last)->first;
            for (Iterator value = first; value != last; ++value)
            {
                piece.nodes.push_back({value->first, value->second});
                piece.count += value->second;
            }
            pieces.push_back(std::move(piece));
        }
        first = last;
    }
    return pieces;
}

std::vector<double>
HeldOut(const MuPiece& piece, int number)
{
    const int nodes = static_cast<int>(piece.nodes.size());
    std::vector<double> values;
    for (int i = 0; i < number; ++i)
    {
        // The position cos(j pi / n) in [-1, 1] is midway between two of the n nodes, where the
        // interpolation error is largest.
        const int j = 1 + i * (nodes - 2) / std::max(number - 1, 1);
        const double place = std::cos(boost::math::constants::pi<double>() * j / nodes);
        values.push_back(0.5 * (piece.low + piece.high) + 0.5 * (piece.high - piece.low) * place);
    }
    return values;
}

std::vector<double>
InterpolationWeights(const MuPiece& piece, double mu)
{
    const auto nodes = static_cast<int>(piece.nodes.size());
    const double place = ((mu - piece.low) - (piece.high - mu)) / (piece.high - piece.low);
    std::vector<double> weights;
    for (int j = 0; j < nodes; ++j)
    {
        const double angle = boost::math::constants::pi<double>() * (2.0 * j + 1.0) / (2.0 * nodes);
        double weight = 1.0;
        double previous = 1.0;
        double current = place;
        for (int n = 1; n < nodes; ++n)
        {
            weight += 2.0 * std::cos(n * angle) * current;
            const double next = 2.0 * place * current - previous;
            previous = current;
            current = next;
        }
        weights.push_back(weight / nodes);
    }
    return weights;
}

} // namespace dpdl
