// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/json.h"

#include "dpdl/base/quantity.h"

#include <cmath>
#include <cstdio>

namespace dpdl
{

std::string
JsonText(const std::string& text)
{
    std::string quoted = "\"";
    for (const char letter : text)
    {
        const auto code = static_cast<unsigned char>(letter);
        if (code < 0x20)
        {
            char escape[8];
            std::snprintf(escape, sizeof(escape), "\\u%04x", static_cast<unsigned int>(code));
            quoted += escape;
            continue;
        }
        if (letter == '"' || letter == '\\')
        {
            quoted += '\\';
        }
        quoted += letter;
    }
    return quoted + "\"";
}

std::string
JsonNumber(double value)
{
    if (std::isnan(value))
    {
        return "null";
    }
    if (std::isinf(value))
    {
        return value > 0.0 ? "\"inf\"" : "\"-inf\"";
    }
    return ShowNumber(value);
}

std::string
JsonNumber(const std::optional<double>& value)
{
    return value ? JsonNumber(*value) : "null";
}

} // namespace dpdl
