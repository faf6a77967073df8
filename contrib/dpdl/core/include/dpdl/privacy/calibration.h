// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_CALIBRATION_H
#define DPDL_PRIVACY_CALIBRATION_H

#include "dpdl/privacy/accountant.h"

#include <vector>

namespace dpdl
{

/**
 * @brief Steps of a schedule whose noise is known up to one common factor, the scale.
 *
 * Step k is a Poisson-sampled Gaussian release with mu_k = scale * mu[k], where mu_k is the
 * sensitivity divided by the noise's standard deviation. Calibration finds the scale.
 */
struct ScheduleShape
{
    std::vector<double> mu;   ///< relative mu of each step, finite and >= 0, at least one > 0
    std::vector<double> rate; ///< sampling probability of each step in (0, 1]; same length as mu
};

/**
 * @brief Checks the target epsilon and delta of a run.
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
 * @brief The largest factor on the mu (sensitivity / noise) of all steps that meets a target
 *        epsilon.
 * @param accountant evaluates the scaled steps; the target is proven to be met only if it is
 *        certified
 * @param steps at least one, each of a kind that the accountant supports
 * @param epsilon target: largest epsilon of all steps together, > 0
 * @param question delta, neighbouring relation and direction
 * @return factor > 0 of 24 significant bits. The accountant's epsilon is then at most the target,
 *         and within a relative error of 1e-6 of it unless epsilon jumps at this factor.
 * @throws UsageError if epsilon or delta is out of range, or no factor was found
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
 * @param shape relative mu and sampling probability p of each step
 * @param epsilon target: the epsilon that the formula claims at the returned scale, > 0
 * @param delta delta of the guarantee, in (0, 1)
 * @return scale > 0
 * @throws UsageError if epsilon, delta or the shape is out of range
 */
double CalibrateScaleByClt(const ScheduleShape& shape, double epsilon, double delta);

} // namespace dpdl

#endif // DPDL_PRIVACY_CALIBRATION_H
