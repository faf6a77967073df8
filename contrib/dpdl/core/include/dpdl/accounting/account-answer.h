// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ACCOUNTING_ACCOUNT_ANSWER_H
#define DPDL_ACCOUNTING_ACCOUNT_ANSWER_H

#include "dpdl/accounting/account-options.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// What `account` found.
struct AccountAnswer
{
    Guarantee guarantee;   ///< of the chosen accountant
    bool certified{false}; ///< epsilon is finite and a proven bound for both directions
    Direction direction{Direction::BOTH}; ///< which were looked at
    std::string sampler;                  ///< as the option names it
    std::vector<std::string> warnings;    ///< of all sources, one line each
    std::optional<double> noise;          ///< calibration: the noise multiplier that was found
    /// epsilon of each direction alone and of other accountants, with a name; for the table only
    std::vector<std::pair<std::string, double>> comparisons;
    std::shared_ptr<const PublishedClaim> claim; ///< of the algorithm; null without one
    std::optional<ClaimedRun> run;               ///< of the algorithm
    Mode mode{Mode::SOUND};                      ///< of the algorithm
    std::uint64_t rounds{0};                     ///< of the algorithm
    std::uint64_t localSamples{0};               ///< of the algorithm
};

/**
 * @brief Computes what was asked for.
 * @param request as ParseAccountArguments() made it
 * @return the answer
 * @throws UsageError if the file, the target or a parameter is not acceptable
 */
AccountAnswer ComputeAccount(const AccountRequest& request);

/// The answer for people: one line for each number, with what it means.
std::string AccountAsTable(const AccountAnswer& answer);

/**
 * @brief The answer for programs: one JSON object.
 *
 * Numbers have 17 significant digits and read back as the same double. Infinity is the string
 * "inf"; what does not exist is null.
 */
std::string AccountAsJson(const AccountAnswer& answer);

} // namespace dpdl

#endif // DPDL_ACCOUNTING_ACCOUNT_ANSWER_H
