// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_SPECTRAL_CURVE_H
#define DPDL_PRIVACY_SPECTRAL_CURVE_H

#include "composed-loss.h"
#include "dpdl/privacy/accountant.h"
#include "loss-kinds.h"
#include "loss-outline.h"
#include "loss-spectrum.h"

#include <map>
#include <memory>

namespace dpdl
{

/**
 * @brief One direction of PldComposition over a list of steps that grows, on one grid.
 *
 * All that is proven of a single evaluation holds here: the grid is as fine as the whole list needs
 * it, and the window reaches from the epsilon of the first steps to that of all. If very many steps
 * differ, mu is rounded up by about 0.1 % (StepRounding).
 */
class SpectralCurve
{
  public:
    /**
     * @param all steps that will be added, with pairs by WhyNoPairs; at least one
     * @param first those that are added first; at least one
     * @param question delta and adjacency
     * @param remove the direction "an example is removed"; false: the other one
     * @param close wanted distance of the bounds of the whole list, relative to epsilon
     */
    SpectralCurve(const StepCounts& all,
                  const StepCounts& first,
                  const AccountingQuery& question,
                  bool remove,
                  double close);

    /// Adds steps.
    void Add(const StepCounts& steps);

    /// The loss of the steps added so far and of @p more, which are not added; until the next call.
    ComposedLoss With(const StepCounts& more);

  private:
    LossKinds KindsOf(const StepCounts& steps) const;
    void Multiply(const StepCounts& steps);

    AccountingQuery m_question;                  ///< what is asked
    bool m_remove;                               ///< the direction
    bool m_isRounded;                            ///< mu is rounded up
    LossPlan m_plan;                             ///< tilting and window
    double m_width{0.0};                         ///< of a cell
    std::unique_ptr<LossSpectrum> m_spectrum;    ///< composes
    SpectrumProduct m_product;                   ///< of the steps added so far
    std::map<PrivacyStep, KindSpectrum> m_known; ///< spectra of single steps
    std::size_t m_stored{0};                     ///< number of coefficients in them
};

} // namespace dpdl

#endif // DPDL_PRIVACY_SPECTRAL_CURVE_H
