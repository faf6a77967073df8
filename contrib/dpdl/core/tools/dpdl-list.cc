// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * `dpdl-list [KIND [NAME]] [--json]`: what can be named on the command line.
 */

#include "dpdl/base/errors.h"
#include "dpdl/experiment/catalogue.h"
#include "run-tool.h"

#include <iostream>
#include <string>
#include <vector>

namespace
{

void
List(const std::vector<std::string>& arguments)
{
    std::vector<std::string> words;
    bool json = false;
    for (const std::string& argument : arguments)
    {
        if (argument == "--json")
        {
            json = true;
            continue;
        }
        if (argument.rfind("--", 0) == 0 || words.size() == 2)
        {
            throw dpdl::UsageError("argument", argument, "[KIND [NAME]] [--json]");
        }
        words.push_back(argument);
    }
    words.resize(2);
    std::cout << dpdl::DescribeCatalogue(words[0], words[1], json);
}

} // namespace

int
main(int argc, char* argv[])
{
    return dpdl::RunTool("list", [=] { List({argv + 1, argv + argc}); });
}
