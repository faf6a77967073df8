// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BENCH_TEMPORARY_FILE_H
#define DPDL_BENCH_TEMPORARY_FILE_H

#include <filesystem>
#include <string>
#include <unistd.h>

namespace dpdl
{

/// A file of a benchmark, removed at the end with what SQLite leaves beside it.
class TemporaryFile
{
  public:
    /// @param name distinguishes the files of a process
    explicit TemporaryFile(const std::string& name)
        : m_path(std::filesystem::temp_directory_path() /
                 ("dpdl-bench-" + std::to_string(getpid()) + "-" + name))
    {
    }

    ~TemporaryFile()
    {
        for (const char* companion : {"", "-wal", "-shm", "-journal"})
        {
            std::error_code error;
            std::filesystem::remove(m_path.string() + companion, error);
        }
    }

    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    /// Where it is, in the folder for temporary files.
    std::string Path() const
    {
        return m_path.string();
    }

  private:
    std::filesystem::path m_path; ///< see Path()
};

} // namespace dpdl

#endif // DPDL_BENCH_TEMPORARY_FILE_H
