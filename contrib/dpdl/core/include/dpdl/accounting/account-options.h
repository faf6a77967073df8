// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ACCOUNTING_ACCOUNT_OPTIONS_H
#define DPDL_ACCOUNTING_ACCOUNT_OPTIONS_H

#include "dpdl/privacy/accountant.h"
#include "dpdl/privacy/published-claim.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dpdl
{

/// What is asked of `account`.
enum class AccountForm
{
    CONSTANT,    ///< the epsilon of equal steps
    SCHEDULE,    ///< the epsilon of the steps in a file
    CALIBRATION, ///< the noise of equal steps that meets an epsilon
    CLAIM,       ///< what an algorithm claims, and what can be certified
};

/// The command line of `account`, read and checked.
struct AccountRequest
{
    AccountForm form{AccountForm::CONSTANT};  ///< decides which of the others count
    StepGroup group;                          ///< mechanism, sampler, rate, noise, steps
    std::string schedule;                     ///< path of the file
    std::string algorithm;                    ///< name of a published claim
    std::string accountant{"pld"};            ///< its name
    double epsilon{0.0};                      ///< target; 0: none was given
    AccountingQuery question;                 ///< delta, adjacency, direction
    Mode mode{Mode::SOUND};                   ///< where the algorithm's noise comes from
    std::uint64_t rounds{0};                  ///< K
    std::uint64_t localSamples{0};            ///< J; 0: not given
    std::uint64_t batch{0};                   ///< fixed batch size; 0: not given
    std::map<std::string, double> parameters; ///< of the algorithm, those that were given
    bool json{false};                         ///< print JSON
    bool help{false};                         ///< print the options and nothing else
};

/**
 * @brief Reads the arguments of `account`.
 * @param arguments without the program's name
 * @return the request; if `help` is set nothing else was checked
 * @throws UsageError naming the option, its value, and what would be accepted: for a misspelt name,
 *         a value out of range, an option that is missing, given twice, or that does not go with
 *         the others
 */
AccountRequest ParseAccountArguments(const std::vector<std::string>& arguments);

/// Text of `--help`: the forms, and every option with its default.
std::string AccountHelp();

} // namespace dpdl

#endif // DPDL_ACCOUNTING_ACCOUNT_OPTIONS_H
