// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/accounting/account-options.h"

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/algorithm/planned-claim.h"
#include "dpdl/base/options.h"
#include "dpdl/base/registry.h"
#include "dpdl/base/release.h"
#include "dpdl/privacy/accountant.h"

#include <algorithm>
#include <cmath>
#include <utility>

// Option table of `account`. The parser infers the form of the request (AccountForm) from the given
// options, and checks their combination.

namespace dpdl
{

namespace
{

using Request = AccountRequest;

constexpr OptionForms CONSTANT = FormsOf(AccountForm::CONSTANT);
constexpr OptionForms SCHEDULE = FormsOf(AccountForm::SCHEDULE);
constexpr OptionForms CALIBRATION = FormsOf(AccountForm::CALIBRATION);
constexpr OptionForms CLAIM = FormsOf(AccountForm::CLAIM);

void
AddSteps(OptionTable<Request>& table)
{
    const auto isFinite = [](double noise) { return noise > 0.0 && std::isfinite(4.0 / noise); };
    const auto isRate = [](double rate) { return rate > 0.0 && rate <= 1.0; };
    table
        .Add("noise",
             Number("a finite number > 0", isFinite),
             Within(&Request::group, &StepGroup::noise),
             "noise divided by sensitivity; Laplace: scale by L1 sensitivity")
        .For(CONSTANT | CLAIM)
        .Needed(CONSTANT);
    table
        .Add("rate",
             Number("a number in (0, 1]", isRate),
             Within(&Request::group, &StepGroup::rate),
             "probability that one example is in a batch")
        .For(CONSTANT | CALIBRATION)
        .Default("");
    table
        .Add("batch",
             WholeNumber(1, MOST_STEPS),
             &Request::batch,
             "examples in a batch: with localSamples the same as rate = batch / localSamples")
        .For(CONSTANT | CALIBRATION)
        .Default("");
    table
        .Add("steps",
             WholeNumber(1, MOST_STEPS),
             Within(&Request::group, &StepGroup::steps),
             "number of steps")
        .For(CONSTANT | CALIBRATION)
        .Needed(CONSTANT | CALIBRATION);
    table
        .Add("schedule",
             AnyText("a file with the header noise,rate,steps"),
             &Request::schedule,
             "steps that differ: one row per distinct step, in the order of execution")
        .For(SCHEDULE);
}

void
AddPrivacy(OptionTable<Request>& table)
{
    const Choices<Adjacency> adjacencies{{"add-remove", Adjacency::ADD_REMOVE},
                                         {"replace", Adjacency::REPLACE}};
    const Choices<std::string> mechanisms{{"gaussian", "gaussian"}, {"laplace", "laplace"}};
    table
        .Add("epsilon",
             PositiveNumber(),
             &Request::epsilon,
             "the target of calibrate and of an algorithm")
        .For(CALIBRATION | CLAIM)
        .Needed(CALIBRATION);
    table
        .Add("delta",
             Delta(),
             Within(&Request::question, &AccountingQuery::delta),
             "the delta of (epsilon, delta)")
        .Needed(CONSTANT | SCHEDULE | CALIBRATION | CLAIM);
    table
        .Add("calibrate",
             Switch(AccountForm::CALIBRATION),
             &Request::form,
             "find the noise that meets epsilon")
        .For(CALIBRATION);
    table.Add("sampler",
              OneOf(SamplerNames()),
              Within(&Request::group, &StepGroup::sampler),
              "how a batch is drawn; shuffle: one batch of an epoch, not amplified");
    table.Add("adjacency",
              OneOf(adjacencies),
              Within(&Request::question, &AccountingQuery::adjacency),
              "what two neighbouring datasets differ in");
    table
        .Add("mechanism",
             OneOf(mechanisms),
             Within(&Request::group, &StepGroup::mechanism),
             "distribution of the noise")
        .For(CONSTANT | SCHEDULE | CALIBRATION);
    table.Add("accountant",
              AccountantName(AnyText(JoinNames(Accountants().Names()))),
              &Request::accountant,
              "what computes epsilon: `list accountants`");
}

/// Returns the accessor of an option that sets a parameter of the algorithm, an entry of
/// ClaimSettings::parameters.
auto
Parameter(const std::string& name)
{
    return [name](Request& request) -> double& { return request.parameters[name]; };
}

void
AddAlgorithm(OptionTable<Request>& table)
{
    const Choices<Mode> modes{{"sound", Mode::SOUND}, {"paper", Mode::PAPER}};
    table
        .Add("algorithm",
             AnyText("a name of `list algorithms`"),
             &Request::algorithm,
             "show what its paper claims next to what can be certified")
        .For(CLAIM);
    table
        .Add("localSamples",
             WholeNumber(1, MOST_STEPS),
             &Request::localSamples,
             "examples that the node owns")
        .For(CONSTANT | CALIBRATION | CLAIM)
        .Needed(CLAIM);
    table
        .Add("rounds",
             WholeNumber(1, ClaimSettings::MOST_ROUNDS),
             &Request::rounds,
             "rounds of the algorithm")
        .For(CLAIM)
        .Needed(CLAIM);
    table
        .Add("mode",
             OneOf(modes),
             &Request::mode,
             "noise from the accountant, or from the paper's own formula")
        .For(CLAIM);
    for (const auto& [name, meaning] : {std::pair{"batchSize", "examples in a batch"},
                                        {"muGrowth", "factor by which mu grows over the run"},
                                        {"c2", "constant of the moments accountant's formula"},
                                        {"tau", "rounds of a block of equal noise"},
                                        {"noisePower", "exponent of the noise schedule"},
                                        {"noiseRate", "factor on Laplace noise"}})
    {
        table.Add(name, PositiveNumber(), Parameter(name), meaning)
            .Accepts("a number > 0")
            .Default("of the algorithm")
            .For(CLAIM)
            .Formerly(name == std::string("muGrowth") ? "noiseGrowth" : "");
    }
    table
        .Add("batchClip",
             Switch(1.0),
             Parameter("batchClip"),
             "the gradient of the batch is clipped as a whole")
        .For(CLAIM);
}

void
AddOutput(OptionTable<Request>& table)
{
    const auto direction = Within(&Request::question, &AccountingQuery::direction);
    table
        .Add("remove-only",
             Switch(Direction::REMOVE),
             direction,
             "one direction alone: the data hold the example; no guarantee")
        .For(CONSTANT | SCHEDULE);
    table
        .Add("add-only",
             Switch(Direction::ADD),
             direction,
             "one direction alone: the data lack the example; no guarantee")
        .For(CONSTANT | SCHEDULE);
    table.Add("json", Switch(true), &Request::json, "print JSON");
    table.Add("help", Switch(true), &Request::help, "print this");
}

/// Options of `account`, in the order of the help text.
const OptionTable<Request>&
AccountOptions()
{
    static const OptionTable<Request> OPTIONS = [] {
        OptionTable<Request> table;
        AddSteps(table);
        AddPrivacy(table);
        AddAlgorithm(table);
        AddOutput(table);
        return table;
    }();
    return OPTIONS;
}

/// Infers the form of the request from the given options.
/// @return the form, and a phrase for errors that names the option which determines the form
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

/// Checks the sampling rate of equal steps, or computes it from batch size and number of examples.
void
CheckRate(const GivenOptions& given, AccountRequest& request)
{
    const bool hasRate = given.count("rate") != 0;
    const bool hasBatch = given.count("batch") != 0;
    DPDL_REFUSE_IF(hasBatch != (given.count("localSamples") != 0) || (hasRate && hasBatch),
                   "options 'rate', 'batch' and 'localSamples': expected either rate, or "
                   "batch together with localSamples");
    DPDL_REFUSE_IF(hasBatch && request.batch > request.localSamples,
                   OptionTitle("batch"),
                   std::to_string(request.batch),
                   "a whole number from 1 to localSamples, " +
                       std::to_string(request.localSamples));
    if (hasBatch)
    {
        request.group.rate =
            static_cast<double>(request.batch) / static_cast<double>(request.localSamples);
    }
    const bool takesAll = request.group.sampler == "full";
    DPDL_REFUSE_IF(takesAll && request.group.rate != 1.0,
                   OptionTitle(hasBatch ? "batch" : "rate"),
                   given.at(hasBatch ? "batch" : "rate"),
                   "a rate of 1, or no rate, with --sampler=none");
    DPDL_REFUSE_IF(!takesAll && !hasRate && !hasBatch,
                   "option 'rate' is missing; expected --rate=VALUE, a number in (0, 1], or "
                   "--batch and --localSamples, or --sampler=none");
}

void
CheckDirection(const GivenOptions& given, const AccountRequest& request)
{
    const bool removes = given.count("remove-only") != 0;
    const bool adds = given.count("add-only") != 0;
    DPDL_REFUSE_IF(removes && adds,
                   "option 'add-only'",
                   "--add-only",
                   "one direction, without --remove-only");
    DPDL_REFUSE_IF((removes || adds) && request.question.adjacency == Adjacency::REPLACE,
                   OptionTitle(removes ? "remove-only" : "add-only"),
                   removes ? "--remove-only" : "--add-only",
                   "no direction with --adjacency=replace, which has only one");
}

/// Checks the options that set parameters of the algorithm, and stores `noise` as a parameter.
/// Refuses parameters that the algorithm does not have. An algorithm with parameters needs exactly
/// one of the options `noise` and `epsilon`.
void
CheckParameters(const GivenOptions& given, AccountRequest& request)
{
    if (given.count("noise") != 0)
    {
        request.parameters["noise"] = request.group.noise;
    }
    const std::vector<std::string> names = NamesIn(ClaimParameters(request.algorithm));
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
    DPDL_REFUSE_IF(hasTarget && given.count("noise") != 0,
                   OptionTitle("noise"),
                   given.at("noise"),
                   "either noise or epsilon, not both");
    DPDL_REFUSE_IF(!hasTarget && given.count("noise") == 0 && !names.empty(),
                   "option 'epsilon' is missing with --algorithm=" + request.algorithm +
                       "; expected --epsilon=VALUE, a finite number > 0");
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
    AccountOptions().Read(given, request);
    request.form = form;
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
    for (const PartInfo& info : Algorithms().List())
    {
        std::string line;
        for (const ParameterInfo& parameter : ClaimParameters(info.name))
        {
            const std::string value =
                parameter.defaultValue.empty() ? "" : " " + parameter.defaultValue;
            line += (line.empty() ? " " : ", ") + parameter.name + value;
        }
        text += line.empty() ? "" : "  " + info.name + ":" + line + "\n";
    }
    return text;
}

} // namespace dpdl
