// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "fourier.h"
#include "pld-spectrum.h"

#include <algorithm>
#include <cmath>

// Multiplies the spectra (Fourier transforms of the privacy loss) of all steps in a mesh cell. An
// expansion around the mean spectrum replaces the product if the expansion's relative error is at
// most SMALL_ERROR.

namespace dpdl
{

namespace
{

using Complex = std::complex<double>;

/// Spectra are multiplied one by one if a mesh cell has at most this number of different steps.
/// With more steps, the expansion around the mean spectrum is tried.
constexpr std::size_t FEW_PLACES = 4;
/// Largest relative error of a coefficient at which the expansion replaces the product over the
/// steps.
constexpr double SMALL_ERROR = 1e-9;

/// Spectrum of a step at the relative position (rate, shift) of a mesh cell: base + rate * byRate +
/// shift * byShift + rate * shift * byBoth.
struct Bilinear
{
    Complex base;
    Complex byRate;
    Complex byShift;
    Complex byBoth;

    Complex At(double rate, double shift, double both) const
    {
        return {base.real() + rate * byRate.real() + shift * byShift.real() + both * byBoth.real(),
                base.imag() + rate * byRate.imag() + shift * byShift.imag() + both * byBoth.imag()};
    }
};

/// Statistics over the steps of a mesh cell, of three numbers: the step's position (rate, shift) in
/// the cell, and the product rate * shift ("both"). Has the means, and the sums of products of
/// deviations from the means.
struct PlaceSums
{
    explicit PlaceSums(const MeshCell& cell)
    {
        for (const MeshCell::Place& place : cell.places)
        {
            rate += place.count * place.rate / cell.count;
            shift += place.count * place.shift / cell.count;
            both += place.count * place.rate * place.shift / cell.count;
        }
        for (const MeshCell::Place& place : cell.places)
        {
            const double r = place.rate - rate;
            const double s = place.shift - shift;
            const double b = place.rate * place.shift - both;
            rateRate += place.count * r * r;
            shiftShift += place.count * s * s;
            bothBoth += place.count * b * b;
            rateShift += place.count * r * s;
            rateBoth += place.count * r * b;
            shiftBoth += place.count * s * b;
        }
    }

    /// Sum over the steps of the complex number (c - mean)^2, where c is a step's Fourier
    /// coefficient.
    Complex Squares(const Bilinear& spectrum) const
    {
        const Complex& r = spectrum.byRate;
        const Complex& s = spectrum.byShift;
        const Complex& b = spectrum.byBoth;
        return rateRate * Product(r, r) + shiftShift * Product(s, s) + bothBoth * Product(b, b) +
               2.0 * (rateShift * Product(r, s) + rateBoth * Product(r, b) +
                      shiftBoth * Product(s, b));
    }

    double rate{0.0};
    double shift{0.0};
    double both{0.0};
    double rateRate{0.0};
    double shiftShift{0.0};
    double bothBoth{0.0};
    double rateShift{0.0};
    double rateBoth{0.0};
    double shiftBoth{0.0};
};

double
Size(const Complex& value)
{
    return std::sqrt(std::norm(value));
}

/// Multiplies the product of a composition by the spectra of a mesh cell's steps, one coefficient
/// at a time.
class CellProduct
{
  public:
    CellProduct(const MeshCell& cell,
                const std::array<const KindSpectrum*, 4>& corners,
                SpectrumProduct& product)
        : m_cell(cell),
          m_corners(corners),
          m_product(product),
          m_sums(cell),
          m_reachRate(std::sqrt(m_sums.rateRate)),
          m_reachShift(std::sqrt(m_sums.shiftShift)),
          m_reachBoth(std::sqrt(m_sums.bothBoth))
    {
        AddTotals();
    }

    void Multiply(std::size_t k)
    {
        const Bilinear spectrum = SpectrumAt(k);
        const Complex mean = spectrum.At(m_sums.rate, m_sums.shift, m_sums.both);
        double& smallest = m_product.smallest[k];
        smallest = std::min(smallest, std::norm(mean));
        const double rate = Size(spectrum.byRate);
        const double shift = Size(spectrum.byShift);
        const double both = Size(spectrum.byBoth);
        const double size = Size(mean);
        const double farthest = rate + shift + both;
        const double deviation = m_reachRate * rate + m_reachShift * shift + m_reachBoth * both;
        const double error =
            2.0 / 3.0 * (farthest / size) * (deviation / size) * (deviation / size);
        Complex& product = m_product.coefficients[k];
        if (m_cell.places.size() <= FEW_PLACES || !(farthest <= 0.5 * size) ||
            !(error <= SMALL_ERROR))
        {
            product = StepByStep(spectrum, product, smallest);
            return;
        }
        const Complex squares = m_sums.Squares(spectrum) / Product(mean, mean);
        const double length = std::exp(-0.5 * squares.real());
        const double angle = -0.5 * squares.imag();
        const Complex factor(length * std::cos(angle), length * std::sin(angle));
        product = Kept(Product(product, Product(factor, Power(mean, m_cell.count))));
        m_product.relative[k] += std::expm1(error) * (1.0 + m_product.relative[k]);
    }

