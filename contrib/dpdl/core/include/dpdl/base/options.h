// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_OPTIONS_H
#define DPDL_BASE_OPTIONS_H

#include "dpdl/base/codec.h"
#include "dpdl/base/registry.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace dpdl
{

/// Value of each given option, by its name; "" for an option that was given without a value.
using GivenOptions = std::map<std::string, std::string>;

/// One argument of a command line.
struct OptionArgument
{
    std::string name;                 ///< name, without leading dashes
    std::optional<std::string> value; ///< text after `=`; empty: the argument has no `=`
};

/// Splits an argument `--name=value` or `--name`. @throws UsageError for any other form
OptionArgument SplitArgument(const std::string& argument);

/// Throws the UsageError for a repeated option. @param argument its second occurrence, as given
[[noreturn]] void ThrowGivenTwice(const std::string& argument);

/// Accessor for OptionTable::Add(): member @p inner of the options' member @p outer.
template <typename Outer, typename Inner>
auto
Within(Outer outer, Inner inner)
{
    return [=](auto& options) -> auto&
    {
        return std::invoke(inner, std::invoke(outer, options));
    };
}

/// Accessor for OptionTable::Add(): a variable outside the struct of the options.
/// @param value variable; must outlive the table
template <typename V>
auto
Outside(V& value)
{
    return [&value](const auto& /* options */) -> V& { return value; };
}

/**
 * @brief Warns on standard error that a given name is deprecated.
 * @param what kind of name, such as `option`
 * @param former the given name
 * @param name the current name
 */
void WarnOfFormerName(const std::string& what, const std::string& former, const std::string& name);

/// Set of forms of a command, as a bit mask. Bit i stands for enumerator i of an enum such as
/// AccountForm. A form is one use of the command, with a separate set of accepted options.
using OptionForms = std::uint32_t;

/// Bit mask of the given forms of a command.
/// @param forms enumerators of one enum such as AccountForm, with values from 0 to 31
template <typename... Form>
constexpr OptionForms
FormsOf(Form... forms)
{
    return ((OptionForms{1} << static_cast<unsigned>(forms)) | ...);
}

/// Description of an option for help and errors.
struct OptionText
{
    std::string name;           ///< name, without leading dashes
    std::string accepted;       ///< description of the accepted values
    std::string meaning;        ///< meaning of the option, one line
    std::string defaultValue{}; ///< default, as written on a command line; "": none
    bool isFlag{false};         ///< true: the option is given without a value
    bool isList{false};         ///< true: the option may be repeated; each occurrence adds an item
    /// Bit mask (FormsOf()) of the forms that accept the option; default: all forms.
    OptionForms forms{~OptionForms{0}};
    OptionForms needed{0};    ///< bit mask of the forms that require the option; default: none
    std::string formerName{}; ///< former name, accepted for one version with a warning; "": none
    std::string alias{};      ///< another accepted name; "": none
    std::string group{};      ///< heading of the option in help; "": none

    /// Lines of this option in the help text: name, meaning, @p separator, accepted values, and the
    /// default @p shownDefault, which is "" if there is none.
    std::string Help(const std::string& separator, const std::string& shownDefault) const;

    /// JSON object with name, kind (flag, list or value), accepted values, default and meaning.
    std::string Json(const std::string& shownDefault) const;
};

/// Throws the UsageError for a flag with a value, or for another option without a value.
[[noreturn]] void ThrowBadForm(const std::string& argument, const OptionText& option);

/// Throws UsageError if @p form does not accept a given option, or needs one that is not given.
/// @param form bit mask of one form
/// @param because description of the form in the error, such as `with --schedule`
void CheckForm(const std::vector<const OptionText*>& options,
               const GivenOptions& given,
               OptionForms form,
               const std::string& because);

/**
 * @brief An option with the functions that store and show its value.
 * @tparam T struct that stores the values
 */
template <typename T>
struct OptionRow : OptionText
{
    std::function<void(T&, const std::string&)> set; ///< parses and stores; throws UsageError
    std::function<std::string(const T&)> show; ///< value as text; empty: the value is not shown

    /// Sets the default shown in help. By default it is the value in a default-constructed T.
    OptionRow& Default(const std::string& text)
    {
        defaultValue = text;
        return *this;
    }

    /// Sets the description of accepted values. By default it comes from the codec.
    OptionRow& Accepts(const std::string& text)
    {
        accepted = text;
        return *this;
    }

    /// Also accepts the option under its former name, with a warning.
    OptionRow& Formerly(const std::string& former)
    {
        formerName = former;
        return *this;
    }

    /// Also accepts the option under another name, without a warning.
    OptionRow& Also(const std::string& other)
    {
        alias = other;
        return *this;
    }

    /// Restricts the option to these forms of the command.
    OptionRow& For(OptionForms these)
    {
        forms = these;
        return *this;
    }

    /// Makes the option mandatory in these forms of the command, and removes its default from help.
    OptionRow& Needed(OptionForms these)
    {
        needed = these;
        return Default("");
    }
};

/**
 * @brief The options of a program, in the order in which help shows them.
 * @tparam T struct that stores the values
 */
template <typename T>
class OptionTable
{
  public:
    /// @param kind word for an option in the error for an unknown name, such as `option`
    explicit OptionTable(std::string kind = "option")
        : m_kind(std::move(kind))
    {
    }

    /**
     * @brief Adds an option.
     * @param name name, without leading dashes
     * @param codec codec of the value
     * @param member storage of the value: a pointer to a member of T, or a function from T& to a
     *        reference. The stored type is V or std::optional<V>
     * @param meaning meaning in one line, for Help()
     * @return the row, valid until the next call of Add()
     */
    template <typename V, typename Member>
    OptionRow<T>& Add(const std::string& name,
                      const Codec<V>& codec,
                      Member member,
                      const std::string& meaning = "")
    {
        OptionRow<T> option{{name, codec.accepted, meaning, "", codec.isFlag}, {}, {}};
        option.set = [name, parse = codec.parse, member](T& options, const std::string& text) {
            std::invoke(member, options) = parse(name, text);
        };
        if constexpr (std::is_invocable_v<Member, const T&>)
        {
            if (codec.show)
            {
                option.show = [show = codec.show, member](const T& options) {
                    return Shown(show, std::invoke(member, options));
                };
                option.defaultValue = option.show(Fresh());
            }
        }
        return Add(std::move(option));
    }

    /// Adds a repeatable text option. Occurrences append their text; an empty text clears the list.
    OptionRow<T>& AddList(const std::string& name,
                          const std::string& accepted,
                          std::vector<std::string> T::*member,
                          const std::string& meaning)
    {
        OptionRow<T> option{{name, accepted, meaning, "", false, true}, {}, {}};
        option.set = [member](T& options, const std::string& text) {
            text.empty() ? (options.*member).clear() : (options.*member).push_back(text);
        };
        option.show = [member](const T& options) { return JoinNames(options.*member, "; "); };
        return Add(std::move(option));
    }

    /// Sets the help heading of the options that are added after this call.
    void Group(const std::string& heading)
    {
        m_group = heading;
    }

    /// Adds a row. @return the added row, valid until the next call of Add()
    OptionRow<T>& Add(OptionRow<T> option)
    {
        option.group = m_group;
        m_options.push_back(std::move(option));
        return m_options.back();
    }

    /// The option with that name, former name or alias; nullptr if there is none.
    const OptionRow<T>* Find(const std::string& name) const
    {
        for (const OptionRow<T>& option : m_options)
        {
            if (!name.empty() &&
                (option.name == name || option.formerName == name || option.alias == name))
            {
                return &option;
            }
        }
        return nullptr;
    }

    /// All options, in the order of help.
    const std::vector<OptionRow<T>>& Options() const
    {
        return m_options;
    }

    /// Names of all options, in the order of help.
    std::vector<std::string> Names() const
    {
        return NamesIn(m_options);
    }

    /**
     * @brief Splits a command line.
     * @param arguments command line, without the program's name
     * @return the given values, by the current names of the options
     * @throws UsageError for an option that is unknown or given twice, for a flag with a value, and
     *         for any other option without a value
     */
    GivenOptions Split(const std::vector<std::string>& arguments) const
    {
        GivenOptions given;
        for (const std::string& argument : arguments)
        {
            const OptionArgument split = SplitArgument(argument);
            const OptionRow<T>* const option = Find(split.name);
            if (option == nullptr)
            {
                ThrowUnknownName(m_kind, split.name, Names());
            }
            if (split.value.has_value() == option->isFlag)
            {
                ThrowBadForm(argument, *option);
            }
            if (!given.emplace(option->name, split.value.value_or("")).second)
            {
                ThrowGivenTwice(argument);
            }
            if (option->formerName == split.name)
            {
                WarnOfFormerName("option", split.name, option->name);
            }
        }
        return given;
    }

    /// Stores given values in a struct, in the order of the table.
    /// @param given names and values, as from Split()
    /// @throws UsageError naming the option if a value is not accepted
    void Read(const GivenOptions& given, T& options) const
    {
        for (const OptionRow<T>& option : m_options)
        {
            const auto found = given.find(option.name);
            if (found != given.end())
            {
                option.set(options, found->second);
            }
        }
    }

    /**
     * @brief Checks that a form accepts all given options, and that no required option is missing.
     * @param given names and values of the given options
     * @param form enumerator of the form
     * @param because description of the form in the error, such as `with --schedule`
     * @throws UsageError naming the first option that is not accepted or is missing
     */
    template <typename Form>
    void Check(const GivenOptions& given, Form form, const std::string& because) const
    {
        std::vector<const OptionText*> options;
        for (const OptionRow<T>& option : m_options)
        {
            options.push_back(&option);
        }
        CheckForm(options, given, FormsOf(form), because);
    }

    /**
     * @brief Help text of every option.
     * @param separator text between the meaning of an option and its accepted values
     * @param usual options whose values are shown as defaults, if they differ from those of a
     *        default-constructed T
     */
    std::string Help(const std::string& separator = "; ", const T& usual = Fresh()) const
    {
        std::string text;
        std::string group;
        for (const OptionRow<T>& option : m_options)
        {
            if (option.group != group)
            {
                group = option.group;
                text += "\n" + group + ":\n";
            }
            text += option.Help(separator, DefaultOf(option, usual));
        }
        return text;
    }

    /// All options as JSON objects, separated by commas. @param usual as for Help()
    std::string Json(const T& usual = Fresh()) const
    {
        std::string text;
        for (const OptionRow<T>& option : m_options)
        {
            text += (text.empty() ? "" : ",\n ") + option.Json(DefaultOf(option, usual));
        }
        return text;
    }

  private:
    static std::string DefaultOf(const OptionRow<T>& option, const T& usual)
    {
        const bool isOwn = option.show && option.show(usual) != option.show(Fresh());
        return isOwn ? option.show(usual) : option.defaultValue;
    }

    static const T& Fresh()
    {
        static const T fresh;
        return fresh;
    }

    template <typename V>
    static std::string Shown(const std::function<std::string(const V&)>& show, const V& value)
    {
        return show(value);
    }

    template <typename V>
    static std::string Shown(const std::function<std::string(const V&)>& show,
                             const std::optional<V>& value)
    {
        return value.has_value() ? show(*value) : "";
    }

    std::string m_group{}; ///< help heading of the options that Add() appends; "": none
    std::string m_kind;    ///< word for an option in errors
    std::vector<OptionRow<T>> m_options; ///< options, in the order of help
};

} // namespace dpdl

#endif // DPDL_BASE_OPTIONS_H
