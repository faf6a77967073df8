// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_PLD_ESTIMATE_H
#define DPDL_PRIVACY_PLD_ESTIMATE_H

#include "pld-cells.h"
#include "pld-kinds.h"

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

namespace dpdl
{

/// Parameters for evaluating a composed loss on a grid.
struct PldPlan
{
    static constexpr double INFINITE = std::numeric_limits<double>::infinity();

    PldTilt tilt;
    PldRange window{-INFINITE, INFINITE}; ///< range of losses that the grid covers
    double logRounding{INFINITE};         ///< log of the rounding error of delta, relative to delta

    double Width() const
    {
        return window.highest - window.lowest;
    }

    /// Enlarges the window upwards, and bounds the mass outside by a less extreme exponent.
    void Widen()
    {
        window.highest += Width();
        tilt.above = std::min(tilt.above, tilt.main);
    }
};

/**
 * @brief Fast estimate of a composed loss: its epsilon at delta, and the tilting and loss range for
 *        a precise evaluation.
 *
 * A saddle-point approximation on few atoms per step. No certified value depends on it: a poor
 * estimate only makes the evaluation slower or its error larger.
 */
class PldEstimate
{
  public:
    /**
     * @param kinds steps of the composition, at least one
     * @param delta delta of the guarantee, in (0, 1)
     */
    PldEstimate(const PldKinds& kinds, double delta);

    /// Approximate epsilon, at least 0.
    double Epsilon() const
    {
        return m_epsilon;
    }

    /// Saddle point: the exponent c of the moment E_P[e^(c loss)] that determines epsilon.
    double Saddle() const
    {
        return m_saddle;
    }

    /// Probability that each step may truncate at either end of its losses.
    double Tail() const
    {
        return m_tail;
    }

    /**
     * @brief Narrowest window for reading off an epsilon, with exponents that limit its errors.
     * @param low lower bound of epsilon, at least 0
     * @param sure false: @p low is only a guess, so the window must reach below it
     */
    PldPlan Plan(double low, bool sure) const;

  private:
    /// An atom of the discretised loss of one kind of step.
    struct Atom
    {
        double loss;
        double mass;
    };

    /// Probabilities of a pair's losses in the cells of a grid over a range.
    struct Cells
    {
        Cells(const DominatingPair& pair, const PldRange& range, std::size_t number);

        /// Loss at the border between the cells i and i + 1.
        double Point(std::size_t i) const
        {
            return static_cast<double>(grid.first + static_cast<std::int64_t>(i)) * grid.h;
        }

        PldGrid grid;
        std::vector<double> p;
        std::vector<double> q;
    };

    /// Atoms of one kind of step: index past its last atom, and number of such steps.
    struct Segment
    {
        std::size_t end;
        double count;
    };

    /// Log moment of the composition at an exponent, and its first two derivatives.
    struct Cumulants
    {
        double value{0.0};
        double mean{0.0};
        double variance{0.0};
    };

    void AddKind(const PldKind& kind, std::size_t cells);
    void AddAtoms(const Cells& cells);
    Cumulants At(double exponent) const;
    void FindSaddle();
    void Tabulate();
    /// Narrowest window for one main exponent; empty if rounding errors forbid it.
    PldPlan PlanFor(double main, double value, double low, bool sure) const;

    std::vector<Atom> m_atoms;
    std::vector<Segment> m_segments;
    double m_highest{0.0}; ///< largest loss of any single step
    double m_lowest{0.0};  ///< smallest loss of any single step
    double m_tail;
    double m_logDelta;
    double m_steps;
    double m_epsilon{0.0};
    double m_saddle{0.0};             ///< exponent of the estimated epsilon
    std::map<double, double> m_table; ///< exponent to log moment of the composition
};

} // namespace dpdl

#endif // DPDL_PRIVACY_PLD_ESTIMATE_H
