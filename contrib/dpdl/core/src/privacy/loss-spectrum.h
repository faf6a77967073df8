// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_LOSS_SPECTRUM_H
#define DPDL_PRIVACY_LOSS_SPECTRUM_H

#include "fourier.h"
#include "loss-cells.h"
#include "loss-kinds.h"

#include <array>
#include <complex>
#include <cstddef>
#include <vector>

namespace dpdl
{

/// Sums over the steps of a composition, of what LossCells says of each.
struct LossTotals
{
    double steps{0.0};     ///< number of steps
    double logMoment{0.0}; ///< log of what the tilted masses were divided by
    double logAbove{0.0};  ///< log sum of mass * exp(above * loss)
    double logBelow{0.0};  ///< log sum of mass * exp(-below * loss)
    double logFinite{0.0}; ///< log of the probability that no loss is infinite
    double moved{0.0};     ///< tilted mass of the losses that were moved up
    double spread{0.0};    ///< variance added by rounding to the grid, at most
    double raised{0.0};    ///< rise of the mean by rounding to the grid, at most
    double logSlack{0.0};  ///< how far the logarithms may be off by interpolation
    double roundoff{0.0};  ///< largest error of a sum of masses with unimodal weights in [0, 1]
};

/// The loss of one kind of step on a grid, transformed.
struct KindSpectrum
{
    std::vector<std::complex<double>> coefficients; ///< of the tilted masses
    LossCells cells;                                ///< what else is known; without the masses
};

/// A composition under way, on the grid of one LossSpectrum.
struct SpectrumProduct
{
    std::vector<std::complex<double>> coefficients; ///< of the steps so far; the others are 0
    std::vector<double> smallest; ///< smallest squared size of any kind's coefficient
    std::vector<double> relative; ///< relative error of the product by interpolation; none: 0
    LossTotals totals;            ///< sums over the steps so far
    double dropped{0.0};          ///< what Trim() has added to LossTotals::roundoff
};

/**
 * @brief Composes tilted discrete losses on a grid of cyclic positions: loss i * h is at i mod
 * size.
 */
class LossSpectrum
{
  public:
    /**
     * @param size number of cells
     * @param h width of a cell
     * @param tilt exponents
     * @param tail probability that every step gives away at either end of its losses
     */
    LossSpectrum(std::size_t size, double h, const LossTilt& tilt, double tail);

    /// Composes steps of one kind.
    void Multiply(const LossKind& kind);

    /**
     * @brief Composes the steps of a family by interpolation of the logarithms of their spectra.
     *
     * At pairs that are no nodes the interpolation is compared with the spectrum itself,
     * coefficient by coefficient; four times the largest difference counts as error of every step.
     */
    void Multiply(const LossFamily& family);

    /// Composes the steps of a mesh, and trims on the way.
    void Multiply(const LossMesh& mesh);

    /// Transforms the loss of a pair, for Multiply(), as far as coefficients are left.
    KindSpectrum SpectrumOf(const DominatingPair& pair);

    /**
     * @brief Composes steps whose spectrum is known.
     * @param kind has at least as many coefficients as are left
     * @param count a whole number
     */
    void Multiply(const KindSpectrum& kind, double count);

    /**
     * @brief Leaves out the highest coefficients, as far as they hardly matter, and counts them as
     *        an error. Further steps only make them smaller.
     */
    void Trim();

    /// What else is known of the masses.
    LossTotals Totals() const;

    /// Goes back to masses. More can be composed afterwards.
    LossTotals Finish();

    /// What has been composed so far.
    const SpectrumProduct& Composed() const
    {
        return m_product;
    }

    /// Goes on from what an object of the same arguments has composed.
    void SetComposed(const SpectrumProduct& product)
    {
        m_product = product;
    }

    /// Number of cells.
    std::size_t Size() const
    {
        return m_fourier.Size();
    }

    /// The masses, after Finish(); Size() values.
    const double* Masses()
    {
        return m_fourier.Values();
    }

  private:
    /// Transforms the loss of a pair; returns what else is known of it.
    const LossCells& Transform(const DominatingPair& pair, const LossRange& range);
    /// Takes down how small coefficients of a kind are.
    void NoteSizes(const std::complex<double>* coefficients);
    /// SpectrumOf() by plain sums where few coefficients are left.
    KindSpectrum CornerSpectrum(const DominatingPair& pair);
    void AddTotals(const LossCells& cells, double count);
    void Count(const LossCells& cells, double count);
    void MultiplyPower(const std::complex<double>* coefficients, double count);

    Fourier m_fourier;
    LossDiscretiser m_discretiser;
    double m_tail;
    RootsOfUnity m_roots;        ///< for plain sums
    SpectrumProduct m_product;   ///< see Composed()
    std::vector<double> m_waves; ///< coefficients of unimodal weights are at most size / this
};

/**
 * @brief Composes the steps of a mesh's cell.
 *
 * The spectrum of a step is the mixture T + d of its corners' spectra, T the mean over the steps.
 * Where the d are small the product is T^n exp(-sum of d^2 / (2 T^2)): the d add up to 0, and what
 * is left out, at most 2/3 sum of |d / T|^3 for |d / T| <= 1/2, counts as an error. Elsewhere step
 * is multiplied by step.
 *
 * @param cell the steps
 * @param corners spectra of the cell's corners, with all coefficients that are left
 * @param product what has been composed so far
 */
void MultiplyCell(const MeshCell& cell,
                  const std::array<const KindSpectrum*, 4>& corners,
                  SpectrumProduct& product);

} // namespace dpdl

#endif // DPDL_PRIVACY_LOSS_SPECTRUM_H
