// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/network/failure-event.h"

#include <fstream>
#include <gtest/gtest.h>
#include <string>

namespace dpdl
{
namespace
{

std::string
Replaced(std::string text, const std::string& what, const std::string& by)
{
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what))
    {
        text.replace(at, what.size(), by);
    }
    return text;
}

// Rows of events for a network of 20 nodes, and of what is said of them; `@` stands for file and
// `line`, `\n` for the end of a line.
TEST(FailureMistakes, NameFileLineWordAndWhatWouldBeAccepted)
{
    std::ifstream table(DPDL_SOURCE_DIR "/test/core/network/failure-mistakes.tsv");
    std::string row;
    ASSERT_TRUE(std::getline(table, row));
    std::size_t rows = 0;
    for (; std::getline(table, row); ++rows)
    {
        const std::size_t tab = row.find('\t');
        const std::string events = Replaced(row.substr(0, tab), "\\n", "\n");
        try
        {
            ParseFailures(events, "bad.txt", 20);
            ADD_FAILURE() << events;
        }
        catch (const UsageError& error)
        {
            EXPECT_EQ(error.what(), Replaced(row.substr(tab + 1), "@", "bad.txt, line"));
        }
    }
    EXPECT_GT(rows, 90U);
}

} // namespace
} // namespace dpdl
