// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/options.h"

namespace dpdl
{

std::string
OptionTitle(const std::string& name)
{
    return "option '" + name + "'";
}

OptionArgument
SplitArgument(const std::string& argument)
{
    if (argument.rfind("--", 0) != 0)
    {
        throw UsageError("argument", argument, "options of the form --name=value");
    }
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos)
    {
        return {argument.substr(2), std::nullopt};
    }
    return {argument.substr(2, equals - 2), argument.substr(equals + 1)};
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
JoinItems(const std::vector<std::string>& items)
{
    std::string text;
    for (const std::string& item : items)
    {
        text += (text.empty() ? "" : "; ") + item;
    }
    return text;
}

Codec<std::string>
AnyText(const std::string& accepted)
{
    return {accepted,
            [](const std::string& /* name */, const std::string& text) { return text; },
            [](const std::string& value) { return value; }};
}

Codec<std::string>
SomeText(const std::string& accepted)
{
    Codec<std::string> codec = AnyText(accepted);
    codec.parse = [accepted](const std::string& name, const std::string& text) {
        if (text.empty())
        {
            throw UsageError(OptionTitle(name), text, accepted);
        }
        return text;
    };
    return codec;
}

Codec<bool>
Flag()
{
    const Codec<bool> words = OneOf<bool>({{"true", true}, {"false", false}}, true);
    return {"no value",
            [words](const std::string& name, const std::string& text) {
                return text.empty() || words.parse(name, text);
            },
            words.show,
            true};
}

Codec<double>
Number(const std::string& accepted, std::function<bool(double)> fits)
{
    return {accepted,
            [=](const std::string& name, const std::string& text) {
                return ParseNumber(OptionTitle(name), text, accepted, fits);
            },
            ShowNumber};
}

Codec<double>
PositiveNumber()
{
    return Number("a finite number > 0", [](double value) { return value > 0.0; });
}

Codec<double>
InsideUnit()
{
    return Number("a number in (0, 1)", [](double value) { return value > 0.0 && value < 1.0; });
}

Codec<double>
Quantity(const std::string& accepted,
         double (*parse)(const std::string& what, const std::string& text),
         const std::string& unit)
{
    return {accepted,
            [parse](const std::string& name, const std::string& text) {
                return parse(OptionTitle(name), text);
            },
            [unit](double value) { return ShowNumber(value) + unit; }};
}

std::string
OptionText::Help(const std::string& separator, const std::string& shownDefault) const
{
    return "  --" + name + (isFlag ? "" : "=...") + "\n      " + meaning +
           (accepted.empty() ? "" : separator + accepted) +
           (shownDefault.empty() ? "" : "; default: " + shownDefault) + "\n";
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
        if (found == given.end() && (option->needed & form) != 0)
        {
            throw UsageError(OptionTitle(option->name) + " is missing " + because +
                             "; expected --" + option->name + "=VALUE, " + option->accepted);
        }
    }
}

} // namespace dpdl
