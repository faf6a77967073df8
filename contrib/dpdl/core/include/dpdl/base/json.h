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

/// @p text as a JSON string, quotes included; control characters are escaped, and bytes that are not
/// UTF-8 become U+FFFD.
std::string JsonText(const std::string& text);

/**
 * @brief A number as the programs' JSON has it.
 * @return the shortest text that reads back as the same double; JSON has no infinity, which becomes
 *         the string "inf" or "-inf", and no NaN, which becomes null
 */
std::string JsonNumber(double value);

/// The same, null where there is no number.
std::string JsonNumber(const std::optional<double>& value);

/// A value of a JSON text (RFC 8259), and where it is.
struct JsonValue
{
    using List = std::vector<JsonValue>;
    using Object = std::vector<std::pair<std::string, JsonValue>>;

    /// null, a truth value, a number, a text in UTF-8, a list, or an object in the text's order.
    std::variant<std::nullptr_t, bool, double, std::string, List, Object> value{nullptr};
    std::size_t line{1}; ///< where it begins, from 1

    /// A JSON type as messages name it: null, true or false, number, text, list, object.
    const char* TypeName() const;

    /// The member of that name; null if this is no object, or has none.
    const JsonValue* Find(const std::string& name) const;
};

/// Deepest nesting of lists and objects that is accepted.
inline constexpr std::size_t DEEPEST_JSON = 64;

/**
 * @brief Reads a JSON text.
 * @param text all of it; names in an object differ
 * @param place how errors name it, for example `model file 'NET.json'`
 * @throws UsageError naming place, line and column, if it is no JSON text, has a name twice in an
 *         object, or is deeper than DEEPEST_JSON
 */
JsonValue ParseJson(const std::string& text, const std::string& place);

} // namespace dpdl

#endif // DPDL_BASE_JSON_H
