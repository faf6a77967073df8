// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "sampled-gaussian.h"

#include "numbers.h"

#include <algorithm>
#include <cmath>

// Moments of the sampled Gaussian by the trapezoidal rule. Near r = 1 a series avoids
// cancellation.

namespace dpdl
{

namespace
{

/// Largest number of grid points.
constexpr double MOST_POINTS = 20000.0;

/// Step at which the trapezoidal rule errs by e^-45: the integrand is analytic for |Im x| < pi/mu.
double
StepFor(double mu)
{
    const double strip = std::min(8.0, 0.9 * PI / mu);
    return 2.0 * PI * strip / (45.0 + 0.5 * strip * strip);
}

/// ((1 + w)^a - 1 - a w) / w^2 for |w| max(|a|, 2) < 0.1.
double
BinomialTail(double w, double a)
{
    double sum = 1.0;
    for (int k = 14; k >= 3; --k)
    {
        sum = 1.0 + (a - (k - 1)) / k * w * sum;
    }
    return 0.5 * a * (a - 1.0) * sum;
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
        // r^a - 1 - a (r - 1) = r (r^b - 1) - b (r - 1)
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
        // By convexity; for orders between 0 and 1 the power is concave, and E[r] = 1.
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

} // namespace dpdl
