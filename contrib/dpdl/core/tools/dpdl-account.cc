// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * `dpdl-account OPTIONS`: computes the guarantee of a schedule of noisy steps, without a
 * simulation.
 */

#include "dpdl/accounting/account-answer.h"
#include "dpdl/accounting/account-options.h"
#include "run-tool.h"

#include <iostream>
#include <string>
#include <vector>

namespace
{

void
Account(const std::vector<std::string>& arguments)
{
    const dpdl::AccountRequest request = dpdl::ParseAccountArguments(arguments);
    if (request.help)
    {
        std::cout << dpdl::AsTyped(dpdl::AccountHelp());
        return;
    }
    const dpdl::AccountAnswer answer = dpdl::ComputeAccount(request);
    if (request.json)
    {
        std::cout << dpdl::AccountAsJson(answer);
        return;
    }
    std::cout << dpdl::AccountAsTable(answer);
    for (const std::string& warning : answer.warnings)
    {
        dpdl::Say("account", warning);
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    return dpdl::RunTool("account", [=] { Account({argv + 1, argv + argc}); });
}
