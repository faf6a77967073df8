// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ACCOUNTING_ACCOUNT_OPTIONS_H
#define DPDL_ACCOUNTING_ACCOUNT_OPTIONS_H

#include "dpdl/privacy/claim.h"
#include "dpdl/privacy/step-group.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dpdl
{

/// Form of a request to the command `account`.
enum class AccountForm
{
    CONSTANT,    ///< epsilon of equal steps
    SCHEDULE,    ///< epsilon of the steps in a file
    CALIBRATION, ///< smallest noise multiplier of equal steps that meets a target epsilon
    CLAIM,       ///< claimed and certified epsilon of an algorithm's planned run
};

/// Parsed and checked command line of `account`.
struct AccountRequest : ClaimSettings
{
    AccountForm form{AccountForm::CONSTANT}; ///< determines which other fields are used
    /// Mechanism, sampler, sampling rate, noise multiplier and number of the equal steps.
    StepGroup group;
    std::string schedule;   ///< path of the schedule file; form SCHEDULE only
    std::uint64_t batch{0}; ///< fixed batch size in examples; 0: not given
    bool json{false};       ///< true: print JSON
    bool help{false};       ///< true: print the options and exit
};

/**
 * @brief Parses the arguments of `account`.
 * @param arguments command line without the program's name
 * @return the request; if `help` is true, the other fields are not set
 * @throws UsageError naming the option, its value and the accepted values, if an option is unknown,
 *        missing, given twice or in conflict with another option, or a value is out of range
 */
AccountRequest ParseAccountArguments(const std::vector<std::string>& arguments);

/// Text of `--help`: the forms, and all options with their defaults.
std::string AccountHelp();

} // namespace dpdl

#endif // DPDL_ACCOUNTING_ACCOUNT_OPTIONS_H
