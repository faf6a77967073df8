// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/input-file.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/text.h"

#include <filesystem>

namespace dpdl
{

std::ifstream
OpenInputFile(const std::string& kind,
              const std::string& path,
              const std::string& accepted,
              bool mayBeEmpty)
{
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::exists(status) && !fs::is_regular_file(status))
    {
        throw UsageError(kind, path, "a regular file, not a folder, a device or a pipe");
    }
    const std::uint64_t bytes = fs::exists(status) ? fs::file_size(path, error) : 0;
    if (!error && bytes > LARGEST_INPUT_FILE)
    {
        throw UsageError(kind,
                         path,
                         "a file of at most " + std::to_string(LARGEST_INPUT_FILE >> 20U) +
                             " MiB, not " + std::to_string(bytes >> 20U) + " MiB");
    }
    std::ifstream file(path, std::ios::binary);
    if (!file || (!mayBeEmpty && file.peek() == std::ifstream::traits_type::eof()))
    {
        throw UsageError(kind, path, accepted);
    }
    return file;
}

void
ForEachContentLine(std::istream& text,
                   const std::function<void(std::size_t, const std::string&)>& use)
{
    std::size_t number = 0;
    for (std::string line; std::getline(text, line);)
    {
        ++number;
        const std::string content = Strip(line.substr(0, line.find('#')));
        if (!content.empty())
        {
            use(number, content);
        }
    }
}

} // namespace dpdl
