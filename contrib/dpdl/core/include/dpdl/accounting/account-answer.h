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
    Direction direction{Direction::BOTH}; ///< direction of the comparison that `guarantee` covers
    std::string sampler;                  ///< name of the sampler in option `sampler`
    std::vector<std::string> warnings;    ///< warnings from all sources, one line each
    std::optional<double> noise; ///< noise multiplier that calibration found; empty: no calibration
    /// Epsilons of each direction and of other accountants, with their labels. AccountAsTable()
    /// prints them, AccountAsJson() does not.
    std::vector<std::pair<std::string, double>> comparisons;
    /// Claimed privacy of the algorithm; empty: form is not CLAIM.
    std::optional<PlannedClaim> claim;
};

/**
 * @brief Computes the answer to a request.
 * @param request request as ParseAccountArguments() returns it
 * @return epsilon or noise, with the warnings that belong to it
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
