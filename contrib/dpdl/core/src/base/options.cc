// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/options.h"

#include "dpdl/base/json.h"

#include <iostream>

namespace dpdl
{

OptionArgument
SplitArgument(const std::string& argument)
{
    DPDL_REFUSE_IF(argument.rfind("--", 0) != 0,
                   "argument",
                   argument,
                   "options of the form --name=value");
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos)
    {
        return {argument.substr(2), std::nullopt};
    }
    return {argument.substr(2, equals - 2), argument.substr(equals + 1)};
}

void
WarnOfFormerName(const std::string& what, const std::string& former, const std::string& name)
{
    std::cerr << "warning: " << what << " '" << former << "' is now called '" << name
              << "'; the old name works for one version\n";
}

void
ThrowGivenTwice(const std::string& argument)
{
    throw UsageError("argument", argument, "every option once");
}

void
ThrowBadForm(const std::string& argument, const OptionText& option)
{
    throw UsageError("argument",
                     argument,
                     option.isFlag ? "--" + option.name + " without a value"
                                   : "--" + option.name + "=VALUE, " + option.accepted);
}

std::string
OptionText::Help(const std::string& separator, const std::string& shownDefault) const
{
    return "  --" + name + (isFlag ? "" : "=...") + "\n      " + meaning +
           (accepted.empty() ? "" : separator + accepted) +
           (shownDefault.empty() ? "" : "; default: " + shownDefault) + "\n";
}

std::string
OptionText::Json(const std::string& shownDefault) const
{
    return "{\"name\": " + JsonText(name) + ", \"kind\": \"" +
           (isFlag   ? "flag"
            : isList ? "list"
                     : "value") +
           "\", \"accepted\": " + JsonText(accepted) + ", \"default\": " + JsonText(shownDefault) +
           ", \"meaning\": " + JsonText(meaning) + "}";
}

void
CheckForm(const std::vector<const OptionText*>& options,
          const GivenOptions& given,
          OptionForms form,
          const std::string& because)
{
    std::vector<std::string> known;
    for (const OptionText* const option : options)
    {
        if ((option->forms & form) != 0)
        {
            known.push_back(option->name);
        }
    }
    for (const OptionText* const option : options)
    {
        const auto found = given.find(option->name);
        if (found != given.end() && (option->forms & form) == 0)
        {
            const std::string& value = found->second;
            throw UsageError(OptionTitle(option->name),
                             value.empty() ? "--" + option->name : value,
                             because + " only: " + JoinNames(known));
        }
        DPDL_REFUSE_IF(found == given.end() && (option->needed & form) != 0,
                       OptionTitle(option->name) + " is missing " + because + "; expected --" +
                           option->name + "=VALUE, " + option->accepted);
    }
}

} // namespace dpdl
