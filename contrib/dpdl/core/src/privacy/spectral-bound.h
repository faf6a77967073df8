// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_SPECTRAL_BOUND_H
#define DPDL_PRIVACY_SPECTRAL_BOUND_H

#include "asked-bound.h"
#include "loss-kinds.h"
#include "loss-spectrum.h"

#include <memory>

namespace dpdl
{

/**
 * @brief One direction of PldComposition over a list of steps that grows.
 *
 * The spectrum of the steps so far is kept on one grid: a step costs one product, and epsilon one
 * transform. Everything that is proven of a single evaluation holds here. Where the bounds of the
 * steps so far drift apart, a grid is made for about twice as many. The upper bound is raised by
 * the distance that the accountant may keep from the exact value, so that it is not below the
 * accountant's. The accountant itself is asked for the first steps, where no grid is fine enough,
 * and for the sampler `shuffle`.
 */
class SpectralBound : public RunningBound
{
  public:
    /**
     * @param pld the accountant; outlives this object
     * @param question delta and adjacency
     * @param remove the direction "an example is removed"; false: the other one
     */
    SpectralBound(const Accountant& pld, const AccountingQuery& question, bool remove);

    void Add(const std::vector<CountedStep>& counted) override;
    EpsilonBounds With(const std::vector<CountedStep>& ahead,
                       const LaterSteps& later,
                       double enough) override;

    std::unique_ptr<RunningBound> Clone() const override
    {
        return std::make_unique<SpectralBound>(*this);
    }

  private:
    struct Grid;

    /// Composes steps on the grid with what is there.
    void Multiply(const StepCounts& steps);
    /// The bounds of the steps so far and some more on the grid.
    EpsilonBounds OnGrid(const StepCounts& ahead);
    /// Makes a grid that serves for some more steps.
    void MakeGrid(const std::vector<CountedStep>& more, double sharp);
    LossKinds Kinds(const StepCounts& steps) const;
    /// Bounds of the steps so far on a grid that is fine enough; infinite if none is.
    EpsilonBounds Sharpened(const LaterSteps& later);
    EpsilonBounds Raised(EpsilonBounds bounds, std::size_t distinct) const;

    AskedBound m_asked;           ///< where no grid serves
    AccountingQuery m_question;   ///< what is asked
    bool m_remove;                ///< the direction
    bool m_onGrid{true};          ///< false: m_asked answers from now on
    StepCounts m_steps;           ///< the steps so far
    std::size_t m_count{0};       ///< how many
    std::size_t m_sampled{0};     ///< those among them that are not Gaussian without sampling
    double m_square{0.0};         ///< of the others: sum of squared shifts
    std::shared_ptr<Grid> m_grid; ///< none before it is needed; shared with copies
    SpectrumProduct m_product;    ///< of the steps so far, on the grid
    std::size_t m_retryAt{0};     ///< no grid serves for fewer steps than this
    double m_lower{0.0};          ///< epsilon is hardly below this
};

} // namespace dpdl

#endif // DPDL_PRIVACY_SPECTRAL_BOUND_H
