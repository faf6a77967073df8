// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_RESUMED_ROWS_H
#define DPDL_TRACE_RESUMED_ROWS_H

#include "dpdl/trace/trace-rows.h"
#include "row-buffer.h"

#include <SQLiteCpp/Database.h>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/**
 * @file
 * @brief State of its trace that a resumed run needs: the rows that it will repeat, and the
 *        settings that must match.
 *
 * A row is settled if it keeps its value until the end of the run. The table `settled` has the
 * number and the checksum of the settled rows of each table at the last commit. The rows after them
 * are only for readers of an incomplete trace: messages in flight, and rows that
 * TraceStore::Finish() adds.
 */

/// Records in table `settled` the number and checksum of all rows of the buffers. @param prefix of
/// the names in `settled`
void NoteSettled(SQLite::Database& database,
                 const std::vector<RowBuffer>& buffers,
                 const std::string& prefix = "");

/**
 * @brief Records the run's state, apart from its rows: replaces the state and extends the journal.
 * @param database of the trace
 * @param buffers whose row counts and checksums are recorded
 * @param checkpoint the state, and the new part of the journal
 * @param journal checksum of the stored journal; updated
 */
void WriteCheckpoint(SQLite::Database& database,
                     const std::vector<RowBuffer>& buffers,
                     const Checkpoint& checkpoint,
                     RowChecksum& journal);

/// Removes the checkpoint of WriteCheckpoint().
void DropCheckpoint(SQLite::Database& database);

/// Compacts the file if at least a quarter of it is unused. Must run outside a transaction.
void GiveBackSpace(SQLite::Database& database);

/**
 * @brief Reads the last checkpoint of a run; rows before the checkpoint may then be repeated with
 *        any values.
 * @param database after RemoveUnsettled()
 * @param buffers if there is a checkpoint, they do not compare the values of repeated rows before
 *        it
 * @param journal receives the checksum of its journal
 * @return empty if there is no usable checkpoint
 */
std::optional<Checkpoint> ReadCheckpoint(SQLite::Database& database,
                                         std::vector<RowBuffer>& buffers,
                                         RowChecksum& journal);

/// Reads the last row of AccuracyByRound. A resumed run needs it for the summary, since it does not
/// compute the rows before its checkpoint again.
std::optional<AccuracyByRound> LastEvaluation(SQLite::Database& database);

/// Names and values, in order.
using NamedValues = std::vector<std::pair<std::string, std::string>>;

/// Settings and origin of a run, which it writes before its first round, by the names of their
/// tables: `setting` and `origin`.
using Statements = std::map<std::string, NamedValues>;

/// Reads the settings and the origin of an open trace, except the entry `commit`.
Statements ReadStatements(SQLite::Database& database);

/**
 * @brief Prepares a trace for the resumed run: deletes the settings, the origin and all unsettled
 *        rows except resumptions. Requires an open transaction.
 * @param database an incomplete trace
 * @param[in,out] buffers receive the number and checksum of the rows that the run will repeat, and
 *        whether the trace still has them
 */
void RemoveUnsettled(SQLite::Database& database, std::vector<RowBuffer>& buffers);

/// Compares settings and origin of the resumed run (@p now) with those in its trace (@p begun).
/// @throws UsageError naming trace @p path and the first entry that differs
void CompareStatements(const std::string& path, const Statements& begun, const Statements& now);

} // namespace dpdl

#endif // DPDL_TRACE_RESUMED_ROWS_H
