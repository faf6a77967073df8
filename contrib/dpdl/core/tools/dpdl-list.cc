// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * `dpdl-list [KIND [NAME]] [--json]`: lists the names accepted on the command line;
 * `dpdl-list topologies NAME[:ARGUMENT] --nodes=N`: describes a topology.
 */

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/experiment/catalogue.h"
#include "run-tool.h"

#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

namespace
{

void
List(const std::vector<std::string>& arguments)
{
    static const std::string NODES = "--nodes=";
    constexpr std::uint64_t mostNodes = 1000000;
    std::vector<std::string> words;
    std::size_t nodes = 0;
    bool json = false;
    for (const std::string& argument : arguments)
    {
        if (argument == "--json")
        {
            json = true;
            continue;
        }
        if (argument.rfind(NODES, 0) == 0)
        {
            nodes =
                dpdl::ParseInteger("option 'nodes'", argument.substr(NODES.size()), 2, mostNodes);
            continue;
        }
        DPDL_REFUSE_IF(argument.rfind("--", 0) == 0 || words.size() == 2,
                       "argument",
                       argument,
                       "[KIND [NAME]] [--json], or topologies NAME --nodes=N");
        words.push_back(argument);
    }
    words.resize(2);
    if (nodes > 0)
    {
        DPDL_REFUSE_IF(words[0] != "topologies" || words[1].empty(),
                       "option 'nodes'",
                       std::to_string(nodes),
                       "it behind topologies NAME only");
        std::cout << dpdl::DescribeTopology(words[1], nodes, json);
        return;
    }
    std::cout << dpdl::DescribeCatalogue(words[0], words[1], json);
}

} // namespace

int
main(int argc, char* argv[])
{
    return dpdl::RunTool("list", [=] { List({argv + 1, argv + argc}); });
}
