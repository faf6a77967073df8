// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"

#include <gtest/gtest.h>
#include <new>

namespace dpdl
{
namespace
{

TEST(LineOf, IsTheTextOfAnError)
{
    EXPECT_EQ(LineOf(UsageError("option 'drop'", "2", "a probability in [0, 1)")),
              "option 'drop': '2' is not accepted; expected a probability in [0, 1)");
}

TEST(LineOf, IsOneLine)
{
    EXPECT_EQ(LineOf(std::runtime_error("shapes differ\nat Tensor.cpp:7")), "shapes differ");
}

TEST(LineOf, SaysWhatToChangeWhereMemoryRanOut)
{
    const std::string line = "out of memory; expected fewer nodes, or a smaller model or batchSize";
    EXPECT_EQ(LineOf(std::bad_alloc()), line);
    EXPECT_EQ(LineOf(std::runtime_error("DefaultCPUAllocator: can't allocate memory: 9 bytes\n.")),
              line);
}

TEST(ExcerptTest, WhatATerminalMayShowStaysAsItIs)
{
    for (const char* text : {"", "drop=0.1", "a b", "J\xc3\xb6rg", "\xe2\x82\xac", "a\\b"})
    {
        EXPECT_EQ(Excerpt(text), text);
    }
}

TEST(ExcerptTest, EverythingElseIsEscaped)
{
    EXPECT_EQ(Excerpt("a\nb\tc\rd"), "a\\nb\\tc\\rd");
    EXPECT_EQ(Excerpt("\x1b[31m\x7f"), "\\x1b[31m\\x7f");
    EXPECT_EQ(Excerpt(std::string("a\0b", 3)), "a\\x00b");
    EXPECT_EQ(Excerpt("\xc2\x9b"
                      "31m"),
              "\\xc2\\x9b31m");
    EXPECT_EQ(Excerpt("\xff\xc3"), "\\xff\\xc3");
    EXPECT_EQ(Excerpt("\xc0\x80"), "\\xc0\\x80");
    EXPECT_EQ(Excerpt("a\xe2\x80\xae.db"), "a\\xe2\\x80\\xae.db") << "right-to-left override";
    for (const char* letter : {"\xc2\xa0",
                               "\xc2\xad",
                               "\xe2\x80\x8b",
                               "\xe2\x81\xa0",
                               "\xef\xbb\xbf",
                               "\xe1\xa0\x8e",
                               "\xf3\xa0\x81\x81",
                               "\xd8\x9c",
                               "\xe2\x80\x8e",
                               "\xe2\x80\x8f",
                               "\xe2\x80\xa8",
                               "\xe2\x81\xa6",
                               "\xe2\x81\xa9"})
    {
        EXPECT_EQ(Excerpt(letter).find(letter), std::string::npos) << letter;
    }
    for (const char* letter : {"\xd8\xa7", "\xe2\x80\x8d", "\xe2\x80\xaf", "\xe2\x81\xaa"})
    {
        EXPECT_EQ(Excerpt(letter), letter) << "Arabic, and joiners and blanks";
    }
}

TEST(ExcerptTest, LongTextsLoseTheirMiddle)
{
    const std::string longest(LONGEST_VALUE, 'x');
    EXPECT_EQ(Excerpt(longest), longest);
    const std::string cut = Excerpt("begin" + std::string(100000, 'x') + "end");
    EXPECT_EQ(cut.size(), LONGEST_VALUE);
    EXPECT_EQ(cut.substr(0, 6), "beginx");
    EXPECT_EQ(cut.substr(cut.size() - 4), "xend");
    EXPECT_NE(cut.find("x...x"), std::string::npos);
    EXPECT_LE(Excerpt(std::string(79, '\n')).size(), LONGEST_VALUE);
    for (std::size_t count = 30; count < 200; ++count)
    {
        for (const char* letter : {"\xe2\x82\xac", "\n", "\x80"})
        {
            std::string text;
            for (std::size_t i = 0; i < count; ++i)
            {
                text += letter;
            }
            const std::string once = Excerpt(text);
            EXPECT_LE(once.size(), LONGEST_VALUE);
            EXPECT_EQ(Excerpt(once), once);
        }
    }
}

TEST(ExcerptTest, AMistakeShowsOneOfItsValue)
{
    const UsageError error("option 'drop'", "a\n\x1b" + std::string(100000, 'x'), "a number");
    const std::string text = error.what();
    EXPECT_EQ(text.substr(0, 24), "option 'drop': 'a\\n\\x1bx");
    EXPECT_LT(text.size(), 200U);
}

} // namespace
} // namespace dpdl