  private:
    void AddTotals()
    {
        const std::array<double, 4> weights = MeanWeights();
        double highest = m_corners[0]->statistics.logMoment;
        for (const KindSpectrum* corner : m_corners)
        {
            highest = std::max(highest, corner->statistics.logMoment);
        }
        double sum = 0.0;
        for (std::size_t i = 0; i < weights.size(); ++i)
        {
            m_factors[i] = std::exp(m_corners[i]->statistics.logMoment - highest);
            sum += weights[i] * m_factors[i];
        }
        double above = 0.0;
        double below = 0.0;
        double infinite = 0.0;
        double moved = 0.0;
        PldTotals& totals = m_product.totals;
        const double count = m_cell.count;
        for (std::size_t i = 0; i < weights.size(); ++i)
        {
            const PldStatistics& corner = m_corners[i]->statistics;
            m_factors[i] /= sum;
            above += weights[i] * m_factors[i] * std::exp(corner.logAbove);
            below += weights[i] * m_factors[i] * std::exp(corner.logBelow);
            infinite = std::max(infinite, corner.infinite);
            moved = std::max(moved, corner.moved);
            totals.spread += count * weights[i] * corner.spread;
            totals.raised += count * weights[i] * corner.raised;
        }
        // By the inequality of arithmetic and geometric means, the product of the steps' moments is
        // at most their mean to the power of the number of steps. So each of the following totals
        // is an upper bound.
        totals.steps += count;
        totals.logMoment += count * (highest + std::log(sum));
        totals.logAbove += count * std::log(above);
        totals.logBelow += count * std::log(below);
        totals.logFinite += count * std::log1p(-infinite);
        totals.moved += count * moved;
    }

    std::array<double, 4> MeanWeights() const
    {
        return {1.0 - m_sums.rate - m_sums.shift + m_sums.both,
                m_sums.rate - m_sums.both,
                m_sums.shift - m_sums.both,
                m_sums.both};
    }

    Bilinear SpectrumAt(std::size_t k) const
    {
        std::array<Complex, 4> at;
        for (std::size_t i = 0; i < at.size(); ++i)
        {
            at[i] = m_factors[i] * m_corners[i]->coefficients[k];
        }
        return {at[0], at[1] - at[0], at[2] - at[0], at[3] - at[1] - at[2] + at[0]};
    }

    Complex StepByStep(const Bilinear& spectrum, Complex product, double& smallest) const
    {
        for (const MeshCell::Place& place : m_cell.places)
        {
            const Complex step = spectrum.At(place.rate, place.shift, place.rate * place.shift);
            smallest = std::min(smallest, std::norm(step));
            product = Kept(Product(product, place.count == 1.0 ? step : Power(step, place.count)));
            if (product == Complex(0.0, 0.0))
            {
                break;
            }
        }
        return product;
    }

    const MeshCell& m_cell;
    const std::array<const KindSpectrum*, 4>& m_corners;
    SpectrumProduct& m_product;
    PlaceSums m_sums;
    /// Square roots of the sums over the steps of squared deviations of rate, shift, and rate *
    /// shift.
    double m_reachRate;
    double m_reachShift;
    double m_reachBoth;
    /// Element i: moment of the privacy loss at corner i, divided by the moment of the mean mixture
    /// of the corners.
    std::array<double, 4> m_factors{};
};

} // namespace

void
MultiplyCell(const MeshCell& cell,
             const std::array<const KindSpectrum*, 4>& corners,
             SpectrumProduct& product)
{
    product.relative.resize(product.coefficients.size(), 0.0);
    CellProduct all(cell, corners, product);
    for (std::size_t k = 0; k < product.coefficients.size(); ++k)
    {
        if (product.coefficients[k] != Complex(0.0, 0.0))
        {
            all.Multiply(k);
        }
    }
}

} // namespace dpdl
