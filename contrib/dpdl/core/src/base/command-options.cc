// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/command-options.h"

namespace dpdl
{

namespace
{

/// An option that stands alone has a value, or another one has none.
[[noreturn]] void
ThrowBadForm(const std::string& argument, const std::string& name, const std::string& accepted)
{
    throw UsageError("argument",
                     argument,
                     accepted.empty() ? "--" + name + " without a value"
                                      : "--" + name + "=VALUE, " + accepted);
}

} // namespace

std::string
OptionTitle(const std::string& name)
{
    return "option '" + name + "'";
}

GivenOptions
SplitOptions(const std::vector<std::string>& arguments,
             const std::function<std::string(const std::string&)>& acceptedBy)
{
    GivenOptions given;
    for (const std::string& argument : arguments)
    {
        if (argument.rfind("--", 0) != 0)
        {
            throw UsageError("argument", argument, "options of the form --name=value");
        }
        const std::size_t equals = argument.find('=');
        const bool hasValue = equals != std::string::npos;
        const std::string name = argument.substr(2, hasValue ? equals - 2 : equals);
        const std::string accepted = acceptedBy(name);
        if (hasValue == accepted.empty())
        {
            ThrowBadForm(argument, name, accepted);
        }
        if (!given.emplace(name, hasValue ? argument.substr(equals + 1) : "").second)
        {
            throw UsageError("argument", argument, "every option once");
        }
    }
    return given;
}

} // namespace dpdl
