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

/// Parameters for evaluating a composed privacy loss on a grid.
struct PldPlan
{
    static constexpr double INFINITE = std::numeric_limits<double>::infinity();

    PldTilt tilt;
    PldRange window{-INFINITE, INFINITE}; ///< range of privacy losses that the grid covers, in nats
    /// Natural logarithm of the estimated rounding error of delta, relative to delta.
    double logRounding{INFINITE};

    double Width() const
    {
        return window.highest - window.lowest;
    }

    /// Doubles the window's width by raising its upper end, and limits tilt.above, the exponent of
    /// the bound on the mass above the window, to tilt.main.
    void Widen()
    {
        window.highest += Width();
        tilt.above = std::min(tilt.above, tilt.main);
    }
};

/**
 * @brief Fast estimate of a composed privacy loss: its epsilon at delta, and the tilting exponents
 *        and the range of privacy losses for a precise evaluation.
 *
 * The estimate is a saddle-point approximation with 32 to 1300 atoms per kind of step. No certified
 * bound relies on its accuracy: a poor estimate only makes the evaluation slower or the bound
 * looser.
 */
class PldEstimate
{
  public:
    /**
     * @param kinds steps of the composition, at least one
     * @param delta delta of the guarantee, in (0, 1)
     */
    PldEstimate(const PldKinds& kinds, double delta);

    /// Approximate epsilon at the constructor's delta, at least 0; not a bound.
    double Epsilon() const
    {
        return m_epsilon;
    }

    /// Saddle point: the exponent c, > 0, of the moment E_P[e^(c l)] at which epsilon is estimated;
    /// l is the privacy loss of the composition.
    double Saddle() const
    {
        return m_saddle;
    }

    /// Largest probability that each step may truncate at either end of its privacy loss.
    double Tail() const
    {
        return m_tail;
    }

    /**
     * @brief Chooses the tilting exponents and the grid's window (range of privacy losses) for
     *        finding epsilon. The window is the narrowest one that keeps truncation and rounding
     *        errors within their limits.
     * @param low lower bound of epsilon, at least 0
     * @param sure true: epsilon is at least @p low; false: @p low is only a guess, so the window
     *        must reach below it
     */
    PldPlan Plan(double low, bool sure) const;

  private:
    /// An atom of the approximated privacy loss of one kind of step: a privacy loss in nats and its
    /// probability under P.
    struct Atom
    {
        double loss;
        double mass;
    };

    /// Probabilities that a dominating pair's privacy loss is in each cell of a grid, under P (`p`)
    /// and under Q (`q`), as DominatingPair::CellMasses() writes them.
    struct Cells
    {
        Cells(const DominatingPair& pair, const PldRange& range, std::size_t number);

        PldGrid grid;
        std::vector<double> p;
        std::vector<double> q;
    };

    /// Atoms of one kind of step: index in m_atoms past the last atom, and the number of steps of
    /// this kind.
    struct Segment
    {
        std::size_t end;
        double count;
    };

    /// Log moment log E_P[e^(c l)] at an exponent c (`value`), where l is the privacy loss of the
    /// composition, and the first (`mean`) and second (`variance`) derivative of the log moment in
    /// c.
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
    /**
     * @brief Computes the plan with the narrowest window for one tilting exponent.
     * @param main exponent PldTilt::main
     * @param value log moment of the composition at exponent @p main
     * @param low lower bound or guess of epsilon, at least 0
     * @param sure true: epsilon is at least @p low; false: @p low is only a guess
     */
    PldPlan PlanFor(double main, double value, double low, bool sure) const;

    std::vector<Atom> m_atoms;
    std::vector<Segment> m_segments;
    double m_highest{0.0}; ///< largest privacy loss of a single step, in nats
    double m_lowest{0.0};  ///< smallest privacy loss of a single step, in nats
    double m_tail;
    double m_logDelta;
    double m_steps;
    double m_epsilon{0.0};
    double m_saddle{0.0};             ///< exponent c of the moment at which epsilon is estimated
    std::map<double, double> m_table; ///< log moment of the composition; key: exponent
};

} // namespace dpdl

#endif // DPDL_PRIVACY_PLD_ESTIMATE_H
