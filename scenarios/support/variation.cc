// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "variation.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/text.h"

#include <algorithm>
#include <array>

namespace
{

constexpr const char* ACCEPTED =
    "OPTION=VALUE,VALUE,... with an option of learn; semicolons between values that hold commas";

/// They tell runs apart or say what is shown: variants share them, or have none.
constexpr std::array<const char*, 5> FIXED{"overwrite", "progress", "run", "seed", "trace"};

/// The parts of a text between separators outside of brackets, without blanks at their ends.
std::vector<std::string>
Parts(const std::string& text, char separator)
{
    std::vector<std::string> parts{""};
    int depth = 0;
    for (const char c : text)
    {
        const bool opens = c == '(' || c == '{' || c == '[';
        const bool closes = c == ')' || c == '}' || c == ']';
        depth += opens ? 1 : (closes ? -1 : 0);
        if (c == separator && depth <= 0)
        {
            parts.emplace_back();
        }
        else
        {
            parts.back() += c;
        }
    }
    std::transform(parts.begin(), parts.end(), parts.begin(), dpdl::Strip);
    return parts;
}

/// Length of the option's name at the beginning of `NAME=VALUE`, else 0.
std::size_t
NameLength(const std::string& text)
{
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
    {
        return 0;
    }
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(equals), isLetter)
               ? equals
               : 0;
}

/// Refuses an option that cannot vary, and a value that it does not take.
void
Check(const std::string& option, const std::string& value)
{
    if (std::find(FIXED.begin(), FIXED.end(), option) != FIXED.end())
    {
        throw dpdl::UsageError("option 'vary': '" + option +
                               "' cannot vary: variants are compared where it is the same");
    }
    try
    {
        dpdl::RunSettings scratch;
        dpdl::SetOption(scratch, option, value);
    }
    catch (const dpdl::UsageError& error)
    {
        throw dpdl::UsageError("option 'vary': " + std::string(error.what()));
    }
}

/// One alternative. @param usual the option of values without a name; empty: there is none
Change
ReadChange(const std::string& text, const std::string& usual)
{
    Change change;
    for (const std::string& part : Parts(text, '&'))
    {
        const std::size_t length = NameLength(part);
        const std::string name = part.substr(0, length);
        const bool isNamed = length > 0 && (usual.empty() || !change.options.empty() ||
                                            dpdl::FindOption(dpdl::LearningOptions(), name));
        const std::string option = isNamed ? name : usual;
        const std::string value = isNamed ? dpdl::Strip(part.substr(length + 1)) : part;
        if (option.empty() || value.empty())
        {
            throw dpdl::UsageError("option 'vary'", text, ACCEPTED);
        }
        Check(option, value);
        change.name +=
            (change.name.empty() ? "" : " & ") + (option == "fail" ? value : option + " " + value);
        change.options.emplace_back(option, value);
    }
    return change;
}

/// All combinations of one change of each list.
std::vector<Change>
Crossed(const std::vector<std::vector<Change>>& lists)
{
    std::vector<Change> crossed{{}};
    for (const std::vector<Change>& list : lists)
    {
        std::vector<Change> longer;
        for (const Change& change : crossed)
        {
            for (const Change& next : list)
            {
                Change both = change;
                both.name += (both.name.empty() ? "" : " & ") + next.name;
                both.options.insert(both.options.end(), next.options.begin(), next.options.end());
                longer.push_back(std::move(both));
            }
        }
        crossed = std::move(longer);
    }
    return crossed;
}

} // namespace

std::vector<Change>
ReadVariation(const std::string& text)
{
    const bool hasSemicolons = text.find(';') != std::string::npos;
    std::vector<std::string> parts = Parts(text, hasSemicolons ? ';' : ',');
    if (hasSemicolons && parts.back().empty())
    {
        parts.pop_back();
    }
    std::vector<Change> changes;
    for (const std::string& part : parts)
    {
        changes.push_back(
            ReadChange(part, changes.empty() ? "" : changes.front().options.front().first));
    }
    if (changes.empty())
    {
        throw dpdl::UsageError("option 'vary'", text, ACCEPTED);
    }
    return changes;
}

std::vector<Change>
ChangesOf(const std::vector<std::vector<Change>>& lists, bool crossed)
{
    if (crossed && !lists.empty())
    {
        return Crossed(lists);
    }
    std::vector<Change> changes;
    for (const std::vector<Change>& list : lists)
    {
        changes.insert(changes.end(), list.begin(), list.end());
    }
    return changes;
}
