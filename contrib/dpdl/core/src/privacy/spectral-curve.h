// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_SPECTRAL_CURVE_H
#define DPDL_PRIVACY_SPECTRAL_CURVE_H

#include "composed-pld.h"
#include "dpdl/privacy/accountant.h"
#include "pld-estimate.h"
#include "pld-kinds.h"
#include "pld-spectrum.h"

#include <map>
#include <memory>

namespace dpdl
{

/**
 * @brief Computes bounds like PldComposition, for one direction and a growing list of steps, on one
 *        grid of privacy losses.
 *
 * What is proven and what is estimated is the same as for PldComposition. The grid is fine enough
 * for the whole list, and its range includes the epsilon of the first steps and the epsilon of all
 * steps. If there are more than 256 different steps, their mu is rounded up by at most about 0.2 %
 * (WithMuRoundedUp()).
 */
class SpectralCurve
{
  public:
    /**
     * @param all all steps that will be added, at least one; WhyNoPairs() must return "" for each
     * @param first steps of the smallest composition that With() will compute, at least one; all of
     *        them are in @p all
     * @param question delta and neighbouring relation; AccountingQuery's direction is not used
     * @param remove true: Direction::REMOVE; false: Direction::ADD
     * @param close target distance between upper and lower bound of the epsilon of all steps, as a
     *        fraction of epsilon
     */
    SpectralCurve(const StepCounts& all,
                  const StepCounts& first,
                  const AccountingQuery& question,
                  bool remove,
                  double close);

    /// Composes steps permanently: later calls of With() include these steps.
    void Add(const StepCounts& steps);

    /// Privacy loss of the composition of the steps added so far with the steps @p more. Does not
    /// add @p more. The result is valid until the next call of With() or Add().
    ComposedPld With(const StepCounts& more);

  private:
    PldKinds KindsOf(const StepCounts& steps) const;
    void Multiply(const StepCounts& steps);

    AccountingQuery m_question; ///< delta and neighbouring relation
    bool m_remove;              ///< true: direction REMOVE; false: ADD
    bool m_isRounded;           ///< true: the mu of every step is rounded up
    PldPlan m_plan;             ///< tilting exponents, and range of privacy losses of the grid
    double m_width{0.0};        ///< width of a grid cell, in nats of privacy loss
    std::unique_ptr<PldSpectrum> m_spectrum;     ///< composes the steps
    SpectrumProduct m_product;                   ///< composition of the steps added so far
    std::map<PrivacyStep, KindSpectrum> m_known; ///< cached spectra of single steps; key: step
    std::size_t m_stored{0};                     ///< number of coefficients in m_known
};

} // namespace dpdl

#endif // DPDL_PRIVACY_SPECTRAL_CURVE_H
