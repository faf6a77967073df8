// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_MISTAKES_H
#define DPDL_TEST_MISTAKES_H

#include "pieces.h"

#include <fstream>
#include <gtest/gtest.h>
#include <utility>

namespace dpdl
{

/**
 * @brief Rows of mistakes.tsv: texts that are refused, and parts of what is said of them.
 * @param kind the first column; in the second `\n` ends a line
 * @return text and part of each
 */
inline std::vector<std::pair<std::string, std::string>>
MistakesOf(const std::string& kind)
{
    std::ifstream table(DPDL_SOURCE_DIR "/test/core/mistakes.tsv");
    std::vector<std::pair<std::string, std::string>> found;
    for (std::string line; std::getline(table, line);)
    {
        std::vector<std::string> row = Pieces(line, '\t');
        if (row.front() == kind)
        {
            std::string& text = row.at(1);
            for (std::size_t at = text.find("\\n"); at != std::string::npos; at = text.find("\\n"))
            {
                text.replace(at, 2, "\n");
            }
            found.emplace_back(text, row.at(2));
        }
    }
    EXPECT_FALSE(found.empty()) << kind;
    return found;
}

} // namespace dpdl

#endif // DPDL_TEST_MISTAKES_H
