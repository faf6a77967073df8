// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_CALIBRATION_H
#define DPDL_PRIVACY_CALIBRATION_H

#include "dpdl/privacy/accountant.h"

#include <cstdint>
#include <vector>

namespace dpdl
{

/**
 * @brief The form of a schedule whose overall strength is still open.
 *
 * Step k is a Poisson-sampled Gaussian release with mu_k = scale * mu[k], that is with a noise of
 * sensitivity_k / mu_k on the sum. Calibration finds the scale.
 */
struct ScheduleShape
{
    std::vector<double> mu;   ///< relative mu per step, finite and >= 0, at least one > 0
    std::vector<double> rate; ///< sampling probability per step in (0, 1]; same length

    /// All steps alike.
    static ScheduleShape Constant(double rate, std::uint32_t steps);

    /// mu_k proportional to growth^(k/steps), as in Dyn-D2P.
    static ScheduleShape Growing(double rate, std::uint32_t steps, double growth);
};

/**
 * @brief Checks a target.
 * @throws UsageError naming option 'epsilon' if it is not in (0, 1e9], or option 'delta' if it is
 *         not in (0, 1)
 */
void CheckTarget(double epsilon, double delta);

/**
 * @brief The largest number of 24 significant bits that is at most @p scale, a positive number.
 *
 * The last digits of special functions differ between versions of a library. A schedule that is
 * computed from this by IEEE operations has the same bits with all of them.
 */
double WithoutLastDigits(double scale);

/**
 * @brief The largest scale for which an accountant confirms a target.
 *
 * Use it with a certified accountant: the resulting schedule then meets the target.
 * @param accountant any; `rdp` takes well under a second for hundreds of different steps
 * @param shape form of the schedule
 * @param epsilon target, > 0
 * @param delta in (0, 1)
 * @return scale > 0 of 24 significant bits; the accountant's epsilon at it is at most the target,
 *         and within 1e-6 of it
 * @throws UsageError if the target or the shape is not acceptable, or no scale reaches the target
 */
double CalibrateScale(const Accountant& accountant,
                      const ScheduleShape& shape,
                      double epsilon,
                      double delta);

/**
 * @brief The largest factor on all mu, that is on all 1 / noise, at which a target is confirmed.
 * @param accountant any; with a certified one the scaled steps meet the target
 * @param steps any kinds that the accountant accepts, at least one
 * @param epsilon target, > 0
 * @param question delta, adjacency, direction
 * @return factor > 0 of 24 significant bits; the accountant's epsilon at it is at most the target,
 *         and within a relative 1e-6 of it unless the accountant's epsilon jumps there
 * @throws UsageError if the target is not acceptable, or no factor reaches it
 */
double CalibrateSteps(const Accountant& accountant,
                      const StepCounts& steps,
                      double epsilon,
                      const AccountingQuery& question);

/**
 * @brief The scale for which the central-limit formula claims a target, exactly.
 *
 * With rates 1/J this is the calibration that Dyn-D2P publishes; what it guarantees must be asked
 * from a certified accountant.
 * @param shape form of the schedule; its rates are the p of the formula
 * @param epsilon target, > 0
 * @param delta in (0, 1)
 * @return scale > 0
 * @throws UsageError if the target or the shape is not acceptable
 */
double CalibrateScaleByClt(const ScheduleShape& shape, double epsilon, double delta);

} // namespace dpdl

#endif // DPDL_PRIVACY_CALIBRATION_H
