// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "pld-spectrum.h"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <cmath>
#include <limits>

// Multiplies the Fourier coefficients of tilted privacy losses. PldTotals accumulates the errors of
// interpolation, of rounding, and of dropped coefficients.

namespace dpdl
{

namespace
{

using Complex = std::complex<double>;

/// Safety factor on the measured interpolation error of a family.
constexpr double CAUTION = 4.0;
/// Cost of one summand of a direct sum, as a multiple of the cost of an operation of a fast Fourier
/// transform.
constexpr double TERM_COST = 6.0;

/// Largest change of a sum of tilted masses by one Trim().
constexpr double DROPPED = 1e-11;
/// Trim() drops coefficients only if less than this fraction of them remains afterwards.
constexpr double WORTHWHILE = 0.9;

/// Shifts @p angle by a multiple of 2 pi to the value nearest to @p other.
double
Nearest(double angle, double other)
{
    constexpr double TURN = boost::math::constants::two_pi<double>();
    return angle - TURN * std::round((angle - other) / TURN);
}

/// Logarithms of a spectrum's Fourier coefficients: `size` has those of the absolute values,
/// `angle` the angles in radians.
struct LogSpectrum
{
    std::vector<double> size;
    std::vector<double> angle;
    double moment{0.0}; ///< PldStatistics::logMoment of the masses that were transformed

    explicit LogSpectrum(std::size_t number)
        : size(number, 0.0),
          angle(number, 0.0)
    {
    }

    void Add(double weight, const LogSpectrum& other)
    {
        for (std::size_t k = 0; k < size.size(); ++k)
        {
            size[k] += weight * other.size[k];
            angle[k] += weight * other.angle[k];
        }
        moment += weight * other.moment;
    }

    /// Raises values[k] to the distance between the logarithms of coefficient k in this spectrum
    /// and in the @p other spectrum, unless values[k] is larger.
    void RaiseToDistance(const LogSpectrum& other, std::vector<double>& values) const
    {
        for (std::size_t k = 0; k < size.size(); ++k)
        {
            values[k] =
                std::max(values[k],
                         std::abs(size[k] - other.size[k]) + std::abs(angle[k] - other.angle[k]));
        }
    }

