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

/// Flushes standard output. @throws Error if writing fails
void CheckOutput();

/// Default length of Excerpt() for a value, in bytes.
inline constexpr std::size_t LONGEST_VALUE = 80;

/// Length of Excerpt() for a message, in bytes.
inline constexpr std::size_t LONGEST_MESSAGE = 2000;

/**
 * @brief Makes external text safe for a message: one line, and harmless to a terminal.
 *
 * Control characters, characters that change the text direction, and invalid UTF-8 bytes become \n,
 * \t, \r or \xHH. A longer text loses its middle. An excerpt of an excerpt is identical.
 * @param text from a user, a file or a trace
 * @param longest largest length of the excerpt in bytes
 */
std::string Excerpt(const std::string& text, std::size_t longest = LONGEST_VALUE);

} // namespace dpdl

#endif // DPDL_BASE_TEXT_H
