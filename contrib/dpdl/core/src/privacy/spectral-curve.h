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
 * @brief One direction of PldComposition for a growing list of steps, on one grid.
 *
 * Everything that is proven for a single evaluation also holds here: the grid is fine enough for
 * the whole list, and the window covers the epsilon of the first steps to that of all steps. If
 * there are many different steps, mu is rounded up by about 0.1 % (WithMuRoundedUp).
 */
class SpectralCurve
{
  public:
    /**
     * @param all all steps that will be added, supported by WhyNoPairs(); at least one
     * @param first steps that are added first; at least one
     * @param question delta and neighbouring relation; its direction is not used
     * @param remove true: for the direction "an example is removed"; false: "an example is added"
     * @param close target distance between upper and lower bound of the whole list's epsilon,
     *        relative to epsilon
     */
    SpectralCurve(const StepCounts& all,
                  const StepCounts& first,
                  const AccountingQuery& question,
                  bool remove,
                  double close);

    /// Adds steps to the list.
    void Add(const StepCounts& steps);

    /// Loss of the steps added so far plus @p more, which are not added; valid until the next call.
    ComposedPld With(const StepCounts& more);

  private:
    PldKinds KindsOf(const StepCounts& steps) const;
    void Multiply(const StepCounts& steps);

    AccountingQuery m_question;              ///< delta and adjacency
    bool m_remove;                           ///< true: direction REMOVE; false: ADD
    bool m_isRounded;                        ///< true: the mu of every step is rounded up
    PldPlan m_plan;                          ///< tilting exponents, and range of losses of the grid
    double m_width{0.0};                     ///< width of a grid cell, in units of the loss
    std::unique_ptr<PldSpectrum> m_spectrum; ///< composes the steps
    SpectrumProduct m_product;               ///< composition of the steps added so far
    std::map<PrivacyStep, KindSpectrum> m_known; ///< cached spectra of single steps
    std::size_t m_stored{0};                     ///< number of coefficients in m_known
};

} // namespace dpdl

#endif // DPDL_PRIVACY_SPECTRAL_CURVE_H
