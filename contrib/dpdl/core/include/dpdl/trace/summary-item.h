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
 * @brief Description of one item in a run's summary: name, unit and meaning.
 *
 * SummaryItems() is the only list of items. The trace, its documentation and the terminal output
 * use this list. The meaning of a name never changes.
 */
struct SummaryItem
{
    const char* name;         ///< name in snake_case, such as `accuracy_mean`
    const char* unit;         ///< unit, such as `s` or `bytes`; `1` for a number without a unit
    const char* meaning;      ///< meaning of the item in one line
    Privacy privacy{OF_TIME}; ///< privacy of the item's value
};

/// All summary items, in the order of view `summary`.
const std::vector<SummaryItem>& SummaryItems();

/// Value of a summary item: an integer, a floating-point number or a text.
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

    /// The value with its type.
    const std::variant<std::int64_t, double, std::string>& Get() const
    {
        return m_value;
    }

  private:
    std::variant<std::int64_t, double, std::string> m_value;
};

} // namespace dpdl

#endif // DPDL_TRACE_SUMMARY_ITEM_H
