// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_CALIBRATION_H
#define DPDL_PRIVACY_CALIBRATION_H

#include "dpdl/privacy/accountant.h"

#include <vector>

namespace dpdl
{

/**
 * @brief Steps of a schedule up to one common factor on their mu, the scale.
 *
 * Step k is a Poisson-sampled Gaussian release with mu_k = scale * mu[k]: the noise on the sum is
 * sensitivity_k / mu_k. Calibration finds the scale.
 */
struct ScheduleShape
{
    std::vector<double> mu;   ///< relative mu per step, finite and >= 0, at least one > 0
    std::vector<double> rate; ///< sampling probability per step in (0, 1]; same length
};

/**
 * @brief Checks a privacy target.
 * @param epsilon largest epsilon of the run, in (0, 1e9]
 * @param delta delta of the guarantee, in (0, 1)
 * @throws UsageError naming option 'epsilon' or 'delta' if it is out of range
 */
void CheckTarget(double epsilon, double delta);

/**
 * @brief Rounds a positive @p scale down to 24 significant bits.
 *
 * Calibrated scales go through this function: the last digits of special functions differ between
 * library versions, and the rounded scale usually does not.
 */
double WithoutLastDigits(double scale);

/**
 * @brief The largest factor on all mu, that is on all 1 / noise, that meets a target.
 * @param accountant evaluates the scaled steps; only if it is certified is the target proven to be
 *        met
 * @param steps at least one, each of a kind that the accountant supports
 * @param epsilon target: largest epsilon of the steps, > 0
 * @param question delta, neighbouring relation and direction
 * @return factor > 0 of 24 significant bits; the accountant's epsilon at it is at most the target,
 *         and within a relative 1e-6 of it unless the accountant's epsilon jumps there
 * @throws UsageError if the target is not acceptable, or no factor reaches it
 */
double CalibrateSteps(const Accountant& accountant,
                      const StepCounts& steps,
                      double epsilon,
                      const AccountingQuery& question);

/**
 * @brief The scale at which the central-limit formula claims exactly the target.
 *
 * With rates 1/J this is the calibration of Dyn-D2P. Evaluate the result with a certified
 * accountant to obtain a guarantee.
 * @param shape relative mu of each step, and the p of the formula as rate
 * @param epsilon target: epsilon that the formula shall claim, > 0
 * @param delta delta of the guarantee, in (0, 1)
 * @return scale > 0
 * @throws UsageError if the target or the shape is not acceptable
 */
double CalibrateScaleByClt(const ScheduleShape& shape, double epsilon, double delta);

} // namespace dpdl

#endif // DPDL_PRIVACY_CALIBRATION_H
