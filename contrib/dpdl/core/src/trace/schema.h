// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_SCHEMA_H
#define DPDL_TRACE_SCHEMA_H

#include <SQLiteCpp/Database.h>

namespace dpdl
{

/// Version of the base tables, stored in the file's `user_version`.
constexpr int TRACE_SCHEMA_VERSION = 2;

/// The oldest readable version; writing to such a trace upgrades it (UpgradeSchema).
constexpr int TRACE_OLDEST_VERSION = 1;

/// "dpdl" in ASCII, stored in the file's `application_id`, so file(1) and tools recognise a trace.
constexpr int TRACE_APPLICATION_ID = 0x6470646c;

/// Turns an empty file into a trace without indexes, with state `incomplete`.
void CreateSchema(SQLite::Database& database);

/**
 * @brief Upgrades an open trace from TRACE_OLDEST_VERSION to this program's schema version; has no
 *        effect on a trace of that version.
 * @param database open for writing, in a transaction
 */
void UpgradeSchema(SQLite::Database& database);

/// First code of a repeated text in table `word`; smaller codes belong to DeliveryFate.
constexpr int FIRST_CODE = 16;

/// Creates the indexes. Called after the run, because they would halve the speed of writing.
void CreateIndexes(SQLite::Database& database);

/// Drops the indexes if they exist.
void DropIndexes(SQLite::Database& database);

} // namespace dpdl

#endif // DPDL_TRACE_SCHEMA_H
