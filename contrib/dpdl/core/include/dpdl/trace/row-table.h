// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_ROW_TABLE_H
#define DPDL_TRACE_ROW_TABLE_H

/**
 * @file
 * @brief Describes a table of a trace once, beside the struct of its rows.
 *
 * The type of a field determines the type of its column: REAL for a floating-point number, TEXT for
 * a text, BLOB for a vector, INTEGER for all else. An empty optional and a NaN are stored as NULL,
 * an infinity as SQLite's Inf. The table, its view, TraceStore::Add, TraceReader and the view
 * `column_privacy` follow the description.
 */

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace dpdl
{

/// Privacy of a column; view `column_privacy`.
struct Privacy
{
    /// `public`, `private`, or the property of the run that decides between them.
    const char* standing;
    const char* reason{nullptr}; ///< reason why the value is private
};

/// Depends only on public settings and on which releases were made.
inline constexpr Privacy PUBLIC{"public"};

/// Depends on whole models and the test data. Public in runs that certify a finite epsilon, whose
/// times are not measured, and whose models depend only on the releases.
inline constexpr Privacy OF_MODEL{"model"};

/// Depends on the shared part of the models and the test data. Public under the conditions of
/// OF_MODEL, and also in runs that certify only the shared part.
inline constexpr Privacy OF_SHARED{"shared"};

/// Sensitivity and noise of releases: public in runs that certify a finite epsilon.
inline constexpr Privacy OF_LEDGER{"ledger"};

/// Times, and events of the network. Public in runs whose times are not measured.
inline constexpr Privacy OF_TIME{"time"};

/// Known to the simulator alone: values computed from training data without noise, the noise, its
/// seed, positions of devices. @param reason why it is private, in a few words
constexpr Privacy
Private(const char* reason)
{
    return {"private", reason};
}

/// Storage format of a text or an enumerator.
enum class Storage : std::uint8_t
{
    VALUE,       ///< stored as the value itself
    WORD,        ///< stored as a code of table `word`, which the view translates
    TEXT_OR_NULL ///< stored as text; an empty text as NULL
};

/// A vector of float32, stored as a BLOB, little-endian. Its values must live until
/// TraceStore::Add() returns.
struct FloatView
{
    const float* values{nullptr}; ///< first value of the vector
    std::size_t count{0};         ///< number of values
};

/// A column of a table and of its view. Its field may be a const method: a computed column, which
/// TraceReader skips.
template <class Row, class Value>
struct Column
{
    /// Type of the value.
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

    /// Moves the column behind all other columns of the view.
    constexpr Column ShownLast() const
    {
        Column column = *this;
        column.isLast = true;
        return column;
    }

    /// Shows the column twice in the view: in its place under its former name, and behind all other
    /// columns under its present name.
    constexpr Column Formerly(const char* former) const
    {
        Column column = ShownLast();
        column.formerName = former;
        return column;
    }

    const char* name;
    Value Row::*field;
    Privacy privacy;
    Storage storage;
    const char* shown;               ///< SQL expression that the view shows
    const char* formerName{nullptr}; ///< second name of the column in the view
    bool isLast{false};              ///< the view shows the column behind all other columns
};

/// A base table and the view through which it is read.
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
    const char* name;               ///< name of the base table
    std::tuple<Columns...> columns; ///< columns in storage order
    const char* ending{""};         ///< SQL appended to the view's SELECT
};

/// The table for rows of type Row; each type of TraceRows has a specialisation.
template <class Row>
inline constexpr auto TABLE = nullptr;

} // namespace dpdl

#endif // DPDL_TRACE_ROW_TABLE_H
