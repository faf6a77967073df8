// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "content-lines.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/text.h"

#include <istream>

namespace dpdl
{

std::ifstream
OpenGraphFile(const std::string& kind, const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
    {
        throw UsageError(kind, path, "the path of a file that can be read");
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
