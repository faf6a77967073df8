// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_RDP_ODOMETER_H
#define DPDL_PRIVACY_RDP_ODOMETER_H

#include "dpdl/privacy/privacy-step.h"
#include "dpdl/privacy/rdp-curves.h"
#include "dpdl/privacy/release.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/**
 * @brief Tells, during a run, what a node has spent so far.
 *
 * Releases are added one after the other and the epsilon so far can be asked for after each: both
 * are cheap, also if every step has its own rate and noise. The answer is always an upper bound;
 * for Gaussian noise it exceeds the optimum over all orders (accountant `rdp`) by less than one
 * percent or 0.001. Every noise and sampler is accepted that the accountant `rdp` accepts. Of each
 * epoch of the sampler `shuffle` only the most revealing release counts, whenever it comes.
 *
 * Between two orders of the grid the odometer interpolates: log E[r^a] is convex in a, and
 * (E[r^a] - 1) / (a (a - 1)) is log-convex in a, so that chords of either are bounds.
 *
 * The answer holds for schedules that were fixed before the run. Where a step depends on earlier
 * releases, only a filter with order and budget fixed beforehand is sound (Feldman and Zrnic,
 * 2021).
 */
class RdpOdometer
{
  public:
    /// @param curves shared with the odometers of other nodes; none: own ones, for add-remove
    explicit RdpOdometer(std::shared_ptr<RdpCurves> curves = nullptr);

    /// Adds one release. One that rules out any guarantee makes epsilon infinite for good.
    void Add(const Release& release);

    /**
     * @brief epsilon of all releases so far.
     * @param delta in (0, 1)
     * @return an upper bound, 0 before the first release, infinity if Reason() is not empty
     */
    double Epsilon(double delta) const;

    /// Why epsilon is infinite, one sentence; "" while it is finite.
    const std::string& Reason() const
    {
        return m_reason;
    }

  private:
    /// Counts a step once more, or takes one back.
    void Count(const PrivacyStep& step, double sign);
    /// Counts a release of the sampler `shuffle`.
    void CountEpoch(const PrivacyStep& step, std::uint32_t epoch);
    double GridEpsilon(std::size_t index, double delta) const;
    double CellEpsilon(std::size_t index, double delta) const;

    std::shared_ptr<RdpCurves> m_curves; ///< curves of single steps
    std::vector<double> m_logMoment;     ///< steps with a curve: sum of log E[r^a], per order
    std::vector<double> m_excess;        ///< steps with a curve: sum of E[r^a] - 1, per order
    double m_fullMuSquared{0.0};         ///< Gaussian steps without sampling: sum of mu^2
    /// What counts of each epoch of `shuffle`.
    std::map<std::pair<NoiseKind, std::uint32_t>, PrivacyStep> m_epochs;
    std::string m_reason; ///< why epsilon is infinite
};

} // namespace dpdl

#endif // DPDL_PRIVACY_RDP_ODOMETER_H
