// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_TRACE_FILE_H
#define DPDL_TRACE_TRACE_FILE_H

#include <string>

namespace dpdl
{

/**
 * @brief Makes @p path an empty file that belongs to this run alone.
 * @param path as the user gave it
 * @param overwrite whether an existing trace may be removed
 * @return the absolute path
 * @throws UsageError if that cannot be; nothing has changed then
 */
std::string ClaimTraceFile(const std::string& path, bool overwrite);

/// Removes the file and SQLite's companions of it, as far as they exist. Never throws.
void RemoveTraceFiles(const std::string& path) noexcept;

} // namespace dpdl

#endif // DPDL_TRACE_TRACE_FILE_H
