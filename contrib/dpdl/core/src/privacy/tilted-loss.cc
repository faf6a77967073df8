// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/simd.h"
#include "inversion-line.h"
#include "numbers.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

/// What is neglected is below e^-POINT_DIGITS of the largest term.
constexpr double POINT_DIGITS = 42.0;
/// The normal density beyond is below e^-POINT_DIGITS of its maximum.
constexpr double TAIL = 9.2;
constexpr double MOST_POINTS = 200000.0;
/// Exponents beyond are kept apart from 1.
constexpr double LARGE = 40.0;
/// Losses that are handled together.
constexpr std::size_t LANES = 8;

/// e^(i angle) - 1 without cancellation.
std::complex<double>
RotationMinusOne(double angle)
{
    const double half = std::sin(0.5 * angle);
    return {-2.0 * half * half, std::sin(angle)};
}

/// LANES losses: their turning e^(i t loss) - 1, and what turns it to the next t.
struct Turn
{
    double re[LANES];
    double im[LANES];
    double stepRe[LANES];
    double stepIm[LANES];
    double probability[LANES];
};

/// Adds sum_i p_i (e^(i t_j loss_i) - 1) to (re[j], im[j]) for consecutive t_j.
DPDL_MULTIVERSION void
Accumulate(Turn& turn, std::size_t count, double* re, double* im)
{
    for (std::size_t j = 0; j < count; ++j)
    {
        double sumRe = 0.0;
        double sumIm = 0.0;
        double termRe[LANES];
        double termIm[LANES];
        for (std::size_t k = 0; k < LANES; ++k)
        {
            const double x = turn.re[k];
            const double y = turn.im[k];
            termRe[k] = turn.probability[k] * x;
            termIm[k] = turn.probability[k] * y;
            turn.re[k] = x + (turn.stepRe[k] * (1.0 + x) - turn.stepIm[k] * y);
            turn.im[k] = y + (turn.stepIm[k] * (1.0 + x) + turn.stepRe[k] * y);
        }
        for (std::size_t k = 0; k < LANES; ++k)
        {
            sumRe += termRe[k];
            sumIm += termIm[k];
        }
        re[j] += sumRe;
        im[j] += sumIm;
    }
}

} // namespace

TiltedLoss::TiltedLoss(double rate, double mu, bool remove)
    : m_rate(rate),
      m_mu(mu),
      m_remove(remove)
{
}

double
TiltedLoss::LogRatio(double x) const
{
    return LogMixture(m_rate, m_mu * x - 0.5 * m_mu * m_mu);
}

double
TiltedLoss::StepFor(double c, double imaginary) const
{
    // Shifted by i y the integrand grows by e^(y^2/2 + Im z mu y); the rule gains e^(-2 pi y / h).
    // A negative power of r also grows as r approaches its zero at mu y = pi.
    const double strip = std::min(9.0, (m_remove ? 0.9 : 0.5) * PI / m_mu);
    const double growth = m_remove ? 0.0 : -c * std::log(std::cos(0.5 * m_mu * strip));
    return 2.0 * PI / (imaginary * m_mu + 0.5 * strip + (POINT_DIGITS + growth) / strip);
}

double
TiltedLoss::FirstPoint(double c) const
{
    return -TAIL - (m_remove ? 0.0 : c * m_mu);
}

double
TiltedLoss::LastPoint(double c) const
{
    return TAIL + (m_remove ? (1.0 + c) * m_mu : 0.0);
}

double
TiltedLoss::Points(double c, double imaginary) const
{
    return (LastPoint(c) - FirstPoint(c)) / StepFor(c, imaginary);
}

