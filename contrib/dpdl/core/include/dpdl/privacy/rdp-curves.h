// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_RDP_CURVES_H
#define DPDL_PRIVACY_RDP_CURVES_H

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
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
 * @brief Renyi curves of Poisson-sampled Gaussian steps on a fixed grid of orders, kept for reuse.
 *
 * All nodes of a run share one, because they mostly execute the same steps: a step's curve is then
 * computed once for all of them. Calls from several threads are safe.
 */
class RdpCurves
{
  public:
    /// The grid: some 290 orders 1 + b, with b from 0.03 to 4000, 13 % apart below 2 and 3 % above.
    RdpCurves();

    /// The orders, ascending.
    const std::vector<double>& Orders() const
    {
        return m_orders;
    }

    /**
     * @brief The curve of one step.
     *
     * Every value is an upper bound; it is exact up to rounding except where order * mu^2 > 80,
     * where a convexity bound saves time.
     * @param rate sampling probability in [0, 1]
     * @param mu sensitivity / noise, finite and at least 0
     * @return a curve that lives as long as this object
     */
    const RdpCurve& Get(double rate, double mu);

    /// How many different steps have been seen.
    std::size_t Size() const;

  private:
    std::vector<double> m_orders;                                            ///< ascending
    mutable std::mutex m_mutex;                                              ///< guards the curves
    std::map<std::pair<double, double>, std::unique_ptr<RdpCurve>> m_curves; ///< (rate, mu)
};

} // namespace dpdl

#endif // DPDL_PRIVACY_RDP_CURVES_H
