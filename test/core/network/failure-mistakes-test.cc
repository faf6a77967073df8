// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../mutated.h"
#include "dpdl/base/errors.h"
#include "dpdl/network/failure-event.h"
#include "dpdl/network/failure-state.h"

#include <fstream>
#include <gtest/gtest.h>

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

constexpr std::uint32_t CASES = 120000;
constexpr std::size_t FUZZED_NODES = 12;

const std::vector<std::string> SENTENCES{
    "link 3->4 down at 10s for 5s",
    "link * loss 0.05 from 0s",
    "link 0->* delay 200ms at 30s for 10s",
    "link {0-2,7}<->{3-5} rate 1Mbps at 1min",
    "link 2->7 gilbert-elliott p=0.02 r=0.3 bad=0.9 good=0.1",
    "link *->5 flap up=2s down=1s from 3s for 30s",
    "node 5 crash at 20s recover 40s with state",
    "node {1,2} pause at 1s for 2s",
    "node 8 slow 4x at 10s for 30s",
    "partition {0-4} {5-9} {10} at 60s for 15s",
    "region center=(500,500) radius=200 down at 5s for 5s",
    "jam center=(1,-2.5) radius=30 loss 0.5 at 5s for 5s",
    "random link * down mean-up=30s mean-down=5s together",
    "group rsu = {0-3}\nlink rsu->* down # comment",
};

/// What becomes of a text: 1 if it was accepted, 0 if it was refused in one line.
int
Try(const std::string& text)
{
    try
    {
        FailureState state(ParseFailures(text, "fuzz", FUZZED_NODES),
                           FUZZED_NODES,
                           {1, 1},
                           {{0, 1}, {3, 4}});
        for (int i = 0; i < 5 && state.NextChange() < 1e9; ++i)
        {
            EXPECT_GT(state.AdvanceTo(state.NextChange()).size(), 0U);
        }
        return 1;
    }
    catch (const UsageError& error)
    {
        const std::string what = error.what();
        EXPECT_EQ(what.rfind("fuzz, line ", 0), 0U) << what;
        EXPECT_EQ(what.find('\n'), std::string::npos) << what;
        return 0;
    }
}

TEST(FailureFuzz, MutatedSentences)
{
    int accepted = 0;
    for (std::uint32_t i = 0; i < CASES; ++i)
    {
        const RandomStream random({1, 1}, RandomPurpose::TEST, i, 1);
        accepted +=
            Try(Mutated(SENTENCES[i % SENTENCES.size()], "0123456789{}()*->=,.smx ", random));
    }
    EXPECT_GT(accepted, 1000);
    EXPECT_LT(accepted, static_cast<int>(CASES) / 2);
}

TEST(FailureFuzz, RandomBytes)
{
    for (std::uint32_t i = 0; i < CASES / 4; ++i)
    {
        const RandomStream random({1, 1}, RandomPurpose::TEST, i, 2);
        std::string text = i % 2 == 0 ? "link " : "";
        const std::uint32_t length = random.Integer(0, 40);
        for (std::uint32_t k = 1; k <= length; ++k)
        {
            text += static_cast<char>(random.Integer(k, 256));
        }
        Try(text);
    }
}

} // namespace
} // namespace dpdl
