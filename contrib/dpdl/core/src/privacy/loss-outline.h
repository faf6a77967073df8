// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_LOSS_OUTLINE_H
#define DPDL_PRIVACY_LOSS_OUTLINE_H

#include "loss-cells.h"
#include "loss-kinds.h"

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

namespace dpdl
{

/// How to evaluate a composed loss.
struct LossPlan
{
    static constexpr double INFINITE = std::numeric_limits<double>::infinity();

    LossTilt tilt;
    LossRange window{-INFINITE, INFINITE}; ///< where the grid is
    double logRounding{INFINITE};          ///< log of what rounding may add to delta, relative

    double Width() const
    {
        return window.highest - window.lowest;
    }

    /// Makes room for more above, and bounds what leaves it by a less extreme exponent.
    void Widen()
    {
        window.highest += Width();
        tilt.above = std::min(tilt.above, tilt.main);
    }
};

/**
 * @brief A quick estimate of a composed loss: where its curve passes delta, and the tilting and the
 *        range of losses that a precise evaluation there needs.
 *
 * A saddle-point approximation on few atoms per step. Nothing certified rests on it: a poor
 * estimate only makes the evaluation slower or its error larger.
 */
class LossOutline
{
  public:
    /**
     * @param kinds the steps, at least one
     * @param delta in (0, 1)
     */
    LossOutline(const LossKinds& kinds, double delta);

    /// Approximate epsilon, at least 0.
    double Epsilon() const
    {
        return m_epsilon;
    }

    /// The exponent of the moment that decides about epsilon.
    double Saddle() const
    {
        return m_saddle;
    }

    /// The probability that each step may give away at either end of its losses.
    double Tail() const
    {
        return m_tail;
    }

    /**
     * @brief The narrowest window for reading off an epsilon, and exponents that keep it clean.
     * @param low epsilon is not below this, which is at least 0
     * @param sure false: @p low is only a guess, the window must reach below it
     */
    LossPlan Plan(double low, bool sure) const;

  private:
    /// An atom of one kind of step.
    struct Atom
    {
        double loss;
        double mass;
    };

    /// Masses of a pair on a grid over a range.
    struct Cells
    {
        Cells(const DominatingPair& pair, const LossRange& range, std::size_t number);
        LossGrid grid;
        std::vector<double> p;
        std::vector<double> q;
    };

    /// Where the atoms of one kind end.
    struct Segment
    {
        std::size_t end;
        double count;
    };

    /// Log moment of the composition and two derivatives.
    struct Cumulants
    {
        double value{0.0};
        double mean{0.0};
        double variance{0.0};
    };

    void AddKind(const LossKind& kind, std::size_t cells);
    void AddAtoms(const Cells& cells);
    Cumulants At(double exponent) const;
    void FindSaddle();
    void Tabulate();
    /// The narrowest window for one main exponent; an empty one if rounding errors forbid it.
    LossPlan PlanFor(double main, double value, double low, bool sure) const;

    std::vector<Atom> m_atoms;
    std::vector<Segment> m_segments;
    double m_highest{0.0}; ///< largest loss of a step
    double m_lowest{0.0};  ///< smallest loss of a step
    double m_tail;
    double m_logDelta;
    double m_steps;
    double m_epsilon{0.0};
    double m_saddle{0.0};             ///< exponent that belongs to epsilon
    std::map<double, double> m_table; ///< exponent to log moment of the composition
};

} // namespace dpdl

#endif // DPDL_PRIVACY_LOSS_OUTLINE_H
