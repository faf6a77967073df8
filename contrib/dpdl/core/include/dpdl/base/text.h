// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_TEXT_H
#define DPDL_BASE_TEXT_H

#include <cstddef>
#include <string>

namespace dpdl
{

/// @p text without blanks, tabs and carriage returns at either end.
std::string Strip(const std::string& text);

/// Hands over what was written to standard output. @throws Error if it is not taken
void CheckOutput();

/// What Excerpt shows of a value at most, in bytes.
inline constexpr std::size_t LONGEST_VALUE = 80;

/// Longest message that Excerpt shows, in bytes.
inline constexpr std::size_t LONGEST_MESSAGE = 2000;

/**
 * @brief Foreign text as a message may show it: on one line, and harmless to a terminal.
 *
 * Control characters, those that change the direction of a text, and bytes that are no UTF-8 stand
 * as \n, \t, \r or \xHH. Of a longer text the middle is left out. An excerpt of an excerpt is the
 * same.
 * @param text whatever a user, a file or a trace has given
 * @param longest bytes of the excerpt at most
 */
std::string Excerpt(const std::string& text, std::size_t longest = LONGEST_VALUE);

} // namespace dpdl

#endif // DPDL_BASE_TEXT_H
