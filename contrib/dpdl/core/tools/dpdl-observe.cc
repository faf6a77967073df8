// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * `dpdl-observe RUN.db [--observer=SPEC] ...`: evaluates the privacy of a run from its trace.
 */

#include "dpdl/observation/observe-command.h"
#include "run-tool.h"

#include <iostream>

int
main(int argc, char* argv[])
{
    return dpdl::RunTool("observe", [=] { dpdl::Observe({argv + 1, argv + argc}, std::cout); });
}
