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

/// Result of `account`.
struct AccountAnswer
{
    Guarantee guarantee;   ///< guarantee computed by the chosen accountant
    bool certified{false}; ///< epsilon is finite and a proven bound for both directions
    Direction direction{Direction::BOTH}; ///< directions considered
    std::string sampler;                  ///< name of the sampler in option `sampler`
    std::vector<std::string> warnings;    ///< warnings from all sources, one line each
    std::optional<double> noise;          ///< calibration: the computed noise multiplier
    /// named epsilons of each direction and of other accountants; for the table only
    std::vector<std::pair<std::string, double>> comparisons;
    std::optional<PlannedClaim> claim; ///< claimed privacy of the algorithm
};

/**
 * @brief Computes the answer to a request.
 * @param request from ParseAccountArguments()
 * @return the answer
 * @throws UsageError if the file, the target or a parameter is invalid
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
