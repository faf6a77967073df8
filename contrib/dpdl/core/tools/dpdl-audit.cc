// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * `dpdl-audit OPTIONS`: what an attacker can measure, as a lower bound of epsilon.
 */

#include "dpdl/audit/audit-report.h"
#include "dpdl/experiment/recorded-audit.h"
#include "run-tool.h"

#include <iostream>
#include <string>
#include <vector>

namespace
{

void
Audit(const std::vector<std::string>& arguments)
{
    const dpdl::AuditRequest request = dpdl::ParseAuditArguments(arguments);
    if (request.help)
    {
        std::cout << dpdl::AuditHelp();
        return;
    }
    const bool trace = request.form == dpdl::AuditForm::TRACE;
    const dpdl::AuditAnswer answer =
        trace ? dpdl::AuditRecordedRun(request) : dpdl::ComputeAudit(request);
    std::cout << (request.json ? dpdl::AuditAsJson(answer) : dpdl::AuditAsTable(answer));
}

} // namespace

int
main(int argc, char* argv[])
{
    return dpdl::RunTool("audit", [=] { Audit({argv + 1, argv + argc}); });
}