double
TiltedLoss::LogMoment(double c) const
{
    const double count = Points(c, 0.0);
    if (!(count < MOST_POINTS))
    {
        return INF;
    }
    const double order = m_remove ? 1.0 + c : -c;
    const double h = StepFor(c, 0.0);
    const double first = FirstPoint(c);
    const double logNorm = std::log(h) - 0.5 * std::log(2.0 * PI);
    const auto points = static_cast<std::size_t>(count) + 2;
    double largest = 0.0;
    std::vector<double> logRatio(points);
    std::vector<double> logWeight(points);
    for (std::size_t i = 0; i < points; ++i)
    {
        const double x = first + static_cast<double>(i) * h;
        logRatio[i] = LogRatio(x);
        logWeight[i] = logNorm - 0.5 * x * x;
        largest = std::max(largest, order * logRatio[i] + logWeight[i]);
    }
    const bool scaled = largest > LARGE;
    double sum = 0.0;
    for (std::size_t i = 0; i < points; ++i)
    {
        const double power = order * logRatio[i];
        if (scaled)
        {
            sum += std::exp(power + logWeight[i] - largest);
        }
        else if (std::max(power, logRatio[i]) > LARGE)
        {
            sum += std::exp(power + logWeight[i]) - order * std::exp(logRatio[i] + logWeight[i]);
        }
        else
        {
            // E[r] = 1, so that E[r^a] - 1 = E[r^a - 1 - a (r - 1)], whose terms are of one sign.
            sum += (std::expm1(power) - order * std::expm1(logRatio[i])) * std::exp(logWeight[i]);
        }
    }
    return scaled ? largest + std::log(sum) : std::log1p(sum);
}

void
TiltedLoss::Tilt(double c)
{
    m_c = c;
    m_logMoment = LogMoment(c);
    m_reach = 0.0;
    m_angle = 0.0;
}

void
TiltedLoss::Refine(double imaginary)
{
    m_reach = imaginary;
    const double h = StepFor(m_c, imaginary);
    const double first = FirstPoint(m_c);
    const double power = m_remove ? 1.0 + m_c : -m_c;
    const auto points = static_cast<std::size_t>(Points(m_c, imaginary)) + 2;
    std::vector<double> logRatio(points);
    std::vector<double> logWeight(points);
    for (std::size_t i = 0; i < points; ++i)
    {
        const double x = first + static_cast<double>(i) * h;
        logRatio[i] = LogRatio(x);
        logWeight[i] = power * logRatio[i] - 0.5 * x * x;
    }
    const double largest = *std::max_element(logWeight.begin(), logWeight.end());
    m_loss.clear();
    m_probability.clear();
    double sum = 0.0;
    double mean = 0.0;
    for (std::size_t i = 0; i < points; ++i)
    {
        if (logWeight[i] > largest - POINT_DIGITS)
        {
            m_loss.push_back(m_remove ? logRatio[i] : -logRatio[i]);
            m_probability.push_back(std::exp(logWeight[i] - largest));
            sum += m_probability.back();
            mean += m_probability.back() * m_loss.back();
        }
    }
    m_mean = mean / sum;
    while (m_loss.size() % LANES != 0)
    {
        m_loss.push_back(m_mean);
        m_probability.push_back(0.0);
    }
    for (std::size_t i = 0; i < m_loss.size(); ++i)
    {
        m_loss[i] -= m_mean;
        m_probability[i] /= sum;
    }
}

double
TiltedLoss::AddLogMoments(double first,
                          double step,
                          std::size_t count,
                          double weight,
                          std::complex<double>* sum)
{
    const double last = first + step * static_cast<double>(count);
    if (m_reach < last)
    {
        Refine(2.0 * last);
    }
    std::vector<double> re(count, 0.0);
    std::vector<double> im(count, 0.0);
    Turn turn;
    for (std::size_t i = 0; i < m_loss.size(); i += LANES)
    {
        for (std::size_t k = 0; k < LANES; ++k)
        {
            const std::complex<double> at = RotationMinusOne(first * m_loss[i + k]);
            const std::complex<double> by = RotationMinusOne(step * m_loss[i + k]);
            turn.re[k] = at.real();
            turn.im[k] = at.imag();
            turn.stepRe[k] = by.real();
            turn.stepIm[k] = by.imag();
            turn.probability[k] = m_probability[i + k];
        }
        Accumulate(turn, count, re.data(), im.data());
    }
    for (std::size_t j = 0; j < count; ++j)
    {
        const double t = first + step * static_cast<double>(j);
        const double size = 0.5 * std::log1p(re[j] * (2.0 + re[j]) + im[j] * im[j]);
        const double angle = std::atan2(im[j], 1.0 + re[j]) + t * m_mean;
        m_angle = angle + 2.0 * PI * std::round((m_angle - angle) / (2.0 * PI));
        sum[j] += weight * std::complex<double>(m_logMoment + size, m_angle);
    }
    return static_cast<double>(m_loss.size()) * static_cast<double>(count);
}

} // namespace dpdl
