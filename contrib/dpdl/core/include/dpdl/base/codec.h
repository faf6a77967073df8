// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_CODEC_H
#define DPDL_BASE_CODEC_H

#include "dpdl/base/quantity.h"
#include "dpdl/base/registry.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// Name of an option in error messages: `option 'NAME'`.
std::string OptionTitle(const std::string& name);

/**
 * @brief Parser and formatter for the values of one kind of option.
 * @tparam V type of the value
 */
template <typename V>
struct Codec
{
    std::string accepted; ///< description of the accepted values, for help and for errors
    /// Parses @p text, the value of option @p name.
    /// @throws UsageError naming the option
    std::function<V(const std::string& name, const std::string& text)> parse;
    /// Formats a value as text that parse() accepts; empty: the value is not shown.
    std::function<std::string(const V&)> show;
    bool isFlag{false}; ///< true: the option is given without a value
};

/// Accepted words, each with its value.
template <typename V>
using Choices = std::vector<std::pair<std::string, V>>;

/**
 * @brief Finds the value of a word.
 * @param what name of the option or field in the error message
 * @param text word to look up
 * @param choices accepted words with their values
 * @return the value of the word, a reference into @p choices
 * @throws UsageError for an unknown word; the message suggests the nearest accepted one
 */
template <typename V>
const V&
ChoiceOf(const std::string& what, const std::string& text, const Choices<V>& choices)
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
    ThrowUnknownName(what, text, words);
}

/// Accepts any text.
/// @param accepted description of the text for help
Codec<std::string> AnyText(const std::string& accepted);

/// Accepts any nonempty text.
/// @param accepted description of the text for help and errors
Codec<std::string> SomeText(const std::string& accepted);

/// A Boolean option. Without a value it is true; the values `true` and `false` are also accepted.
Codec<bool> Flag();

/// A finite number for which @p fits returns true.
/// @param accepted description of these numbers
Codec<double> Number(const std::string& accepted, std::function<bool(double)> fits);

/// A finite number > 0.
Codec<double> PositiveNumber();

/// A number in (0, 1).
Codec<double> InsideUnit();

/// A number in [LEAST_DELTA, 1).
Codec<double> Delta();

/// A number with a unit, such as a time or a data rate.
/// @param accepted description of the values
/// @param parse returns the number in @p unit, or throws UsageError; @p what names the option
/// @param unit unit of the number, shown after it
Codec<double> Quantity(const std::string& accepted,
                       double (*parse)(const std::string& what, const std::string& text),
                       const std::string& unit = "");

/// An integer in [@p low, @p high].
template <typename V = std::uint64_t>
Codec<V>
WholeNumber(std::uint64_t low, std::uint64_t high)
{
    return {"a whole number from " + std::to_string(low) + " to " + std::to_string(high),
            [=](const std::string& name, const std::string& text) {
                return static_cast<V>(ParseInteger(OptionTitle(name), text, low, high));
            },
            [](const V& value) { return std::to_string(value); }};
}

/// A value of @p choices, given by its word.
/// @param isTitled true: errors say `option 'NAME'`; false: they say NAME
template <typename V>
Codec<V>
OneOf(const Choices<V>& choices, bool isTitled = false)
{
    std::vector<std::string> words;
    for (const auto& choice : choices)
    {
        words.push_back(choice.first);
    }
    const auto parse = [=](const std::string& name, const std::string& text) {
        return ChoiceOf(isTitled ? OptionTitle(name) : name, text, choices);
    };
    const auto show = [choices](const V& shown) -> std::string {
        for (const auto& [word, value] : choices)
        {
            if (value == shown)
            {
                return word;
            }
        }
        return "";
    };
    return {JoinNames(words), parse, show};
}

/// An entry of a registry, given by its name. V needs operator==.
/// @param registry registry; must outlive the codec
template <typename V>
Codec<V>
Registered(const Registry<V>& registry)
{
    return {JoinNames(registry.Names()),
            [&registry](const std::string&, const std::string& text) { return registry.Get(text); },
            [&registry](const V& value) { return registry.NameOf(value); }};
}

/// An option that is given without a value and then has the value @p value.
template <typename V>
Codec<V>
Switch(const V& value)
{
    return {"", [value](const std::string&, const std::string&) { return value; }, {}, true};
}

/// Default upper limit of Count(), 2^32 - 1. Help does not show this limit.
inline constexpr std::uint64_t MOST_COUNTED = std::numeric_limits<std::uint32_t>::max();

/// An integer in [@p low, @p most].
/// @param zeroName word that users may give for 0, even if @p low is above 0; empty: none
template <typename V>
Codec<V>
Count(std::uint64_t low, const std::string& zeroName = "", std::uint64_t most = MOST_COUNTED)
{
    const std::string range = most == MOST_COUNTED
                                  ? ">= " + std::to_string(low)
                                  : "from " + std::to_string(low) + " to " + std::to_string(most);
    return {(zeroName.empty() ? "" : zeroName + ", or ") + "a whole number " + range,
            [=](const std::string& name, const std::string& text) {
                return !zeroName.empty() && text == zeroName
                           ? V{0}
                           : static_cast<V>(ParseInteger(OptionTitle(name), text, low, most));
            },
            [zeroName](const V& value) {
                return value == 0 && !zeroName.empty() ? zeroName : std::to_string(value);
            }};
}

/// An optional value of @p codec.
/// @param noneName word for no value
/// @param isNoneAccepted false: users cannot give @p noneName, but help shows it
template <typename V>
Codec<std::optional<V>>
Maybe(const std::string& noneName, const Codec<V>& codec, bool isNoneAccepted = true)
{
    const std::string accepted = (isNoneAccepted ? noneName + ", or " : "") + codec.accepted;
    return {accepted,
            [=](const std::string& name, const std::string& text) {
                return isNoneAccepted && text == noneName
                           ? std::optional<V>()
                           : std::optional<V>(codec.parse(name, text));
            },
            [noneName, show = codec.show](const std::optional<V>& value) {
                return value.has_value() ? show(*value) : noneName;
            }};
}

} // namespace dpdl

#endif // DPDL_BASE_CODEC_H
