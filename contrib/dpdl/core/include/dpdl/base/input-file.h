// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_INPUT_FILE_H
#define DPDL_BASE_INPUT_FILE_H

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <string>

namespace dpdl
{

/// Bytes that a file of an option may have: more than any table, trace of movement or graph needs.
inline constexpr std::uint64_t LARGEST_INPUT_FILE = std::uint64_t{1} << 32U;

/**
 * @brief Opens a file of the user for reading.
 *
 * Devices, pipes and folders are refused before anything is read: they may have no end.
 * @param kind what errors call it, for example `link file`
 * @param path the file's path
 * @param accepted what the error says would be accepted if there is no such file
 * @param mayBeEmpty false: an empty file is refused like one that is missing
 * @throws UsageError if it is no regular file, cannot be read or exceeds LARGEST_INPUT_FILE
 */
std::ifstream OpenInputFile(const std::string& kind,
                            const std::string& path,
                            const std::string& accepted = "the path of a file that can be read",
                            bool mayBeEmpty = true);

/**
 * @brief Goes through the lines of a text that say something.
 * @param text read to its end; `#` starts a comment
 * @param use is given the number of each line, from 1, and its text before the comment, without
 *        blanks at either end; lines without any are left out
 */
void ForEachContentLine(std::istream& text,
                        const std::function<void(std::size_t, const std::string&)>& use);

} // namespace dpdl

#endif // DPDL_BASE_INPUT_FILE_H
