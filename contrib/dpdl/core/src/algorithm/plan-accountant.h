// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_PLAN_ACCOUNTANT_H
#define DPDL_ALGORITHM_PLAN_ACCOUNTANT_H

#include "dpdl/privacy/accountant.h"

#include <memory>
#include <string>

namespace dpdl
{

/**
 * @brief Finds the accountant of a plan.
 * @param name a name of Accountants()
 * @throws UsageError naming option 'accountant' if the name is unknown or the accountant is not
 *         certified
 */
std::shared_ptr<const Accountant> CertifiedAccountant(const std::string& name);

/**
 * @brief Finds the largest common factor on 1 / (noise standard deviation) of all releases with
 *        which the accountant still confirms the budget.
 * @param guarantees accountant, with delta and neighbouring relation
 * @param steps steps of one node's releases, with their counts; not empty
 * @param epsilon privacy budget, > 0
 * @return the factor, > 0
 * @throws UsageError if the budget is out of range, or naming option
 *        'accountant' if the accountant does not support such releases
 */
double ScaleByAccountant(const AccountantCache& guarantees,
                         const StepCounts& steps,
                         double epsilon);

} // namespace dpdl

#endif // DPDL_ALGORITHM_PLAN_ACCOUNTANT_H
