// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_RDP_CURVES_H
#define DPDL_PRIVACY_RDP_CURVES_H

#include "dpdl/privacy/privacy-step.h"

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace dpdl
{

/// What one step costs at every order of the grid.
struct RdpCurve
{
    std::vector<double> logMoment; ///< log E[r^a] = (a - 1) * Renyi divergence, per order
    std::vector<double> excess;    ///< E[r^a] - 1, per order; infinity where it overflows
};

/**
 * @brief Renyi curves of steps on a fixed grid of orders, kept for reuse.
 *
 * All nodes of a run share one, because they mostly execute the same steps: a step's curve is then
 * computed once for all of them. Calls from several threads are safe.
 */
class RdpCurves
{
  public:
    /// The grid: some 290 orders 1 + b, with b from 0.03 to 4000, 13 % apart below 2 and 3 % above.
    /// @param adjacency which datasets are neighbours
    explicit RdpCurves(Adjacency adjacency = Adjacency::ADD_REMOVE);

    /// Which datasets are neighbours.
    Adjacency Neighbours() const
    {
        return m_adjacency;
    }

    /// The orders, ascending.
    const std::vector<double>& Orders() const
    {
        return m_orders;
    }

    /**
     * @brief The curve of one step.
     *
     * Every value is an upper bound. For Gaussian noise it is exact up to rounding except where
     * order * mu^2 > 80, where a convexity bound saves time.
     * @param step with mu > 0, of a kind that the accountant `rdp` accepts
     * @return a curve that lives as long as this object
     */
    const RdpCurve& Get(const PrivacyStep& step);

    /// How many different steps have been seen.
    std::size_t Size() const;

  private:
    Adjacency m_adjacency;                                     ///< which datasets are neighbours
    std::vector<double> m_orders;                              ///< ascending
    mutable std::mutex m_mutex;                                ///< guards the curves
    std::map<PrivacyStep, std::unique_ptr<RdpCurve>> m_curves; ///< of the steps seen so far
};

} // namespace dpdl

#endif // DPDL_PRIVACY_RDP_CURVES_H
