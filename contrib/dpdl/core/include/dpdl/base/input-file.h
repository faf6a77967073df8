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

/// Largest accepted size of an input file: 2^32 bytes.
inline constexpr std::uint64_t LARGEST_INPUT_FILE = std::uint64_t{1} << 32U;

/**
 * @brief Opens an input file.
 *
 * Rejects devices and pipes, which may be endless, and directories. Also rejects files in UTF-16
 * and files compressed by gzip. Skips a UTF-8 byte order mark.
 * @param kind kind of the file in errors, for example `link file`
 * @param path the file's path
 * @param accepted description of the expected file, in the error for a missing file
 * @param mayBeEmpty false: reject an empty file like a missing one
 * @throws UsageError naming kind and path, if the file is rejected, cannot be read or exceeds
 *         LARGEST_INPUT_FILE
 */
std::ifstream OpenInputFile(const std::string& kind,
                            const std::string& path,
                            const std::string& accepted = "the path of a file that can be read",
                            bool mayBeEmpty = true);

/**
 * @brief Visits the nonempty lines of a text.
 * @param text text to read, to its end; `#` starts a comment
 * @param use callback for each line: its number, from 1, and its text without comment and
 *        surrounding blanks. It is not called for empty lines
 */
void ForEachContentLine(std::istream& text,
                        const std::function<void(std::size_t, const std::string&)>& use);

/// Earliest and latest time in an input file, in simulated seconds.
struct InputTimes
{
    std::string file;  ///< kind and name of the file, for messages
    double first{0.0}; ///< earliest time in the file, s
    double last{0.0};  ///< latest time in the file, s
    std::string shift; ///< option that shifts the times of the file, for messages
};

/**
 * @brief Compares the times of an input file with the duration of the run.
 * @param times earliest and latest time in the file
 * @param end end of the run, in simulated seconds; the run began at 0
 * @return a warning of one line if the run ends after the latest time, or ends before twice the
 *         earliest time; otherwise "". Also "" if no time in the file is above 0
 */
std::string WarnOfTimes(const InputTimes& times, double end);

} // namespace dpdl

#endif // DPDL_BASE_INPUT_FILE_H
