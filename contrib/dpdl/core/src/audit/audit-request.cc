// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/audit-request.h"

#include "audit-option-table.h"
#include "dpdl/base/registry.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace dpdl
{

namespace
{

/// Options as they were given: name and value, each name once.
using Given = std::map<std::string, std::string>;

const std::pair<const char*, AuditForm> GAMES[] = {{"canary", AuditForm::STEPS},
                                                   {"one-run", AuditForm::STEPS},
                                                   {"zero-gradient", AuditForm::ZERO_GRADIENT},
                                                   {"norm-ratio", AuditForm::NORM_RATIO},
                                                   {"dpps-scalar", AuditForm::DPPS_SCALAR}};

const AuditOption&
FindAuditOption(const std::string& name)
{
    std::vector<std::string> names;
    for (const AuditOption& option : AuditOptions())
    {
        if (option.name == name)
        {
            return option;
        }
        names.push_back(option.name);
    }
    ThrowUnknownName("option", name, names);
}

/// Splits an argument into the option's name and its value.
std::pair<std::string, std::string>
Split(const std::string& argument)
{
    if (argument.rfind("--", 0) != 0)
    {
        throw UsageError("argument", argument, "options of the form --name=value");
    }
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(2, equals == std::string::npos ? equals : equals - 2);
    const AuditOption& option = FindAuditOption(name);
    const bool hasValue = equals != std::string::npos;
    if (hasValue == option.accepted.empty())
    {
        throw UsageError(hasValue ? "argument: '" + argument + "' is not accepted; expected --" +
                                        name + " without a value"
                                  : "option '" + name + "' needs a value: --" + name +
                                        "=..., accepted is " + option.accepted);
    }
    return {name, hasValue ? argument.substr(equals + 1) : ""};
}

Given
ReadAll(const std::vector<std::string>& arguments)
{
    Given given;
    for (const std::string& argument : arguments)
    {
        const auto [name, value] = Split(argument);
        if (!given.emplace(name, value).second)
        {
            throw UsageError("argument", argument, "every option once");
        }
    }
    return given;
}

AuditForm
FormOf(const Given& given)
{
    if (const auto game = given.find("game"); game != given.end())
    {
        std::vector<std::string> names;
        for (const auto& [name, form] : GAMES)
        {
            names.emplace_back(name);
            if (name == game->second && form != AuditForm::STEPS)
            {
                return form;
            }
        }
        if (std::find(names.begin(), names.end(), game->second) == names.end())
        {
            ThrowUnknownName("game", game->second, names);
        }
    }
    const std::pair<const char*, AuditForm> targets[] = {{"trace", AuditForm::TRACE},
                                                         {"schedule", AuditForm::SCHEDULE},
                                                         {"algorithm", AuditForm::CLAIM},
                                                         {"noise", AuditForm::STEPS}};
    for (const auto& [name, form] : targets)
    {
        if (given.count(name) != 0)
        {
            return form;
        }
    }
    throw UsageError("audit needs one of --noise, --schedule, --algorithm, --trace, or a --game "
                     "that needs none (zero-gradient, norm-ratio, dpps-scalar)");
}

void
CheckTogether(const Given& given, AuditForm form)
{
    for (const AuditOption& option : AuditOptions())
    {
        const bool isGiven = given.count(option.name) != 0;
        if (isGiven && option.uses.count(form) == 0)
        {
            throw UsageError("option '" + option.name + "' does not go with the other options");
        }
        if (!isGiven && option.needs.count(form) != 0)
        {
            throw UsageError("option '" + option.name + "' is missing: --" + option.name +
                             "=..., accepted is " + option.accepted);
        }
    }
    const char* exclusive[] = {"sampler", "shift", "literal"};
    if (std::count_if(std::begin(exclusive), std::end(exclusive), [&](const char* name) {
            return given.count(name) != 0;
        }) > 1)
    {
        throw UsageError("options 'sampler', 'shift' and 'literal' exclude one another");
    }
    if (given.count("literal") != 0 && given.count("adjacency") != 0)
    {
        throw UsageError("options 'literal' and 'adjacency' exclude one another");
    }
}

} // namespace

AuditRequest
ParseAuditArguments(const std::vector<std::string>& arguments)
{
    AuditRequest request;
    const Given given = ReadAll(arguments);
    if (given.count("help") != 0)
    {
        request.help = true;
        return request;
    }
    request.form = FormOf(given);
    CheckTogether(given, request.form);
    for (const auto& [name, value] : given)
    {
        FindAuditOption(name).set(request, value);
    }
    if (request.sampler == "full" && request.rate != 1.0)
    {
        throw UsageError("option 'rate'", given.at("rate"), "1 with --sampler=none");
    }
    return request;
}

std::string
AuditHelp()
{
    std::ostringstream out;
    out << "audit: what an attacker can measure, as a lower bound of epsilon\n\n"
           "  audit --noise=S --rate=Q --steps=K --delta=D [--epsilon=CLAIM]\n"
           "  audit --schedule=FILE.csv --delta=D [--epsilon=CLAIM]\n"
           "  audit --algorithm=NAME --localSamples=J --rounds=K --epsilon=E --delta=D\n"
           "  audit --trace=RUN.db\n"
           "  audit --game=zero-gradient --localSamples=J --rounds=K --delta=D\n"
           "  audit --game=norm-ratio --ratio=R --parameters=N --delta=D\n"
           "  audit --game=dpps-scalar\n\nOptions:\n";
    for (const AuditOption& option : AuditOptions())
    {
        out << "  --" << option.name << (option.accepted.empty() ? "" : "=...") << "\n      "
            << option.meaning << "\n";
        if (!option.accepted.empty())
        {
            out << "      accepts: " << option.accepted;
            out << (option.defaultValue.empty() ? "" : "; default: " + option.defaultValue) << "\n";
        }
    }
    return out.str();
}

} // namespace dpdl
