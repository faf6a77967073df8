// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_INPUT_FILE_H
#define DPDL_BASE_INPUT_FILE_H

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iosfwd>
#include <string>

namespace dpdl
{

/// Largest size of an input file, in bytes; no table, movement trace or graph needs more.
inline constexpr std::uint64_t LARGEST_INPUT_FILE = std::uint64_t{1} << 32U;

/**
 * @brief Opens a file of the user for reading.
 *
 * Rejects devices, pipes and directories before reading, because they may be endless, and text in
 * UTF-16 or compressed by gzip. Reading starts after a UTF-8 byte order mark.
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

/// Times in an input file, relative to the start of the run.
struct InputTimes
{
    std::string file;  ///< kind and name of the file, for messages
    double first{0.0}; ///< earliest time, s
    double last{0.0};  ///< latest time, s
    std::string shift; ///< option that shifts the times, for messages
};

/**
 * @brief Compares the times of a file with those of its run.
 * @param times of the file
 * @param end of the run, in simulated seconds; it began at 0
 * @return a warning with both times if the run outlasts the file, or if more than half of the run
 *         lies before the first time; "" otherwise, or if no time is above 0
 */
std::string WarnOfTimes(const InputTimes& times, double end);

} // namespace dpdl

#endif // DPDL_BASE_INPUT_FILE_H
