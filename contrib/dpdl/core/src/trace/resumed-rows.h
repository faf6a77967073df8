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
 * @brief Resumption of an interrupted run: the rows of its trace that it will replay, and the
 *        settings that must match.
 *
 * To replay a row is to produce it again by simulating the run from its first round. A row is
 * settled if it keeps its value until the end of the run. The table `settled` has the number and
 * the checksum of the settled rows of each table at the last commit. The rows after them only serve
 * readers of an incomplete trace: messages in flight, and rows that TraceStore::Finish() adds.
 */

/// Records in table `settled` the number and the checksum of the rows of every buffer.
/// @param prefix text before each table name in `settled`
void NoteSettled(SQLite::Database& database,
                 const std::vector<RowBuffer>& buffers,
                 const std::string& prefix = "");

/**
 * @brief Writes a checkpoint to table `checkpoint`: replaces the stored state, and extends the
 *        stored journal. The journal has the results of all jobs of the run so far.
 * @param database database of the trace, in a transaction
 * @param buffers buffers of all tables, whose row counts and checksums are recorded
 * @param checkpoint the run's state, and the results of the jobs since the last checkpoint
 * @param[in,out] journal checksum of the stored journal before the call; updated to that after it
 * @throws SQLite::Exception if a row cannot be written
 */
void WriteCheckpoint(SQLite::Database& database,
                     const std::vector<RowBuffer>& buffers,
                     const Checkpoint& checkpoint,
                     RowChecksum& journal);

/// Deletes the state and the journal that WriteCheckpoint() stored.
void DropCheckpoint(SQLite::Database& database);

/// Compacts the file if at least a quarter of its pages are unused. Must be called outside a
/// transaction. Failure is ignored.
void GiveBackSpace(SQLite::Database& database);

/**
 * @brief Reads the last checkpoint of a run. If there is one, the buffers no longer compare the
 *        values of replayed rows before it.
 * @param database database of the trace, after RemoveUnsettled()
 * @param[in,out] buffers buffers of all tables
 * @param[out] journal receives the checksum of the stored journal; that of no rows if there is no
 *             usable checkpoint
 * @return the checkpoint; empty if there is no usable checkpoint
 */
std::optional<Checkpoint> ReadCheckpoint(SQLite::Database& database,
                                         std::vector<RowBuffer>& buffers,
                                         RowChecksum& journal);

/// Last row of AccuracyByRound in the trace; empty if there is none. A resumed run needs the row
/// for the summary, because it does not evaluate the rounds before its checkpoint again.
std::optional<AccuracyByRound> LastEvaluation(SQLite::Database& database);

/// Pairs of name and value, in the order of writing.
using NamedValues = std::vector<std::pair<std::string, std::string>>;

/// Settings and origin of a run, written before its first round. The keys are the tables `setting`
/// and `origin`.
using Statements = std::map<std::string, NamedValues>;

/// Reads the settings and the origin of a run from its trace, except the entry `commit`.
Statements ReadStatements(SQLite::Database& database);

/**
 * @brief Prepares a trace for the resumed run. Deletes the settings, the origin, and all rows that
 *        are not settled, except resumptions.
 * @param database database of the trace, in a transaction
 * @param[in,out] buffers receive the number and checksum of the rows that the run will replay, and
 *                whether the trace still has these rows
 */
void RemoveUnsettled(SQLite::Database& database, std::vector<RowBuffer>& buffers);

/**
 * @brief Compares the settings and origin of the resumed run with those in its trace.
 * @param path path of the trace, for the error message
 * @param begun settings and origin in the trace
 * @param now settings and origin of the resumed run
 * @throws UsageError naming the trace and the first entry that differs
 */
void CompareStatements(const std::string& path, const Statements& begun, const Statements& now);

} // namespace dpdl

#endif // DPDL_TRACE_RESUMED_ROWS_H
