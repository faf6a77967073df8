// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_SCHEMA_H
#define DPDL_TRACE_SCHEMA_H

#include <cstddef>
#include <vector>

namespace dpdl
{

/// Version of the base tables, kept in the file's `user_version`.
constexpr int TRACE_SCHEMA_VERSION = 2;

/// The oldest version that is still read; writing to such a trace upgrades it (UPGRADE).
constexpr int TRACE_OLDEST_VERSION = 1;

/// "dpdl" in ASCII, kept in the file's `application_id`, so that file(1) and tools know a trace.
constexpr int TRACE_APPLICATION_ID = 0x6470646c;

/// The base tables that rows are appended to; the order is that of TraceTables().
enum class Table : std::size_t
{
    EVALUATION,
    NODE_EVALUATION,
    NODE_ROUND,
    GUARANTEE,
    GUARANTEE_GROWTH,
    LEDGER,
    VALIDITY,
    MESSAGE,
    LINK_TOTAL,
    MASS,
    TOPOLOGY_WINDOW,
    NETWORK_EVENT,
    SENSITIVITY,
    PLACE,
    FRAME_TOTAL,
    ENERGY,
    COUNT
};

/// Name and column definitions of a base table.
struct TableDefinition
{
    const char* name;
    std::vector<const char*> columns;
};

/// The definition of @p table.
const TableDefinition& DefinitionOf(Table table);

/// Creates the tables that are not appended to row by row (settings, summary, words, vectors).
extern const char* const OTHER_TABLES;

/// Creates every view but COLUMN_PRIVACY.
extern const char* const VIEWS;

/// Creates the view `column_privacy`: which columns of the views only the simulator may know.
extern const char* const COLUMN_PRIVACY;

/// Brings base tables of TRACE_OLDEST_VERSION, without their views, to TRACE_SCHEMA_VERSION.
extern const char* const UPGRADE;

/// Creates the indexes: after the run, because they would halve the speed of writing.
extern const char* const INDEXES;

} // namespace dpdl

#endif // DPDL_TRACE_SCHEMA_H
