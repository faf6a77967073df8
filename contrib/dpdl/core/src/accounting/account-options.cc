// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/accounting/account-options.h"

#include "account-option-table.h"

#include <algorithm>
#include <utility>

namespace dpdl
{

namespace
{

/// The form that the options ask for, and the option that says so.
std::pair<AccountForm, std::string>
FormOf(const GivenOptions& given)
{
    if (given.count("algorithm") != 0)
    {
        return {AccountForm::CLAIM, "with --algorithm"};
    }
    if (given.count("schedule") != 0)
    {
        return {AccountForm::SCHEDULE, "with --schedule"};
    }
    if (given.count("calibrate") != 0)
    {
        return {AccountForm::CALIBRATION, "with --calibrate"};
    }
    return {AccountForm::CONSTANT, "without --calibrate, --schedule and --algorithm"};
}

/// The rate of equal steps, which may also be given as a batch size.
void
CheckRate(const GivenOptions& given, AccountRequest& request)
{
    const bool hasRate = given.count("rate") != 0;
    const bool hasBatch = given.count("batch") != 0;
    if (hasBatch != (given.count("localSamples") != 0) || (hasRate && hasBatch))
    {
        throw UsageError("options 'rate', 'batch' and 'localSamples': expected either rate, or "
                         "batch together with localSamples");
    }
    if (hasBatch && request.batch > request.localSamples)
    {
        throw UsageError(OptionTitle("batch"),
                         std::to_string(request.batch),
                         "a whole number from 1 to localSamples, " +
                             std::to_string(request.localSamples));
    }
    if (hasBatch)
    {
        request.group.rate =
            static_cast<double>(request.batch) / static_cast<double>(request.localSamples);
    }
    const bool takesAll = request.group.sampler == "full";
    if (takesAll && request.group.rate != 1.0)
    {
        throw UsageError(OptionTitle(hasBatch ? "batch" : "rate"),
                         given.at(hasBatch ? "batch" : "rate"),
                         "a rate of 1, or no rate, with --sampler=none");
    }
    if (!takesAll && !hasRate && !hasBatch)
    {
        throw UsageError("option 'rate' is missing; expected --rate=VALUE, a number in (0, 1], or "
                         "--batch and --localSamples, or --sampler=none");
    }
}

void
CheckDirection(const GivenOptions& given, const AccountRequest& request)
{
    const bool removes = given.count("remove-only") != 0;
    const bool adds = given.count("add-only") != 0;
    if (removes && adds)
    {
        throw UsageError("option 'add-only'", "--add-only", "one direction, without --remove-only");
    }
    if ((removes || adds) && request.question.adjacency == Adjacency::REPLACE)
    {
        throw UsageError(OptionTitle(removes ? "remove-only" : "add-only"),
                         removes ? "--remove-only" : "--add-only",
                         "no direction with --adjacency=replace, which has only one");
    }
}

/// Moves what belongs to the algorithm into its parameters, and checks that it has them.
void
CheckParameters(const GivenOptions& given, AccountRequest& request)
{
    const PublishedClaim& claim = *PublishedClaims().Get(request.algorithm);
    if (given.count("noise") != 0)
    {
        request.parameters["noise"] = request.group.noise;
    }
    std::vector<std::string> names;
    for (const ParameterInfo& parameter : claim.Info().parameters)
    {
        names.push_back(parameter.name);
    }
    for (const auto& entry : request.parameters)
    {
        if (std::find(names.begin(), names.end(), entry.first) == names.end())
        {
            const std::string& value = given.at(entry.first);
            throw UsageError(OptionTitle(entry.first),
                             value.empty() ? "--" + entry.first : value,
                             names.empty()
                                 ? "no parameter with " + request.algorithm
                                 : "a parameter of " + request.algorithm + ": " + JoinNames(names));
        }
    }
    const bool hasTarget = given.count("epsilon") != 0;
    if (hasTarget && given.count("noise") != 0)
    {
        throw UsageError(OptionTitle("noise"),
                         given.at("noise"),
                         "either noise or epsilon, not both");
    }
    if (!hasTarget && given.count("noise") == 0 && !claim.Formula().empty())
    {
        throw UsageError("option 'epsilon' is missing with --algorithm=" + request.algorithm +
                         "; expected --epsilon=VALUE, a finite number > 0");
    }
}

} // namespace

AccountRequest
ParseAccountArguments(const std::vector<std::string>& arguments)
{
    const GivenOptions given = AccountOptions().Split(arguments);
    AccountRequest request;
    if (given.count("help") != 0)
    {
        request.help = true;
        return request;
    }
    const auto [form, because] = FormOf(given);
    request.form = form;
    AccountOptions().Read(given, request);
    AccountOptions().Check(given, form, because);
    Accountants().Get(request.accountant);
    if (form == AccountForm::CONSTANT || form == AccountForm::CALIBRATION)
    {
        CheckRate(given, request);
    }
    if (form == AccountForm::CLAIM)
    {
        CheckParameters(given, request);
    }
    CheckDirection(given, request);
    return request;
}

std::string
AccountHelp()
{
    std::string text =
        "usage: ./dpdl account --noise=... --rate=... --steps=... --delta=...\n"
        "       ./dpdl account --schedule=FILE.csv --delta=...\n"
        "       ./dpdl account --calibrate --epsilon=... --rate=... --steps=... --delta=...\n"
        "       ./dpdl account --algorithm=NAME --localSamples=... --rounds=... --epsilon=... "
        "--delta=...\n\n"
        "What (epsilon, delta) a schedule of noisy steps guarantees, without a simulation.\n\n"
        "options:\n";
    text += AccountOptions().Help();
    text += "\nparameters of the algorithms, with their defaults:\n";
    for (const PartInfo& info : PublishedClaims().List())
    {
        text += info.parameters.empty() ? "" : "  " + info.name + ":";
        for (std::size_t i = 0; i < info.parameters.size(); ++i)
        {
            const ParameterInfo& parameter = info.parameters[i];
            const std::string value =
                parameter.defaultValue.empty() ? "" : " " + parameter.defaultValue;
            text += (i == 0 ? " " : ", ") + parameter.name + value;
        }
        text += info.parameters.empty() ? "" : "\n";
    }
    return text;
}

} // namespace dpdl
