// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_SCHEMA_H
#define DPDL_TRACE_SCHEMA_H

#include <SQLiteCpp/Database.h>

namespace dpdl
{

/// Version of the base tables, kept in the file's `user_version`.
constexpr int TRACE_SCHEMA_VERSION = 2;

/// The oldest version that is still read; writing to such a trace upgrades it (UpgradeSchema).
constexpr int TRACE_OLDEST_VERSION = 1;

/// "dpdl" in ASCII, kept in the file's `application_id`, so that file(1) and tools know a trace.
constexpr int TRACE_APPLICATION_ID = 0x6470646c;

/// Makes an empty file a trace without indexes; its state is `incomplete`.
void CreateSchema(SQLite::Database& database);

/**
 * @brief Brings an open trace of TRACE_OLDEST_VERSION to this program's schema version; does
 *        nothing to one that has it.
 * @param database open for writing, in a transaction
 */
void UpgradeSchema(SQLite::Database& database);

/// The first code of a text that repeats, in table `word`; those below belong to DeliveryFate.
constexpr int FIRST_CODE = 16;

/// Creates the indexes: after the run, because they would halve the speed of writing.
void CreateIndexes(SQLite::Database& database);

/// Takes the indexes away again, if they are there.
void DropIndexes(SQLite::Database& database);

} // namespace dpdl

#endif // DPDL_TRACE_SCHEMA_H
