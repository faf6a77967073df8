// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_JSON_H
#define DPDL_BASE_JSON_H

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace dpdl
{

/// @p text as a JSON string, including quotes. Control characters are escaped, and invalid UTF-8
/// bytes become U+FFFD.
std::string JsonText(const std::string& text);

/**
 * @brief Formats a number for the programs' JSON.
 * @return the shortest text that parses to the same double. JSON has no infinity, which becomes the
 *         string "inf" or "-inf", and no NaN, which becomes null
 */
std::string JsonNumber(double value);

/// Formats an optional number; null without a value.
std::string JsonNumber(const std::optional<double>& value);

/// A value of a JSON text (RFC 8259) and its line.
struct JsonValue
{
    using List = std::vector<JsonValue>;
    using Object = std::vector<std::pair<std::string, JsonValue>>;

    /// null, a boolean, a number, a UTF-8 text, a list, or an object in the order of the text.
    std::variant<std::nullptr_t, bool, double, std::string, List, Object> value{nullptr};
    std::size_t line{1}; ///< first line of the value, from 1

    /// Name of the JSON type in messages: null, true or false, number, text, list, object.
    const char* TypeName() const;

    /// Member with that name; null if this is not an object or has no such member.
    const JsonValue* Find(const std::string& name) const;
};

/// Largest accepted nesting depth of lists and objects.
inline constexpr std::size_t DEEPEST_JSON = 64;

/**
 * @brief Reads a JSON text.
 * @param text the whole text; names within an object must differ
 * @param place name of the text in errors, for example `model file 'NET.json'`
 * @throws UsageError naming place, line and column if it is not valid JSON, an object repeats a
 *         name, or it is deeper than DEEPEST_JSON
 */
JsonValue ParseJson(const std::string& text, const std::string& place);

} // namespace dpdl

#endif // DPDL_BASE_JSON_H
