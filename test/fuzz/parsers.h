// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * What the fuzz targets with several parsers have in common: variable DPDL_PARSER in the
 * environment names the one that reads the bytes.
 */

#ifndef DPDL_FUZZ_PARSERS_H
#define DPDL_FUZZ_PARSERS_H

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

/// Reads bytes from outside.
using Parser = std::function<void(const std::string& bytes)>;

/// Parsers by name.
using Parsers = std::map<std::string, Parser>;

/// Aborts unless that holds.
inline void
Check(bool holds)
{
    if (!holds)
    {
        std::abort();
    }
}

/// The parser that DPDL_PARSER names; ends the program if it names none.
inline const Parser&
ChosenParser(const Parsers& parsers)
{
    const char* const name = std::getenv("DPDL_PARSER");
    const auto found = parsers.find(name == nullptr ? "" : name);
    if (found == parsers.end())
    {
        std::fputs("DPDL_PARSER is to be one of:", stderr);
        for (const auto& [known, parser] : parsers)
        {
            std::fputs((" " + known).c_str(), stderr);
        }
        std::fputs("\n", stderr);
        std::exit(2);
    }
    return found->second;
}

#endif // DPDL_FUZZ_PARSERS_H
