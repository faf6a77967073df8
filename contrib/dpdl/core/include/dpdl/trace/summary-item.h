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
 * @brief One line of a run's summary: what it is called, measured in, and means.
 *
 * The list of them is the one place where a summary's names are defined: the trace, its
 * documentation and the terminal output all follow it. Names never change meaning.
 */
struct SummaryItem
{
    const char* name;         ///< snake_case, for example `accuracy_mean`
    const char* unit;         ///< for example `s`, `bytes`; `1` for a pure number
    const char* meaning;      ///< one line in plain words
    Privacy privacy{OF_TIME}; ///< who may know its value
};

/// All items, in the order in which the view `summary` lists them.
const std::vector<SummaryItem>& SummaryItems();

/// An integer, a floating point number or a text, kept as what it is.
class SummaryValue
{
  public:
    /// Made from any arithmetic type, or from anything that a string_view can be made of.
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

    /// The value as one of the three types that SQLite knows too.
    const std::variant<std::int64_t, double, std::string>& Get() const
    {
        return m_value;
    }

  private:
    std::variant<std::int64_t, double, std::string> m_value;
};

} // namespace dpdl

#endif // DPDL_TRACE_SUMMARY_ITEM_H
