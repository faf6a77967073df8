// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * `dpdl-observe RUN.db [--observer=SPEC] ...`: privacy of a run from its trace.
 */

#include "dpdl/base/errors.h"
#include "dpdl/observation/observe-command.h"

#include <iostream>
#include <string>
#include <vector>

int
main(int argc, char* argv[])
{
    try
    {
        dpdl::Observe(std::vector<std::string>(argv + 1, argv + argc), std::cout);
        return 0;
    }
    catch (const dpdl::UsageError& error)
    {
        std::cerr << "observe: " << error.what() << std::endl;
        return 2;
    }
    catch (const std::exception& error)
    {
        std::cerr << "observe: " << error.what() << std::endl;
        return 1;
    }
}
