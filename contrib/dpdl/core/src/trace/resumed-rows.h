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
 * The table `settled` has, for each table of rows, their number and checksum at the last permanent
 * commit. Later rows were written for readers of an incomplete trace: messages in flight, and rows
 * that Finish adds.
 */

/// Records the content of the buffers as settled. @param prefix of the names in `settled`
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
 * @brief Reads the last checkpoint of a run; earlier rows may then be repeated with any values.
 * @param database after RemoveUnsettled()
 * @param buffers trusted up to the checkpoint, if there is one
 * @param journal receives the checksum of its journal
 * @return empty if there is no usable checkpoint
 */
std::optional<Checkpoint> ReadCheckpoint(SQLite::Database& database,
                                         std::vector<RowBuffer>& buffers,
                                         RowChecksum& journal);

/// The last row of AccuracyByRound, which a resumed run cannot know for trusted rows.
std::optional<AccuracyByRound> LastEvaluation(SQLite::Database& database);

/// Names and values, in order.
using NamedValues = std::vector<std::pair<std::string, std::string>>;

/// Rows that a run writes before its first round, by table: `setting` and `origin`.
using Statements = std::map<std::string, NamedValues>;

/// Reads the settings and the origin of an open trace.
Statements ReadStatements(SQLite::Database& database);

/**
 * @brief Prepares a trace for the resumed run: deletes the settings, the origin and all unsettled
 *        rows except resumptions. Requires an open transaction.
 * @param database an incomplete trace
 * @param[in,out] buffers receive the number and checksum of the rows that the run will repeat, and
 *        whether the trace still has them
 */
void RemoveUnsettled(SQLite::Database& database, std::vector<RowBuffer>& buffers);

/// Compares the settings of the resumed run (@p now) with those in its trace (@p begun).
/// @throws UsageError naming trace @p path and the first setting that differs
void CompareStatements(const std::string& path, const Statements& begun, const Statements& now);

} // namespace dpdl

#endif // DPDL_TRACE_RESUMED_ROWS_H
