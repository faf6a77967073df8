// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ACCOUNTING_ACCOUNT_ANSWER_H
#define DPDL_ACCOUNTING_ACCOUNT_ANSWER_H

#include "dpdl/accounting/account-options.h"
#include "dpdl/algorithm/planned-claim.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// Result of the command `account`.
struct AccountAnswer
{
    Guarantee guarantee;   ///< guarantee computed by the chosen accountant
    bool certified{false}; ///< true: epsilon is finite and a proven bound for both directions
    Direction direction{Direction::BOTH}; ///< direction for which `guarantee` was computed
    std::string sampler;                  ///< name of the sampler in option `sampler`
    std::vector<std::string> warnings;    ///< warnings for the user, one line each
    /// Calibrated noise divided by sensitivity, as StepGroup::noise; empty: the form is not
    /// CALIBRATION.
    std::optional<double> noise;
    /// For comparison: label and epsilon of the directions `remove` and `add`, and of accountant
    /// `rdp`. AccountAsTable() prints them; AccountAsJson() leaves them out.
    std::vector<std::pair<std::string, double>> comparisons;
    /// Claimed epsilon of the algorithm, with its planned steps; empty: the form is not CLAIM.
    std::optional<PlannedClaim> claim;
};

/**
 * @brief Computes the answer to a request.
 * @param request result of ParseAccountArguments()
 * @return guarantee of the request, with the noise for form CALIBRATION and the claim for form
 *         CLAIM
 * @throws UsageError naming the option, if a file, the target epsilon or a parameter is invalid
 */
AccountAnswer ComputeAccount(const AccountRequest& request);

/// Text output: one line per number, with its meaning.
std::string AccountAsTable(const AccountAnswer& answer);

/**
 * @brief JSON output: one object.
 *
 * Numbers have 17 significant digits and parse to the same double. Infinity is the string "inf";
 * missing values are null.
 */
std::string AccountAsJson(const AccountAnswer& answer);

} // namespace dpdl

#endif // DPDL_ACCOUNTING_ACCOUNT_ANSWER_H
