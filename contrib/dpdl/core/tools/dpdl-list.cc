// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * `dpdl-list [KIND [NAME]] [--json]`: what can be named on the command line.
 */

#include "dpdl/experiment/catalogue.h"

#include <iostream>
#include <string>
#include <vector>

int
main(int argc, char* argv[])
{
    std::vector<std::string> words;
    bool json = false;
    try
    {
        for (int i = 1; i < argc; ++i)
        {
            const std::string argument = argv[i];
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
        return 0;
    }
    catch (const dpdl::UsageError& error)
    {
        std::cerr << "list: " << error.what() << std::endl;
        return 2;
    }
}
