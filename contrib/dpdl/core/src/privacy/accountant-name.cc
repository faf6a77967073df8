// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/accountant-name.h"

#include "dpdl/base/options.h"

#include <map>
#include <utility>

namespace dpdl
{

std::string
CurrentAccountant(const std::string& name)
{
    static const std::map<std::string, std::string> CURRENT{{"optimal", "optimal-composition"},
                                                            {"pure", "basic"}};
    const auto found = CURRENT.find(name);
    return found == CURRENT.end() ? name : found->second;
}

Codec<std::string>
AccountantName(Codec<std::string> codec)
{
    codec.parse = [parse = codec.parse](const std::string& name, const std::string& text) {
        const std::string given = parse(name, text);
        std::string current = CurrentAccountant(given);
        if (current != given)
        {
            WarnOfFormerName("option '" + name + "':", given, current);
        }
        return current;
    };
    return codec;
}

} // namespace dpdl
