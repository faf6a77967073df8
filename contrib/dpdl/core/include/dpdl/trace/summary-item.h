// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_SUMMARY_ITEM_H
#define DPDL_TRACE_SUMMARY_ITEM_H

#include "dpdl/trace/row-table.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace dpdl
{

/**
 * @brief One line of a run's summary: its name, unit and meaning.
 *
 * The names of a summary are defined in SummaryItems() only: the trace, its documentation and the
 * terminal output use this list. Names never change meaning.
 */
struct SummaryItem
{
    const char* name;         ///< snake_case, for example `accuracy_mean`
    const char* unit;         ///< unit, for example `s`, `bytes`; `1` for a pure number
    const char* meaning;      ///< meaning of the item, one line
    Privacy privacy{OF_TIME}; ///< privacy of the item's value
};

/// All items, in the order in which the view `summary` lists them.
const std::vector<SummaryItem>& SummaryItems();

/// An integer, a floating-point number or a text, with its type.
class SummaryValue
{
  public:
    /// Converts from any arithmetic type, or from any type that converts to string_view.
    template <typename T>
    SummaryValue(const T& value)
    {
        if constexpr (std::is_integral_v<T>)
        {
            m_value = static_cast<std::int64_t>(value);
        }
        else if constexpr (std::is_floating_point_v<T>)
        {
            m_value = static_cast<double>(value);
        }
        else
        {
            m_value = std::string(std::string_view(value));
        }
    }

    /// The value as one of the three types that SQLite also has.
    const std::variant<std::int64_t, double, std::string>& Get() const
    {
        return m_value;
    }

  private:
    std::variant<std::int64_t, double, std::string> m_value;
};

} // namespace dpdl

#endif // DPDL_TRACE_SUMMARY_ITEM_H
