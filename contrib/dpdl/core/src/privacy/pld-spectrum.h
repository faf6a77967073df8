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

/// Statistics of a composition: sums of the fields of PldCells over its steps.
struct PldTotals
{
    double steps{0.0};     ///< number of steps
    double logMoment{0.0}; ///< log of the factor by which tilting normalised the masses
    double logAbove{0.0};  ///< log sum of mass * exp(above * loss)
    double logBelow{0.0};  ///< log sum of mass * exp(-below * loss)
    double logFinite{0.0}; ///< log of the probability that no loss is infinite
    double moved{0.0};     ///< tilted mass of the losses moved up
    double spread{0.0};    ///< largest variance added by rounding to the grid
    double raised{0.0};    ///< largest rise of the mean by rounding to the grid
    double logSlack{0.0};  ///< error of the logarithms by interpolation
    double roundoff{0.0};  ///< largest error of a sum of masses with unimodal weights in [0, 1]
};

/// The Fourier transform of one kind of step's discretised loss.
struct KindSpectrum
{
    std::vector<std::complex<double>> coefficients; ///< Fourier coefficients of the tilted masses
    PldCells cells;                                 ///< statistics of the loss, without masses
};

/// A composition to which steps may be added, on the grid of one PldSpectrum.
struct SpectrumProduct
{
    /// Product of the steps' coefficients; those not stored are 0.
    std::vector<std::complex<double>> coefficients;
    std::vector<double> smallest; ///< smallest squared size of any kind's coefficient
    std::vector<double> relative; ///< relative interpolation error of the product; empty: 0
    PldTotals totals;             ///< sums over the steps so far
    double dropped{0.0};          ///< total contribution of Trim() to PldTotals::roundoff
};

/**
 * @brief Composes tilted discrete losses on a cyclic grid: loss i * h is at index i mod size.
 */
class PldSpectrum
{
  public:
    /**
     * @param size number of cells
     * @param h width of a cell, in units of the loss
     * @param tilt exponents by which masses are tilted and tails are bounded
     * @param tail probability that every step truncates at either end of its losses
     */
    PldSpectrum(std::size_t size, double h, const PldTilt& tilt, double tail);

    /// Multiplies the composition by the steps of one kind.
    void Multiply(const PldKind& kind);

    /**
     * @brief Composes the steps of a family by interpolating the logarithms of their spectra.
     *
     * At pairs between the nodes the interpolation is compared with the exact spectrum, coefficient
     * by coefficient. Four times the largest difference counts as the error of every step.
     */
    void Multiply(const PldFamily& family);

    /// Composes the steps of a mesh and calls Trim() in between.
    void Multiply(const PldMesh& mesh);

    /// Transforms the loss of a pair for Multiply(), for the remaining coefficients.
    KindSpectrum SpectrumOf(const DominatingPair& pair);

    /**
     * @brief Composes steps with a known spectrum.
     * @param kind has at least the remaining coefficients
     * @param count number of steps, a whole number
     */
    void Multiply(const KindSpectrum& kind, double count);

    /**
     * @brief Drops the highest Fourier coefficients while they are negligible, and counts them as
     *        an error. Further steps only reduce them.
     */
    void Trim();

    /// Transforms back to masses, and gives their statistics. Further composition is allowed.
    PldTotals Finish();

    /// Composition of the steps multiplied so far.
    const SpectrumProduct& Composed() const
    {
        return m_product;
    }

    /// Continues from the composition of an object with the same arguments.
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
    /// Transforms the loss of a pair; returns its statistics.
    const PldCells& Transform(const DominatingPair& pair, const PldRange& range);
    /// Updates the smallest sizes of coefficients of any kind.
    void NoteSizes(const std::complex<double>* coefficients);
    /// SpectrumOf() by direct sums, for few remaining coefficients.
    KindSpectrum CornerSpectrum(const DominatingPair& pair);
    void AddTotals(const PldCells& cells, double count);
    void Count(const PldCells& cells, double count);
    void MultiplyPower(const std::complex<double>* coefficients, double count);

    Fourier m_fourier;
    PldDiscretiser m_discretiser;
    double m_tail;
    RootsOfUnity m_roots;        ///< roots of unity for direct sums
    SpectrumProduct m_product;   ///< the composition so far
    std::vector<double> m_waves; ///< coefficient k of unimodal weights: at most size / m_waves[k]
};

/**
 * @brief Composes the steps of one mesh cell.
 *
 * The spectrum of a step is the mixture T + d of its corners' spectra, with T the mean over the
 * steps, so the d add up to 0. If all d are small, the product is T^n exp(-sum of d^2 / (2 T^2)).
 * The remainder, at most 2/3 sum of |d / T|^3 for |d / T| <= 1/2, counts as an error. Otherwise the
 * steps are multiplied one by one.
 *
 * @param cell positions and counts of the steps in the mesh cell
 * @param corners spectra of the cell's corners, with all remaining coefficients
 * @param[in,out] product composition to which the steps are added
 */
void MultiplyCell(const MeshCell& cell,
                  const std::array<const KindSpectrum*, 4>& corners,
                  SpectrumProduct& product);

} // namespace dpdl

#endif // DPDL_PRIVACY_PLD_SPECTRUM_H
