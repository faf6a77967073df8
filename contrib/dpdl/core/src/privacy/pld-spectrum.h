// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_PLD_SPECTRUM_H
#define DPDL_PRIVACY_PLD_SPECTRUM_H

#include "fourier.h"
#include "pld-cells.h"
#include "pld-kinds.h"

#include <array>
#include <complex>
#include <cstddef>
#include <vector>

namespace dpdl
{

/// Statistics of a composition: PldStatistics, summed over its steps, and error
/// bounds.
struct PldTotals
{
    double steps{0.0};     ///< number of steps
    double logMoment{0.0}; ///< sum of PldStatistics::logMoment
    /// Upper bound on the natural logarithm of the sum of mass * exp(PldTilt::above * loss).
    double logAbove{0.0};
    /// Upper bound on the natural logarithm of the sum of mass * exp(-PldTilt::below * loss).
    double logBelow{0.0};
    double logFinite{0.0}; ///< log of the probability that no step has an infinite privacy loss
    /// Tilted mass of the privacy losses that were raised to the lower end of their range.
    double moved{0.0};
    /// Variance that rounding to the grid adds to the privacy loss, in nats^2, under weights
    /// exp(PldTilt::local * loss).
    double spread{0.0};
    /// Amount in nats by which rounding to the grid raises the mean privacy loss, under weights
    /// exp(PldTilt::local * loss).
    double raised{0.0};
    double logSlack{0.0}; ///< estimated upper bound on the interpolation error of logMoment
    /// Upper bound on the error of a weighted sum of the tilted masses. Holds for all weights in
    /// [0, 1] that first increase and then decrease with the cell (unimodal weights).
    double roundoff{0.0};
};

/// Fourier transform of the discretised privacy loss of one kind of step.
struct KindSpectrum
{
    std::vector<std::complex<double>> coefficients; ///< Fourier coefficients of the tilted masses
    PldStatistics statistics;                       ///< statistics of the discretised privacy loss
};

/// Composition of steps in a PldSpectrum, as Fourier coefficients.
struct SpectrumProduct
{
    /// Product of the steps' Fourier coefficients. Coefficients beyond the end are 0.
    std::vector<std::complex<double>> coefficients;
    /// Element k: squared absolute value of Fourier coefficient k of the step for which it is
    /// smallest.
    std::vector<double> smallest;
    /// Element k: upper bound on the relative error of coefficient k, from the interpolation of
    /// families (estimated) and the expansion in MultiplyCell() (proven). Empty: all errors are 0.
    std::vector<double> relative;
    PldTotals totals; ///< sums over the steps so far
    /// Upper bound on the error by all calls of Trim(); PldSpectrum::Finish() adds it to
    /// PldTotals::roundoff.
    double dropped{0.0};
};

/**
 * @brief Composes tilted discrete privacy losses on a cyclic grid: the mass at privacy loss i * h
 *        has index i mod size.
 */
class PldSpectrum
{
  public:
    /**
     * @param size number of cells
     * @param h width of a cell, in nats of privacy loss
     * @param tilt exponents for tilting masses and bounding tails
     * @param tail probability that every step truncates at either end of its privacy loss
     */
    PldSpectrum(std::size_t size, double h, const PldTilt& tilt, double tail);

    /// Multiplies the composition by the steps of one kind.
    void Multiply(const PldKind& kind);

    /**
     * @brief Multiplies the composition by the steps of a family. Interpolates the logarithms of
     *        their spectra in mu.
     *
     * For each of PldFamily::checks the interpolation is compared with the exact spectrum,
     * coefficient by coefficient. Four times the largest difference counts as the error of every
     * step.
     */
    void Multiply(const PldFamily& family);

    /// Composes the steps of a mesh with the steps so far: multiplies the Fourier coefficients by
    /// those of the steps, one mesh cell after another. After each cell, Trim() drops negligible
    /// coefficients, to save time. Bounds stay valid, because SpectrumProduct::dropped counts them.
    void Multiply(const PldMesh& mesh);

    /// Computes the spectrum of a pair's privacy loss for Multiply(). The spectrum has as many
    /// coefficients as Composed().
    KindSpectrum SpectrumOf(const DominatingPair& pair);

    /**
     * @brief Multiplies the composition by equal steps with a known spectrum.
     * @param kind spectrum with at least as many coefficients as Composed() has
     * @param count number of steps, an integer
     */
    void Multiply(const KindSpectrum& kind, double count);

    /// Sets the highest Fourier coefficients to 0 while they are negligible, and adds their effect
    /// to SpectrumProduct::dropped. Further steps could only reduce these coefficients.
    void Trim();

    /// Transforms the coefficients back to masses and returns the statistics. Further composition
    /// is allowed.
    PldTotals Finish();

    /// Composition of the steps multiplied so far.
    const SpectrumProduct& Composed() const
    {
        return m_product;
    }

    /// Replaces the composition by one of a PldSpectrum with the same constructor arguments.
    void SetComposed(const SpectrumProduct& product)
    {
        m_product = product;
    }

    /// Number of cells of the grid.
    std::size_t Size() const
    {
        return m_fourier.Size();
    }

    /// The tilted masses of the composition, Size() values; valid after Finish().
    const double* Masses()
    {
        return m_fourier.Values();
    }

  private:
    /// Discretises the privacy loss of a pair and stores its Fourier transform in m_fourier.
    /// @return statistics of the discretised privacy loss
    const PldStatistics& Transform(const DominatingPair& pair, const PldRange& range);
    /// Lowers SpectrumProduct::smallest to the squared absolute values of @p coefficients.
    void NoteSizes(const std::complex<double>* coefficients);
    /// Computes SpectrumOf() of a mesh corner, by direct sums if direct sums are faster than a fast
    /// Fourier transform.
    KindSpectrum CornerSpectrum(const DominatingPair& pair);
    void AddTotals(const PldStatistics& step, double count);
    void Count(const PldStatistics& step, double count);
    void MultiplyPower(const std::complex<double>* coefficients, double count);

    Fourier m_fourier;
    PldDiscretiser m_discretiser;
    double m_tail;
    RootsOfUnity m_roots;      ///< roots of unity for direct sums
    SpectrumProduct m_product; ///< the composition so far
    /// Divisors of bounds. For unimodal weights in [0, 1] on N = Size() cells, Fourier coefficient
    /// k has magnitude at most N / m_waves[k].
    std::vector<double> m_waves;
};

/**
 * @brief Multiplies a composition by the steps of one mesh cell.
 *
 * Each Fourier coefficient of a step is the mixture of the coefficients of the cell's corners. Let
 * T be the mean of this coefficient over the n steps, and T + d the coefficient of a step, so the d
 * add up to 0. If all |d / T| are at most 1/2, the product is T^n exp(-sum of d^2 / (2 T^2)) up to
 * a relative error of exp(e) - 1. Here e is at most 2/3 sum of |d / T|^3. If this error exceeds
 * 1e-9, the steps are multiplied one by one.
 *
 * @param cell positions and counts of the steps in the mesh cell
 * @param corners spectra of the cell's corners, with at least as many coefficients as @p product
 * @param[in,out] product composition by which the steps are multiplied
 */
void MultiplyCell(const MeshCell& cell,
                  const std::array<const KindSpectrum*, 4>& corners,
                  SpectrumProduct& product);

} // namespace dpdl

#endif // DPDL_PRIVACY_PLD_SPECTRUM_H
