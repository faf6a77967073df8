// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "content-lines.h"

#include "dpdl/base/text.h"

#include <istream>

namespace dpdl
{

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
