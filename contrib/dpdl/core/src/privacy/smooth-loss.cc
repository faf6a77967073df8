// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "smooth-loss.h"

#include "numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dpdl
{

namespace
{

using Complex = std::complex<double>;

constexpr double EPSILON = std::numeric_limits<double>::epsilon();

} // namespace

SmoothSums::SmoothSums(std::size_t size, double h, double tilt)
    : m_size(static_cast<double>(size)),
      m_h(h)
{
    for (std::size_t k = 0; k <= size / 2; ++k)
    {
        // A coefficient in the middle also stands for its conjugate.
        const double times = k == 0 || 2 * k == size ? 1.0 : 2.0;
        m_plain.push_back(times / m_size * Above(tilt, k));
        m_discounted.push_back(times / m_size * Above(tilt + 1.0, k));
    }
}

std::complex<double>
SmoothSums::Above(double exponent, std::size_t k) const
{
    // r / (1 - r) with r = exp(-exponent h + i angle); the difference without cancellation.
    const double angle = 2.0 * PI * static_cast<double>(k) / m_size;
    const double decay = std::exp(-exponent * m_h);
    const double half = std::sin(0.5 * angle);
    const Complex rest(-std::expm1(-exponent * m_h) + 2.0 * decay * half * half,
                       -decay * std::sin(angle));
    return decay * Complex(std::cos(angle), std::sin(angle)) / rest;
}

SmoothLoss::SmoothLoss(const LossSpectrum& spectrum,
                       const SmoothSums& sums,
                       double h,
                       const LossTilt& tilt,
                       const LossRange& window)
    : ComposedLoss(spectrum.Totals(), spectrum.Size(), h, tilt, window)
{
    const std::vector<Complex>& coefficients = spectrum.Composed().coefficients;
    m_plain.resize(coefficients.size());
    m_discounted.resize(coefficients.size());
    double rounding = 0.0;
    for (std::size_t k = 0; k < coefficients.size(); ++k)
    {
        m_plain[k] = Product(coefficients[k], sums.m_plain[k]);
        m_discounted[k] = Product(coefficients[k], sums.m_discounted[k]);
        // Turning by one angle k times is off by k roundings.
        const double size =
            std::sqrt(std::norm(m_plain[k])) + std::sqrt(std::norm(m_discounted[k]));
        rounding += (static_cast<double>(k) + 32.0) * 4.0 * EPSILON * size;
    }
    // Counted twice: at the grid point and at the end of the grid.
    m_error += 2.0 * rounding;
    m_beyond = Periodic(m_first + m_size - 1);
}

SmoothLoss::Sums
SmoothLoss::Periodic(std::int64_t index) const
{
    const double angle =
        2.0 * PI * static_cast<double>(Position(index)) / static_cast<double>(m_size);
    const Complex turn(std::cos(angle), std::sin(angle));
    Complex at(1.0, 0.0);
    Sums sums;
    for (std::size_t k = 0; k < m_plain.size(); ++k)
    {
        sums.curve += m_plain[k].real() * at.real() - m_plain[k].imag() * at.imag();
        sums.discounted += m_discounted[k].real() * at.real() - m_discounted[k].imag() * at.imag();
        at = Product(at, turn);
    }
    return sums;
}

SmoothLoss::Sums
SmoothLoss::At(std::int64_t index) const
{
    Sums sums = Periodic(index);
    const double distance = static_cast<double>(m_first + m_size - 1 - index) * m_h;
    sums.discounted -= std::exp(-(m_tilt + 1.0) * distance) * m_beyond.discounted;
    sums.curve -= std::exp(-m_tilt * distance) * m_beyond.curve + sums.discounted;
    return sums;
}

ComposedLoss::Crossing
SmoothLoss::Find(double delta, double side) const
{
    const double logDelta = LogThreshold(delta, side);
    const auto logThreshold = [this, logDelta](std::int64_t index) {
        return std::min(logDelta + m_tilt * static_cast<double>(index) * m_h, 700.0);
    };
    // How far the logarithm of the curve is above the threshold's; it falls with the loss.
    const auto excess = [&](std::int64_t index, Sums& sums) {
        sums = At(index);
        const double curve = sums.curve + side * m_error;
        return curve > 0.0 ? std::log(curve) - logThreshold(index) : -INF;
    };
    std::int64_t high = m_first + m_size - 1;
    std::int64_t low = std::max<std::int64_t>(m_first, 0);
    const double lowest = static_cast<double>(low) * m_h;
    Sums above;
    Sums sums;
    double atHigh = excess(high, above);
    if (atHigh > 0.0)
    {
        return {INF, high, 0.0};
    }
    double atLow = excess(low, sums);
    if (!(atLow > 0.0))
    {
        return {side > 0.0 ? lowest : 0.0, m_first, sums.discounted};
    }
    for (int i = 0; high - low > 1; ++i)
    {
        const double part = i % 3 == 2 || !(atHigh > -INF) ? 0.5 : atLow / (atLow - atHigh);
        const auto offset = static_cast<std::int64_t>(part * static_cast<double>(high - low));
        const std::int64_t middle = std::clamp(low + offset, low + 1, high - 1);
        const double value = excess(middle, sums);
        if (value > 0.0)
        {
            low = middle;
            atLow = value;
        }
        else
        {
            high = middle;
            atHigh = value;
            above = sums;
        }
    }
    // At the point above, with the mass that is there.
    const double discounted = std::exp((m_tilt + 1.0) * m_h) * At(low).discounted;
    const double errors = side * m_error * std::exp(m_tilt * m_h);
    const double inside = Inside(static_cast<double>(high) * m_h,
                                 above.curve + discounted + errors,
                                 discounted,
                                 std::exp(logThreshold(high)));
    return {std::max(inside, static_cast<double>(low) * m_h), low, discounted};
}

double
SmoothLoss::Density(std::int64_t origin, std::int64_t first, std::int64_t cells) const
{
    // Of distances from first + 1 to first + cells, as a difference of sums over all above.
    const auto above = [this, origin](std::int64_t distance) {
        return std::exp(-m_tilt * static_cast<double>(distance) * m_h) *
               Periodic(origin + distance).curve;
    };
    return (above(first) - above(first + cells)) / (static_cast<double>(cells) * m_h);
}

} // namespace dpdl
