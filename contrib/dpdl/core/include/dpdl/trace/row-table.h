// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_ROW_TABLE_H
#define DPDL_TRACE_ROW_TABLE_H

/**
 * @file
 * @brief Describes a table of a trace, once and beside the struct of its rows.
 *
 * The type of a field gives the type of its column: REAL for a floating point number, TEXT for a
 * text, BLOB for a vector, INTEGER for all else. An empty optional and a NaN are stored as NULL, an
 * infinity as SQLite's Inf. The table, its view, TraceStore::Add, TraceReader and the view
 * `column_privacy` follow the description.
 */

#include <cstddef>
#include <cstdint>
#include <tuple>

namespace dpdl
{

/// Privacy of a column; view `column_privacy`.
struct Privacy
{
    const char* standing;        ///< `public`, `private`, or what decides it in a run
    const char* reason{nullptr}; ///< why it is private
};

/// Follows from public settings and from which releases there were.
inline constexpr Privacy PUBLIC{"public"};

/// Follows from whole models and the test data. Public in runs that certify a finite epsilon, whose
/// times are not measured, and whose models follow from the releases alone.
inline constexpr Privacy OF_MODEL{"model"};

/// The same of the part of the models that travels.
inline constexpr Privacy OF_SHARED{"shared"};

/// How releases were hidden: public in runs that certify a finite epsilon.
inline constexpr Privacy OF_LEDGER{"ledger"};

/// When something happened, and what the network did. Public in runs whose times are not measured.
inline constexpr Privacy OF_TIME{"time"};

/// Known to the simulator alone: computed from training data without noise, the noise, its seed,
/// places of devices. @param reason why, in a few words
constexpr Privacy
Private(const char* reason)
{
    return {"private", reason};
}

/// How a text or an enumerator is stored.
enum class Storage : std::uint8_t
{
    VALUE,       ///< as it is
    WORD,        ///< as a code of table `word`, which the view translates
    TEXT_OR_NULL ///< as it is, an empty text as NULL
};

/// A vector of float32, stored as a BLOB, little-endian. Its values must live until Add returns.
struct FloatView
{
    const float* values{nullptr}; ///< the first
    std::size_t count{0};         ///< how many
};

/// A column of a table and of its view.
template <class Row, class Value>
struct Column
{
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

    /// The view has the expression @p sql in the place of what is stored.
    constexpr Column ShownAs(const char* sql) const
    {
        Column column = *this;
        column.shown = sql;
        return column;
    }

    /// The view has it behind the others.
    constexpr Column ShownLast() const
    {
        Column column = *this;
        column.isLast = true;
        return column;
    }

    /// The view has it under its former name in its place, and under its name behind the others.
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
    const char* shown;               ///< expression of the view
    const char* formerName{nullptr}; ///< another name in the view
    bool isLast{false};              ///< whether the view has it behind the others
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

    /// The view's SELECT goes on with @p sql.
    constexpr RowTable Ending(const char* sql) const
    {
        RowTable table = *this;
        table.ending = sql;
        return table;
    }

    const char* view;               ///< what users read
    const char* name;               ///< of the base table
    std::tuple<Columns...> columns; ///< in the order in which they are stored
    const char* ending{""};         ///< what follows the view's SELECT
};

/// The table that holds rows of type Row; each type of TraceRows has a specialisation.
template <class Row>
inline constexpr auto TABLE = nullptr;

} // namespace dpdl

#endif // DPDL_TRACE_ROW_TABLE_H
