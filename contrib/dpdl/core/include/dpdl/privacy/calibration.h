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
 * Step k is a Poisson-sampled Gaussian release with mu_k = scale * mu[k]. mu_k is the sensitivity
 * divided by the noise standard deviation. Calibration determines the scale.
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
 * @throws UsageError naming option 'epsilon' or 'delta' if its value is out of range
 */
void CheckTarget(double epsilon, double delta);

/**
 * @brief Rounds @p scale, a positive number, down to 24 significant bits.
 *
 * Special functions of different library versions differ in their last digits. The rounded scale is
 * usually equal for all versions.
 */
double WithoutLastDigits(double scale);

/**
 * @brief Computes the largest factor on the mu (sensitivity / noise standard deviation or Laplace
 *        scale) of all steps that meets a target epsilon.
 * @param accountant accountant that evaluates the scaled steps. The target is proven to be met only
 *        if the accountant is certified
 * @param steps at least one step; the accountant must support all steps
 * @param epsilon target: largest epsilon of all steps together, > 0
 * @param question delta, neighbouring relation and direction
 * @return factor > 0 of 24 significant bits. With this factor, the accountant's epsilon is at most
 *         the target. The relative distance of this epsilon from the target is at most 1e-6, unless
 *         epsilon jumps at this factor.
 * @throws UsageError naming option 'epsilon' or 'delta' if it is out of range, or if there is no
 *         such factor
 */
double CalibrateSteps(const Accountant& accountant,
                      const StepCounts& steps,
                      double epsilon,
                      const AccountingQuery& question);

/**
 * @brief Computes the scale at which the central-limit formula (CltMu()) claims the target epsilon.
 *
 * With rates 1/J, for J examples of a node, this is the calibration of Dyn-D2P. The result is not a
 * guarantee; only a certified accountant gives one.
 * @param shape relative mu and sampling probability p of each step
 * @param epsilon target epsilon, > 0
 * @param delta delta of the guarantee, in (0, 1)
 * @return scale > 0
 * @throws UsageError if epsilon, delta or the shape is out of range
 */
double CalibrateScaleByClt(const ScheduleShape& shape, double epsilon, double delta);

} // namespace dpdl

#endif // DPDL_PRIVACY_CALIBRATION_H
