// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/input-file.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include <filesystem>
#include <istream>

namespace dpdl
{

namespace
{

/// Moves the read position of a new file past a UTF-8 byte order mark.
/// @param place name of the file and line, for errors
/// @throws UsageError for UTF-16 and gzip
void
SkipByteOrderMark(std::ifstream& file, const std::string& place)
{
    std::string start(3, '\0');
    file.read(start.data(), static_cast<std::streamsize>(start.size()));
    start.resize(static_cast<std::size_t>(file.gcount()));
    file.clear();
    const auto begins = [&start](const char* mark) { return start.rfind(mark, 0) == 0; };
    DPDL_REFUSE_IF(begins("\xff\xfe") || begins("\xfe\xff"), place, "UTF-16", "text in UTF-8");
    DPDL_REFUSE_IF(begins("\x1f\x8b"), place, "gzip", "text that is not compressed");
    file.seekg(begins("\xef\xbb\xbf") ? 3 : 0);
}

} // namespace

std::ifstream
OpenInputFile(const std::string& kind,
              const std::string& path,
              const std::string& accepted,
              bool mayBeEmpty)
{
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    DPDL_REFUSE_IF(fs::exists(status) && !fs::is_regular_file(status),
                   kind,
                   path,
                   "a regular file, not a folder, a device or a pipe");
    const std::uint64_t bytes = fs::exists(status) ? fs::file_size(path, error) : 0;
    DPDL_REFUSE_IF(!error && bytes > LARGEST_INPUT_FILE,
                   kind,
                   path,
                   "a file of at most " + std::to_string(LARGEST_INPUT_FILE >> 20U) + " MiB, not " +
                       std::to_string(bytes >> 20U) + " MiB");
    std::ifstream file(path, std::ios::binary);
    if (file)
    {
        SkipByteOrderMark(file, kind + " '" + path + "', line 1");
    }
    DPDL_REFUSE_IF(!file || (!mayBeEmpty && file.peek() == std::ifstream::traits_type::eof()),
                   kind,
                   path,
                   accepted);
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

std::string
WarnOfTimes(const InputTimes& times, double end)
{
    if (times.last <= 0.0 || (times.last >= end && times.first <= end / 2.0))
    {
        return "";
    }
    return times.file + " has times from " + ShowRounded(times.first, 6) + "s to " +
           ShowRounded(times.last, 6) + "s, but the run lasted from 0s to " + ShowRounded(end, 6) +
           "s; " + times.shift + " shifts them";
}

} // namespace dpdl
