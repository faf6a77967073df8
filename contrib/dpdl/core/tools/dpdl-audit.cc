// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * `dpdl-audit OPTIONS`: what an attacker can measure, as a lower bound of epsilon.
 */

#include "dpdl/audit/audit-report.h"
#include "dpdl/base/errors.h"
#include "dpdl/experiment/recorded-audit.h"

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

namespace
{

/// One line on standard error, whatever the text holds.
void
Say(std::string text)
{
    std::replace_if(
        text.begin(),
        text.end(),
        [](char letter) { return static_cast<unsigned char>(letter) < 0x20; },
        '?');
    std::cerr << "audit: " << text << std::endl;
}

} // namespace

int
main(int argc, char* argv[])
{
    try
    {
        const auto request = dpdl::ParseAuditArguments({argv + 1, argv + argc});
        if (request.help)
        {
            std::cout << dpdl::AuditHelp();
            return 0;
        }
        const bool trace = request.form == dpdl::AuditForm::TRACE;
        const dpdl::AuditAnswer answer =
            trace ? dpdl::AuditRecordedRun(request) : dpdl::ComputeAudit(request);
        std::cout << (request.json ? dpdl::AuditAsJson(answer) : dpdl::AuditAsTable(answer));
        return 0;
    }
    catch (const dpdl::UsageError& error)
    {
        Say(error.what());
        return 2;
    }
    catch (const std::exception& error)
    {
        Say(error.what());
        return 1;
    }
}