    /// Computes the logarithms. Each angle is the equivalent angle that is closest to the angle in
    /// @p similar, a spectrum that may be null.
    void Assign(const Complex* coefficients, const LogSpectrum* similar)
    {
        for (std::size_t k = 0; k < size.size(); ++k)
        {
            size[k] = 0.5 * std::log(std::max(std::norm(coefficients[k]), 1e-280));
            angle[k] = std::arg(coefficients[k]);
            if (similar)
            {
                angle[k] = Nearest(angle[k], similar->angle[k]);
            }
        }
    }
};

/// Range of privacy losses for all interpolation nodes of a family. With a common range, the masses
/// are analytic functions of mu.
PldRange
CommonRange(const PldFamily& family, double tail)
{
    PldRange range = family.strongest->Range(tail);
    for (const PldKind& node : family.nodes)
    {
        const PldRange other = node.pair->Range(tail);
        range.lowest = std::min(range.lowest, other.lowest);
        range.highest = std::max(range.highest, other.highest);
    }
    return range;
}

} // namespace

PldSpectrum::PldSpectrum(std::size_t size, double h, const PldTilt& tilt, double tail)
    : m_fourier(size),
      m_discretiser(h, tilt),
      m_tail(tail),
      m_roots(size),
      m_waves(size / 2 + 1)
{
    m_product.coefficients.assign(m_waves.size(), Complex(1.0, 0.0));
    m_product.smallest.assign(m_waves.size(), 1.0);
    const auto number = static_cast<double>(size);
    for (std::size_t k = 0; k < m_waves.size(); ++k)
    {
        // Unimodal weights in [0, 1] on N cells have a sum of at most N and a total variation of at
        // most 2. So the magnitude of their Fourier coefficient k is at most 1 / sin(pi k / N).
        const double wave = std::sin(boost::math::constants::pi<double>() * double(k) / number);
        m_waves[k] = std::max(number * wave, 1.0);
    }
}

const PldStatistics&
PldSpectrum::Transform(const DominatingPair& pair, const PldRange& range)
{
    const PldCells& cells = m_discretiser.Discretise(pair, range);
    const std::size_t size = m_fourier.Size();
    double* values = m_fourier.Values();
    std::fill(values, values + size, 0.0);
    const auto modulus = static_cast<std::int64_t>(size);
    auto position = static_cast<std::size_t>(((cells.first % modulus) + modulus) % modulus);
    for (const double mass : cells.mass)
    {
        values[position] += mass;
        position = position + 1 == size ? 0 : position + 1;
    }
    m_fourier.Forward();
    NoteSizes(m_fourier.Coefficients());
    return cells.statistics;
}

void
PldSpectrum::NoteSizes(const Complex* coefficients)
{
    for (std::size_t k = 0; k < m_product.smallest.size(); ++k)
    {
        m_product.smallest[k] = std::min(m_product.smallest[k], std::norm(coefficients[k]));
    }
}

void
PldSpectrum::AddTotals(const PldStatistics& step, double count)
{
    m_product.totals.logMoment += count * step.logMoment;
    m_product.totals.logAbove += count * step.logAbove;
    m_product.totals.logBelow += count * step.logBelow;
    m_product.totals.moved += std::abs(count) * step.moved;
    m_product.totals.spread += count * step.spread;
    m_product.totals.raised += count * step.raised;
}

void
PldSpectrum::MultiplyPower(const Complex* coefficients, double count)
{
    for (std::size_t k = 0; k < m_product.coefficients.size(); ++k)
    {
        const Complex factor = count == 1.0 ? coefficients[k] : Power(coefficients[k], count);
        m_product.coefficients[k] = Kept(Product(m_product.coefficients[k], factor));
    }
}

void
PldSpectrum::Count(const PldStatistics& step, double count)
{
    AddTotals(step, count);
    m_product.totals.logFinite += count * std::log1p(-step.infinite);
    m_product.totals.steps += count;
}

void
PldSpectrum::Multiply(const PldKind& kind)
{
    Count(Transform(*kind.pair, kind.pair->Range(m_tail)), kind.count);
    MultiplyPower(m_fourier.Coefficients(), kind.count);
}

KindSpectrum
PldSpectrum::SpectrumOf(const DominatingPair& pair)
{
    KindSpectrum kind{{}, Transform(pair, pair.Range(m_tail))};
    const Complex* coefficients = m_fourier.Coefficients();
    kind.coefficients.assign(coefficients, coefficients + m_product.coefficients.size());
    return kind;
}

KindSpectrum
PldSpectrum::CornerSpectrum(const DominatingPair& pair)
{
    const PldRange range = pair.Range(m_tail);
    const auto size = static_cast<double>(m_fourier.Size());
    const std::size_t number = m_product.coefficients.size();
    const double expected = (range.highest - range.lowest) / m_discretiser.Width();
    if (TERM_COST * expected * static_cast<double>(number) > size * std::log2(size))
    {
        return SpectrumOf(pair);
    }
    const PldCells& cells = m_discretiser.Discretise(pair, range);
    KindSpectrum kind{std::vector<Complex>(number), cells.statistics};
    m_roots.Transform(cells, kind.coefficients);
    NoteSizes(kind.coefficients.data());
    return kind;
}

void
PldSpectrum::Multiply(const KindSpectrum& kind, double count)
{
    NoteSizes(kind.coefficients.data());
    Count(kind.statistics, count);
    MultiplyPower(kind.coefficients.data(), count);
}

void
PldSpectrum::Multiply(const PldFamily& family)
{
    const PldRange range = CommonRange(family, m_tail);
    const std::size_t number = m_product.coefficients.size();
    LogSpectrum total(number);
    std::vector<LogSpectrum> expected(family.checks.size(), LogSpectrum(number));
    LogSpectrum previous(number);
    LogSpectrum current(number);
    for (std::size_t j = 0; j < family.nodes.size(); ++j)
    {
        const PldStatistics& step = Transform(*family.nodes[j].pair, range);
        current.moment = step.logMoment;
        current.Assign(m_fourier.Coefficients(), j > 0 ? &previous : nullptr);
        AddTotals(step, family.nodes[j].count);
        total.Add(family.nodes[j].count, current);
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            expected[i].Add(family.checks[i].weights[j], current);
        }
        std::swap(previous, current);
    }
    std::vector<double> error(number, 0.0);
    double momentError = 0.0;
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        const PldStatistics& check = Transform(*family.checks[i].pair, range);
        current.Assign(m_fourier.Coefficients(), &expected[i]);
        current.RaiseToDistance(expected[i], error);
        momentError = std::max(momentError, std::abs(check.logMoment - expected[i].moment));
    }
    const PldStatistics& strongest = Transform(*family.strongest, range);
    m_product.totals.logFinite += family.count * std::log1p(-strongest.infinite);
    m_product.totals.logSlack += CAUTION * family.count * momentError;
    m_product.totals.steps += family.count;
    m_product.relative.resize(number, 0.0);
    for (std::size_t k = 0; k < number; ++k)
    {
        // std::polar does not accept NaN. In this expression a NaN leads to an infinite bound.
        const double length = std::exp(std::min(total.size[k], 0.0));
        m_product.coefficients[k] *=
            Complex(length * std::cos(total.angle[k]), length * std::sin(total.angle[k]));
        m_product.relative[k] += std::min(std::expm1(CAUTION * family.count * error[k]), 1e3);
    }
}

