// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_TRACE_ROWS_H
#define DPDL_TRACE_TRACE_ROWS_H

/**
 * @file
 * @brief List of all row types of a trace.
 */

#include "dpdl/trace/learning-rows.h"
#include "dpdl/trace/network-rows.h"
#include "dpdl/trace/run-origin.h"

#include <cstddef>
#include <type_traits>

namespace dpdl
{

/// List of row types, which can be visited at compile time.
template <class... Rows>
struct RowList
{
    /// Index of @p Row in the list. A type that is not in the list is a compile error.
    template <class Row>
    static constexpr std::size_t IndexOf()
    {
        static_assert((std::is_same_v<Row, Rows> || ...), "the list does not have this type");
        std::size_t index = 0;
        (void)((std::is_same_v<Row, Rows> || (++index, false)) || ...);
        return index;
    }

    /// Calls @p visit with the RowTable of each row type.
    template <class Visit>
    static void ForEachTable(Visit visit)
    {
        (visit(TABLE<Rows>), ...);
    }

    /// Calls @p visit with @p row.
    /// @param index index of the row's type in the list
    /// @param row pointer to a row of this type
    template <class Visit>
    static void Apply(std::size_t index, const void* row, Visit visit)
    {
        using Call = void (*)(const void*, Visit&);
        static constexpr Call CALLS[]{
            [](const void* of, Visit& call) { call(*static_cast<const Rows*>(of)); }...};
        CALLS[index](row, visit);
    }
};

/// All row types of a trace, in the order of their tables.
using TraceRows = RowList<AccuracyByRound,
                          AccuracyByNode,
                          RoundByNode,
                          GuaranteeByNode,
                          GuaranteeByRound,
                          Release,
                          Delivery,
                          DeliveryByLink,
                          MassByRound,
                          QByWindow,
                          LinkEvent,
                          Violation,
                          SensitivityByRound,
                          PositionByRound,
                          FramesByDistance,
                          Building,
                          EnergyByNode,
                          Snapshot,
                          NoiseByRound,
                          AuditEntry,
                          Resumption>;

} // namespace dpdl

#endif // DPDL_TRACE_TRACE_ROWS_H
