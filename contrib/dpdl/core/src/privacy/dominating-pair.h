// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_DOMINATING_PAIR_H
#define DPDL_PRIVACY_DOMINATING_PAIR_H

#include "dpdl/privacy/privacy-step.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace dpdl
{

/// An equidistant grid of privacy losses: (first + i) * h for i = 0..points-1.
struct PldGrid
{
    std::int64_t first{0}; ///< index of the lowest point
    std::size_t points{0}; ///< number of points, at least 1
    double h{0.0};         ///< distance between neighbouring points, in nats, > 0

    /// Privacy loss at point @p i, counted from the lowest.
    double LossAt(std::size_t i) const
    {
        return static_cast<double>(first + static_cast<std::int64_t>(i)) * h;
    }
};

/// An interval of privacy losses, in nats.
struct PldRange
{
    double lowest{0.0};
    double highest{0.0};
};

/**
 * @brief Two distributions P and Q of one real output that dominate a step in one direction. The
 *        step's outputs on neighbouring datasets are never easier to distinguish than P and Q.
 *
 * P is the output distribution for one dataset, and Q is that for a neighbouring dataset. The
 * privacy loss ("loss") is log(dP/dQ), in nats. The privacy curve of the step is at most that of
 * the pair, and the same holds for compositions of steps (Zhu, Dong and Wang, 2022).
 */
class DominatingPair
{
  public:
    virtual ~DominatingPair() = default;

    /**
     * @brief Interval that contains the privacy loss with high probability.
     * @param tail largest probability outside the interval on each side, > 0
     * @return an interval; under P the privacy loss is below the interval with probability at most
     *        @p tail, and above the interval with probability at most @p tail
     */
    virtual PldRange Range(double tail) const = 0;

    /**
     * @brief Probabilities of the cells of a grid.
     *
     * Let l_i be the grid points. Then p[0] = P(loss <= l_0), p[i] = P(l_{i-1} < loss <= l_i) and
     * p[points] = P(loss > l_{points-1}), which includes an infinite loss; q has the same
     * probabilities under Q. The absolute error of each probability is about 1e-15 times the
     * smaller of the probabilities below and above the cell.
     *
     * @param grid privacy losses l_i
     * @param[out] p [points + 1] probabilities of the cells under P
     * @param[out] q [points + 1] probabilities of the cells under Q
     */
    virtual void CellMasses(const PldGrid& grid, double* p, double* q) const = 0;

    /**
     * @brief Returns the log moment log E_Q[(dP/dQ)^order], or an upper bound of it.
     *
     * For order > 1 the log moment is (order - 1) times the Renyi divergence. For order = 1 + c the
     * log moment is log E_P[e^(c loss)].
     * @param order any real number >= -20
     * @return infinity if the moment does not exist
     */
    virtual double LogMoment(double order) const = 0;
};

/// Dominating pairs of a step, one per direction. Both members are the same object if the pairs are
/// equal.
struct DirectedPairs
{
    /// REMOVE: P is the output with the example, Q without it.
    std::shared_ptr<const DominatingPair> remove;
    /// ADD: P is the output without the example, Q with it.
    std::shared_ptr<const DominatingPair> add;
};

/**
 * @brief Reason to reject a step for which no dominating pairs are known.
 * @param step step of one release
 * @param adjacency neighbouring relation of datasets
 * @return text that completes "the accountant 'X' ...", or "" if PairsOf() supports the step
 */
std::string WhyNoPairs(const PrivacyStep& step, Adjacency adjacency);

/**
 * @brief The pairs that dominate a step.
 * @param step a step with muAddRemove > 0 for which WhyNoPairs() returns ""
 * @param adjacency neighbouring relation of datasets
 * @throws std::logic_error if WhyNoPairs() returns a reason
 */
DirectedPairs PairsOf(const PrivacyStep& step, Adjacency adjacency);

} // namespace dpdl

#endif // DPDL_PRIVACY_DOMINATING_PAIR_H
