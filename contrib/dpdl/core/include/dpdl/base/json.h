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

/// A JSON list of JSON strings.
std::string JsonTexts(const std::vector<std::string>& texts);

/**
 * @brief Formats a number for JSON output.
 * @return the shortest text that parses to the same double. Infinity becomes the string "inf" or
 *         "-inf", and NaN becomes null, because JSON has neither
 */
std::string JsonNumber(double value);

/// Formats an optional number; `null` if @p value is empty.
std::string JsonNumber(const std::optional<double>& value);

/// A value in a JSON text (RFC 8259), and its line.
struct JsonValue
{
    using List = std::vector<JsonValue>;
    using Object = std::vector<std::pair<std::string, JsonValue>>;

    /// One of: null, a Boolean, a number, a UTF-8 text, a list, or an object with its members in
    /// the order of the text.
    std::variant<std::nullptr_t, bool, double, std::string, List, Object> value{nullptr};
    std::size_t line{1}; ///< number of the line in which the value starts, from 1

    /// Name of the value's type in messages: `null`, `true or false`, `number`, `text`, `list` or
    /// `object`.
    const char* TypeName() const;

    /// Member of this object with that name; nullptr if there is none, or if this value is not an
    /// object.
    const JsonValue* Find(const std::string& name) const;
};

/// Largest accepted nesting depth of lists and objects.
inline constexpr std::size_t DEEPEST_JSON = 64;

/**
 * @brief Reads a JSON text.
 * @param text the whole text; names within an object must differ
 * @param place name of the text in errors, for example `model file 'NET.json'`
 * @throws UsageError naming place, line and column if the text is not valid JSON, an object repeats
 *         a name, or the nesting exceeds DEEPEST_JSON
 */
JsonValue ParseJson(const std::string& text, const std::string& place);

} // namespace dpdl

#endif // DPDL_BASE_JSON_H
