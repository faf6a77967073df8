// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_SEAL_H
#define DPDL_TRACE_SEAL_H

#include "row-checksum.h"

#include <SQLiteCpp/Database.h>
#include <string>

namespace dpdl
{

/**
 * @file
 * @brief The table `checksum` of a trace: what was written, so that damage shows.
 *
 * A row for each table and one for each object of the schema; the row `checksum` speaks of the
 * others. A program that changes a trace calls these before the transaction ends, and SealAll last.
 */

/// True if the trace has checksums; traces of earlier schemas have none.
bool IsSealed(SQLite::Database& database);

/// The checksum of what a table holds now.
RowChecksum ChecksumOf(SQLite::Database& database, const std::string& table);

/// Notes a checksum. @param table or another name of the table `checksum`
void Seal(SQLite::Database& database, const std::string& table, const RowChecksum& checksum);

/// Notes the checksum of what a table holds now.
void Seal(SQLite::Database& database, const std::string& table);

/// Notes the checksums of the tables whose rows change, and that no row of TraceRows stands for.
void SealChanging(SQLite::Database& database);

/// True if a table holds the rows noted in table @p notes; later rows do not count.
bool HoldsSeal(SQLite::Database& database,
               const std::string& table,
               const std::string& notes = "checksum");

/// Notes the checksums of all tables, views and indexes, and of the identity of the file.
void SealSchema(SQLite::Database& database);

/// Notes the checksum of all that was noted.
void SealAll(SQLite::Database& database);

} // namespace dpdl

#endif // DPDL_TRACE_SEAL_H
