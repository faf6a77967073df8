// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dataset-files.h"

#include "dpdl/base/errors.h"

#include <filesystem>

namespace dpdl
{

std::string
FindDatasetFile(const std::vector<std::string>& directories,
                const std::string& name,
                const std::string& advice)
{
    for (const std::string& directory : directories)
    {
        for (const char* suffix : {"", ".gz"})
        {
            const std::filesystem::path path = std::filesystem::path(directory) / (name + suffix);
            std::error_code ignored;
            if (std::filesystem::is_regular_file(path, ignored))
            {
                return path.string();
            }
        }
    }
    throw UsageError("file '" + (std::filesystem::path(directories.front()) / name).string() +
                     "' not found, nor with .gz; " + advice);
}

} // namespace dpdl
