// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_ROW_TABLE_H
#define DPDL_TRACE_ROW_TABLE_H

/**
 * @file
 * @brief Types that describe a table of a trace and the view that shows it. The description of a
 *        table is next to the struct of its rows.
 *
 * The type of a field determines the type of its column: REAL for floating-point numbers, TEXT for
 * texts, BLOB for vectors, INTEGER for other types. An empty optional and a NaN are stored as NULL,
 * and an infinity as SQLite's Inf. The table, its view, TraceStore::Add(), TraceReader and the view
 * `column_privacy` are generated from the description.
 */

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace dpdl
{

/// Privacy of a column's values; shown in view `column_privacy`.
struct Privacy
{
    /// `public`, `private`, or a condition that decides between these two for each run: `model`,
    /// `shared`, `ledger` or `time`.
    const char* standing;
    /// Reason why the values are private, a few words; nullptr: no reason is shown.
    const char* reason{nullptr};
};

/// The values depend only on public settings, and on the rounds in which releases were made.
inline constexpr Privacy PUBLIC{"public"};

/// The values depend on whole models and the test data. The values are public in runs that certify
/// a finite epsilon, if step times are not measured and models depend on the releases only.
inline constexpr Privacy OF_MODEL{"model"};

/// The values depend on the shared part of models and the test data. The values are public under
/// the conditions of OF_MODEL, and in runs that certify the shared part only.
inline constexpr Privacy OF_SHARED{"shared"};

/// Sensitivity and noise (standard deviation or Laplace scale) of releases. The values are public
/// in runs that certify a finite epsilon.
inline constexpr Privacy OF_LEDGER{"ledger"};

/// Times, and events of the network. The values are public in runs whose step times are not
/// measured.
inline constexpr Privacy OF_TIME{"time"};

/// For values that an observer of the run does not know: results computed from training data
/// without noise, the noise and its seed, and positions of devices.
/// @param reason reason why the values are private, in a few words
constexpr Privacy
Private(const char* reason)
{
    return {"private", reason};
}

/// Values computed from training data.
inline constexpr Privacy OF_DATA = Private("computed from training data without noise");

/// Values computed from gradients.
inline constexpr Privacy OF_GRADIENTS = Private("computed from gradients without noise");

/// Values computed from positions.
inline constexpr Privacy OF_PLACES = Private("computed from places of devices");

/// Storage format of a text or an enumerator in a column.
enum class Storage : std::uint8_t
{
    VALUE,       ///< the value itself
    WORD,        ///< index into table `word`; the view shows the word
    TEXT_OR_NULL ///< the text; an empty text is NULL
};

/// A vector of float32. It is stored as a little-endian BLOB. The values must live until
/// TraceStore::Add() returns.
struct FloatView
{
    const float* values{nullptr}; ///< first value of the vector
    std::size_t count{0};         ///< number of values
};

/// A column of a table and of its view. The column takes its values from a field of the row or from
/// a const method. TraceReader does not read columns of methods.
template <class Row, class Value>
struct Column
{
    /// Type of the column's values.
    using Type = std::decay_t<std::invoke_result_t<Value Row::*, const Row&>>;

    constexpr Column(const char* name,
                     Value Row::*field,
                     Privacy privacy,
                     Storage storage = Storage::VALUE)
        : name(name),
          field(field),
          privacy(privacy),
          storage(storage),
          shown(name)
    {
    }

    /// Shows the expression @p sql in the view instead of the stored value.
    constexpr Column ShownAs(const char* sql) const
    {
        Column column = *this;
        column.shown = sql;
        return column;
    }

    /// Shows the column after all other columns of the view.
    constexpr Column ShownLast() const
    {
        Column column = *this;
        column.isLast = true;
        return column;
    }

    /// Shows the column twice in the view: under its former name at its position, and under its
    /// current name after all other columns.
    constexpr Column Formerly(const char* former) const
    {
        Column column = ShownLast();
        column.formerName = former;
        return column;
    }

    const char* name;  ///< current name of the column, in the table and in the view
    Value Row::*field; ///< field or method of the row that gives the values
    Privacy privacy;   ///< privacy of the values
    Storage storage;   ///< storage format of the values
    const char* shown; ///< SQL expression that the view shows
    /// Former name of the column, also shown in the view; nullptr: none.
    const char* formerName{nullptr};
    bool isLast{false}; ///< true: the view shows the column after all other columns
};

/// A table of the trace, and the view that shows it to users.
template <class... Columns>
struct RowTable
{
    constexpr RowTable(const char* view, const char* name, Columns... columns)
        : view(view),
          name(name),
          columns(columns...)
    {
    }

    /// Appends @p sql to the SELECT of the view, for example an ORDER BY.
    constexpr RowTable Ending(const char* sql) const
    {
        RowTable table = *this;
        table.ending = sql;
        return table;
    }

    const char* view;               ///< name of the view that users read
    const char* name;               ///< name of the stored table
    std::tuple<Columns...> columns; ///< columns in storage order
    const char* ending{""};         ///< SQL appended to the view's SELECT
};

/// Calls @p visit with each column of a table, in storage order.
template <class Table, class Visit>
void
ForEachColumn(const Table& table, Visit visit)
{
    std::apply([&](const auto&... columns) { (visit(columns), ...); }, table.columns);
}

/// Table for rows of type Row. Each type in TraceRows has a specialisation.
template <class Row>
inline constexpr auto TABLE = nullptr;

} // namespace dpdl

#endif // DPDL_TRACE_ROW_TABLE_H
