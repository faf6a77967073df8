// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * `dpdl-audit OPTIONS`: measures a lower bound of epsilon by attacks.
 */

#include "dpdl/audit/audit-answer.h"
#include "dpdl/experiment/recorded-run.h"
#include "run-tool.h"

#include <iostream>
#include <string>
#include <vector>

namespace
{

/// Runs an audit and prints the answer.
/// @return the exit status
int
Audit(const std::vector<std::string>& arguments)
{
    const dpdl::AuditRequest request = dpdl::ParseAuditArguments(arguments);
    if (request.help)
    {
        std::cout << dpdl::AsTyped(dpdl::AuditHelp());
        return 0;
    }
    const bool trace = request.form == dpdl::AuditForm::TRACE;
    const dpdl::AuditAnswer answer =
        trace ? dpdl::AuditRecordedRun(request) : dpdl::ComputeAudit(request);
    std::cout << (request.json ? dpdl::AuditAsJson(answer) : dpdl::AuditAsTable(answer));
    const int status = dpdl::ExitStatus(answer.Judge().Finding());
    if (status != 0)
    {
        dpdl::Say("audit", answer.Judge().Event());
    }
    return status;
}

} // namespace

int
main(int argc, char* argv[])
{
    int status = 0;
    const int failure = dpdl::RunTool("audit", [&] { status = Audit({argv + 1, argv + argc}); });
    return failure != 0 ? failure : status;
}
