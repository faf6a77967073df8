// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * `dpdl-account OPTIONS`: what a schedule of noisy steps guarantees, without a simulation.
 */

#include "dpdl/accounting/account-options.h"
#include "dpdl/accounting/account-report.h"
#include "dpdl/base/errors.h"

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
    std::cerr << "account: " << text << std::endl;
}

} // namespace

int
main(int argc, char* argv[])
{
    try
    {
        const auto request = dpdl::ParseAccountArguments({argv + 1, argv + argc});
        if (request.help)
        {
            std::cout << dpdl::AccountHelp();
            return 0;
        }
        const dpdl::AccountAnswer answer = dpdl::ComputeAccount(request);
        if (request.json)
        {
            std::cout << dpdl::AccountAsJson(answer);
            return 0;
        }
        std::cout << dpdl::AccountAsTable(answer);
        for (const std::string& warning : answer.warnings)
        {
            Say(warning);
        }
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
