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
 * @brief The table `checksum` of a trace, which reveals damage of the file.
 *
 * It has a row for each table and for each object of the schema; the row `checksum` covers the
 * other rows. A program that changes a trace calls these functions before the transaction ends, and
 * SealAll last.
 */

/// True if the trace has checksums; traces of earlier schemas have none.
bool IsSealed(SQLite::Database& database);

/// Checksum of the present content of a table.
RowChecksum ChecksumOf(SQLite::Database& database, const std::string& table);

/// Records a checksum. @param table or another name of the table `checksum`
void Seal(SQLite::Database& database, const std::string& table, const RowChecksum& checksum);

/// Records the checksum of the present content of a table.
void Seal(SQLite::Database& database, const std::string& table);

/// Records the checksums of tables whose rows change and that are not in TraceRows.
void SealChanging(SQLite::Database& database);

/// True if a table begins with the rows recorded in table @p notes; later rows are ignored.
bool HoldsSeal(SQLite::Database& database,
               const std::string& table,
               const std::string& notes = "checksum");

/// Records the checksums of all tables, views and indexes, and of the file's identity.
void SealSchema(SQLite::Database& database);

/// Records the checksum of all recorded checksums.
void SealAll(SQLite::Database& database);

} // namespace dpdl

#endif // DPDL_TRACE_SEAL_H
