// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/text.h"

namespace dpdl
{

std::string
Strip(const std::string& text)
{
    const std::size_t first = text.find_first_not_of(" \t\r");
    const std::size_t last = text.find_last_not_of(" \t\r");
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::string
Excerpt(const std::string& text)
{
    constexpr std::size_t longest = 60;
    std::string excerpt = text.substr(0, longest);
    for (char& letter : excerpt)
    {
        letter = letter >= ' ' && letter <= '~' ? letter : '?';
    }
    return text.size() > longest ? excerpt + "..." : excerpt;
}

} // namespace dpdl
