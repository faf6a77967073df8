// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/audit-request.h"

#include "audit-option-table.h"

#include <algorithm>
#include <utility>

namespace dpdl
{

namespace
{

/// The form that the options ask for, and the option that says so.
std::pair<AuditForm, std::string>
FormOf(const GivenOptions& given)
{
    if (const auto game = given.find("game"); game != given.end())
    {
        static const std::vector<std::pair<std::string, AuditForm>> GAMES{
            {"canary", AuditForm::STEPS},
            {"one-run", AuditForm::STEPS},
            {"zero-gradient", AuditForm::ZERO_GRADIENT},
            {"norm-ratio", AuditForm::NORM_RATIO},
            {"dpps-scalar", AuditForm::DPPS_SCALAR}};
        const AuditForm form = ChoiceOf("game", game->second, GAMES);
        if (form != AuditForm::STEPS)
        {
            return {form, "with --game=" + game->second};
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
            return {form, "with --" + std::string(name)};
        }
    }
    throw UsageError("audit needs one of --noise, --schedule, --algorithm, --trace, or a --game "
                     "that needs none (zero-gradient, norm-ratio, dpps-scalar)");
}

/// Refuses options that overrule one another.
void
CheckExclusive(const GivenOptions& given)
{
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
    const GivenOptions given = AuditOptions().Split(arguments);
    if (given.count("help") != 0)
    {
        request.help = true;
        return request;
    }
    const auto [form, because] = FormOf(given);
    request.form = form;
    AuditOptions().Check(given, form, because);
    CheckExclusive(given);
    AuditOptions().Read(given, request);
    if (request.sampler == "full" && request.rate != 1.0)
    {
        throw UsageError("option 'rate'", given.at("rate"), "1 with --sampler=none");
    }
    return request;
}

std::string
AuditHelp()
{
    return std::string(
               "audit: what an attacker can measure, as a lower bound of epsilon\n\n"
               "  audit --noise=S --rate=Q --steps=K --delta=D [--epsilon=CLAIM]\n"
               "  audit --schedule=FILE.csv --delta=D [--epsilon=CLAIM]\n"
               "  audit --algorithm=NAME --localSamples=J --rounds=K --epsilon=E --delta=D\n"
               "  audit --trace=RUN.db\n"
               "  audit --game=zero-gradient --localSamples=J --rounds=K --delta=D\n"
               "  audit --game=norm-ratio --ratio=R --parameters=N --delta=D\n"
               "  audit --game=dpps-scalar\n\noptions:\n") +
           AuditOptions().Help();
}

} // namespace dpdl
