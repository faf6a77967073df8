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

/// Largest size of an input file, in bytes; no table, movement trace or graph needs more.
inline constexpr std::uint64_t LARGEST_INPUT_FILE = std::uint64_t{1} << 32U;

/**
 * @brief Opens a file of the user for reading.
 *
 * Rejects devices, pipes and directories before reading, because they may be endless.
 * @param kind of the file in errors, for example `link file`
 * @param path the file's path
 * @param accepted expected input in the error for a missing file
 * @param mayBeEmpty false: reject an empty file like a missing one
 * @throws UsageError if it is not a regular file, cannot be read or exceeds LARGEST_INPUT_FILE
 */
std::ifstream OpenInputFile(const std::string& kind,
                            const std::string& path,
                            const std::string& accepted = "the path of a file that can be read",
                            bool mayBeEmpty = true);

/**
 * @brief Visits the nonempty lines of a text.
 * @param text read to its end; `#` starts a comment
 * @param use receives the number of each line, from 1, and its trimmed text without the comment;
 *        empty lines are skipped
 */
void ForEachContentLine(std::istream& text,
                        const std::function<void(std::size_t, const std::string&)>& use);

} // namespace dpdl

#endif // DPDL_BASE_INPUT_FILE_H
