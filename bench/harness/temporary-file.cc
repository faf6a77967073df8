// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "temporary-file.h"

#include <unistd.h>

namespace dpdl
{

TemporaryFile::TemporaryFile(const std::string& name)
    : m_path(std::filesystem::temp_directory_path() /
             ("dpdl-bench-" + std::to_string(getpid()) + "-" + name))
{
}

TemporaryFile::~TemporaryFile()
{
    for (const char* companion : {"", "-wal", "-shm", "-journal"})
    {
        std::error_code error;
        std::filesystem::remove(m_path.string() + companion, error);
    }
}

std::string
TemporaryFile::Path() const
{
    return m_path.string();
}

} // namespace dpdl
