// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_JSON_H
#define DPDL_BASE_JSON_H

#include <optional>
#include <string>

namespace dpdl
{

/// @p text as a JSON string, quotes included; control characters are escaped.
std::string JsonText(const std::string& text);

/**
 * @brief A number as the programs' JSON has it.
 * @return the shortest text that reads back as the same double; JSON has no infinity, which becomes
 *         the string "inf" or "-inf", and no NaN, which becomes null
 */
std::string JsonNumber(double value);

/// The same, null where there is no number.
std::string JsonNumber(const std::optional<double>& value);

} // namespace dpdl

#endif // DPDL_BASE_JSON_H
