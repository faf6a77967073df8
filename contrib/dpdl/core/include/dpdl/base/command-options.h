// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_COMMAND_OPTIONS_H
#define DPDL_BASE_COMMAND_OPTIONS_H

#include "dpdl/base/quantity.h"
#include "dpdl/base/registry.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// Options as they were given: name and value, "" for one that stands alone.
using GivenOptions = std::map<std::string, std::string>;

/// What error messages call an option.
std::string OptionTitle(const std::string& name);

/**
 * @brief Splits arguments of the form `--name=value`, and `--name` for options that stand alone.
 * @param arguments without the program's name
 * @param acceptedBy what the option of a name accepts, "" for one that stands alone; throws for a
 *        name that is unknown
 * @throws UsageError for an argument of another form, and for an option that is given twice
 */
GivenOptions SplitOptions(const std::vector<std::string>& arguments,
                          const std::function<std::string(const std::string&)>& acceptedBy);

/**
 * @brief Reads an option that takes one of some words.
 * @return what the word stands for
 * @throws UsageError for any other word; the nearest one is offered
 */
template <typename T>
const T&
ChoiceOf(const std::string& name,
         const std::string& text,
         const std::vector<std::pair<std::string, T>>& choices)
{
    std::vector<std::string> words;
    for (const auto& [word, value] : choices)
    {
        if (word == text)
        {
            return value;
        }
        words.push_back(word);
    }
    ThrowUnknownName(name, text, words);
}

/**
 * @brief What sets a number of a request for which @p fits holds.
 * @param name of the option
 * @param accepted what an error says would be accepted
 * @param fits tells whether a number is in range
 * @param member a member of the request, or a function from the request to a reference
 */
template <typename Fits, typename Member>
auto
RealSetter(const std::string& name, const std::string& accepted, Fits fits, Member member)
{
    return [=](auto& request, const std::string& text) {
        std::invoke(member, request) = ParseNumber(OptionTitle(name), text, accepted, fits);
    };
}

/// What sets a whole number of a request, from @p low to @p high; @p member as in RealSetter().
template <typename Member>
auto
CountSetter(const std::string& name, std::uint64_t low, std::uint64_t high, Member member)
{
    return [=](auto& request, const std::string& text) {
        std::invoke(member, request) = ParseInteger(OptionTitle(name), text, low, high);
    };
}

/**
 * @brief The options of a program.
 * @tparam Request what the options are written to
 * @tparam Form tells what the program is asked for; options go with some forms only
 */
template <typename Request, typename Form>
class CommandOptions
{
  public:
    /// One option.
    struct Option
    {
        std::string name;         ///< without dashes
        std::string accepted;     ///< what it takes; "" for one that stands alone
        std::string meaning;      ///< one line
        std::string defaultValue; ///< as text; "" for none
        std::set<Form> forms;     ///< those that it goes with
        std::set<Form> needed;    ///< those that cannot do without
        /// Puts a value into the request; throws UsageError.
        std::function<void(Request&, const std::string&)> set;
    };

    /// @param options in the order in which help shows them
    explicit CommandOptions(std::vector<Option> options)
        : m_options(std::move(options))
    {
    }

    /// Splits a command line, as SplitOptions() does.
    GivenOptions Split(const std::vector<std::string>& arguments) const
    {
        return SplitOptions(arguments,
                            [this](const std::string& name) { return Named(name).accepted; });
    }

    /// Puts what was given into the request, in the order of the table; throws UsageError.
    void Read(const GivenOptions& given, Request& request) const
    {
        for (const Option& option : m_options)
        {
            const auto found = given.find(option.name);
            if (found != given.end())
            {
                option.set(request, found->second);
            }
        }
    }

    /**
     * @brief Refuses options that do not go with the form, and misses those that it needs.
     * @param given the options
     * @param form what is asked for
     * @param because the option that says so, such as `with --schedule`
     */
    void Check(const GivenOptions& given, Form form, const std::string& because) const
    {
        std::vector<std::string> known;
        for (const Option& option : m_options)
        {
            if (option.forms.count(form) != 0)
            {
                known.push_back(option.name);
            }
        }
        for (const Option& option : m_options)
        {
            const auto found = given.find(option.name);
            if (found != given.end() && option.forms.count(form) == 0)
            {
                const std::string& value = found->second;
                throw UsageError(OptionTitle(option.name),
                                 value.empty() ? "--" + option.name : value,
                                 because + " only: " + JoinNames(known));
            }
            if (found == given.end() && option.needed.count(form) != 0)
            {
                throw UsageError(OptionTitle(option.name) + " is missing " + because +
                                 "; expected --" + option.name + "=VALUE, " + option.accepted);
            }
        }
    }

    /// What help says of every option.
    std::string Help() const
    {
        std::string text;
        for (const Option& option : m_options)
        {
            const bool alone = option.accepted.empty();
            text += "  --" + option.name + (alone ? "" : "=...") + "\n      " + option.meaning;
            text += alone ? "" : "; " + option.accepted;
            text += option.defaultValue.empty() ? "" : "; default: " + option.defaultValue;
            text += "\n";
        }
        return text;
    }

  private:
    const Option& Named(const std::string& name) const
    {
        std::vector<std::string> names;
        for (const Option& option : m_options)
        {
            if (option.name == name)
            {
                return option;
            }
            names.push_back(option.name);
        }
        ThrowUnknownName("option", name, names);
    }

    std::vector<Option> m_options; ///< in the order of help
};

} // namespace dpdl

#endif // DPDL_BASE_COMMAND_OPTIONS_H
