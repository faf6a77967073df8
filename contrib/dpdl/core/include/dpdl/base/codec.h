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

/// Text for an option in error messages: `option 'NAME'`.
std::string OptionTitle(const std::string& name);

/**
 * @brief Parses and formats values of one kind of option.
 * @tparam V type of the value
 */
template <typename V>
struct Codec
{
    std::string accepted; ///< accepted values, for help and for errors
    /// Parses the text of the option with that name; throws UsageError.
    std::function<V(const std::string& name, const std::string& text)> parse;
    std::function<std::string(const V&)> show; ///< inverse of parse; empty if not needed
    bool isFlag{false};                        ///< true: the option needs no value
};

/// Accepted words, each with the value that it stands for.
template <typename V>
using Choices = std::vector<std::pair<std::string, V>>;

/**
 * @brief Finds the value of a word.
 * @param what name of the value in the error message
 * @param text the word
 * @param choices accepted words with their values
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

/// Any text, without checks. @param accepted description of it for help
Codec<std::string> AnyText(const std::string& accepted);

/// Any text but an empty one, without further checks.
Codec<std::string> SomeText(const std::string& accepted);

/// A Boolean: an option without a value is true; the texts `true` and `false` are also parsed.
Codec<bool> Flag();

/// A finite number for which @p fits holds. @param accepted description of these numbers
Codec<double> Number(const std::string& accepted, std::function<bool(double)> fits);

/// A finite number > 0.
Codec<double> PositiveNumber();

/// A number in (0, 1).
Codec<double> InsideUnit();

/// A number in [LEAST_DELTA, 1).
Codec<double> Delta();

/// A number with a unit, such as a time or a data rate. @param parse parses the text of option @p
/// what, and throws UsageError @param unit unit that is shown after the number
Codec<double> Quantity(const std::string& accepted,
                       double (*parse)(const std::string& what, const std::string& text),
                       const std::string& unit = "");

/// An integer from @p low to @p high.
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

/// One of a set of words. @param isTitled true: errors say `option 'NAME'`; false: NAME
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

/// An entry of a registry, given by its name. @param registry must outlive the codec
template <typename V>
Codec<V>
Registered(const Registry<V>& registry)
{
    return {JoinNames(registry.Names()),
            [&registry](const std::string&, const std::string& text) { return registry.Get(text); },
            [&registry](const V& value) { return registry.NameOf(value); }};
}

/// An option that takes no value; if it is given, its value is @p value.
template <typename V>
Codec<V>
Switch(const V& value)
{
    return {"", [value](const std::string&, const std::string&) { return value; }, {}, true};
}

/// Default upper limit of Count(), 2^32 - 1; help then shows only the lower limit.
inline constexpr std::uint64_t MOST_COUNTED = std::numeric_limits<std::uint32_t>::max();

/// An integer from @p low to @p most. @param zeroName text that users write for 0; empty: none
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

/// A value of @p codec, or none. @param noneName text for no value. @param isNoneAccepted false:
/// users cannot give this text, but it is shown
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