void
PldSpectrum::Multiply(const PldMesh& mesh)
{
    const std::vector<MeshCell>& cells = *mesh.cells;
    std::vector<std::size_t> lastUse(mesh.corners.size());
    for (std::size_t i = 0; i < cells.size(); ++i)
    {
        for (const std::size_t corner : cells[i].corners)
        {
            lastUse[corner] = i;
        }
    }
    std::vector<KindSpectrum> spectra(mesh.corners.size());
    for (std::size_t i = 0; i < cells.size(); ++i)
    {
        std::array<const KindSpectrum*, 4> corners{};
        for (std::size_t j = 0; j < corners.size(); ++j)
        {
            const std::size_t corner = cells[i].corners[j];
            if (spectra[corner].coefficients.empty())
            {
                spectra[corner] = CornerSpectrum(*mesh.corners[corner]);
            }
            corners[j] = &spectra[corner];
        }
        MultiplyCell(cells[i], corners, m_product);
        Trim();
        for (const std::size_t corner : cells[i].corners)
        {
            if (lastUse[corner] == i)
            {
                spectra[corner] = KindSpectrum();
            }
        }
    }
}

void
PldSpectrum::Trim()
{
    std::vector<Complex>& coefficients = m_product.coefficients;
    std::size_t kept = coefficients.size();
    double dropped = 0.0;
    while (kept > 1)
    {
        const double size = std::sqrt(std::norm(coefficients[kept - 1]));
        const double more = dropped + 2.0 * size / m_waves[kept - 1];
        if (!(more < DROPPED))
        {
            break;
        }
        dropped = more;
        --kept;
    }
    if (static_cast<double>(kept) < WORTHWHILE * static_cast<double>(coefficients.size()))
    {
        m_product.dropped += dropped;
        coefficients.resize(kept);
        m_product.smallest.resize(kept);
        m_product.relative.resize(m_product.relative.empty() ? 0 : kept);
    }
}

PldTotals
PldSpectrum::Finish()
{
    const std::vector<Complex>& product = m_product.coefficients;
    Complex* coefficients = m_fourier.Coefficients();
    std::copy(product.begin(), product.end(), coefficients);
    std::fill(coefficients + product.size(), coefficients + m_waves.size(), Complex(0.0, 0.0));
    m_fourier.Backward();
    PldTotals totals = m_product.totals;
    const auto size = static_cast<double>(m_fourier.Size());
    const double unit = std::numeric_limits<double>::epsilon() * (0.5 * std::log2(size) + 2.0);
    for (std::size_t k = 0; k < m_product.coefficients.size(); ++k)
    {
        const double product = std::sqrt(std::norm(m_product.coefficients[k]));
        const double growth = totals.steps / std::sqrt(std::max(m_product.smallest[k], 1e-280));
        const double relative = m_product.relative.empty() ? 0.0 : m_product.relative[k];
        const double error = product * (unit * (growth + 1.0) + relative);
        totals.roundoff += 2.0 * error / m_waves[k];
    }
    totals.roundoff += m_product.dropped;
    return totals;
}

} // namespace dpdl
