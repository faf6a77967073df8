// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_REPETITION_H
#define DPDL_TRACE_REPETITION_H

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
 * @brief What a resumed run needs of its trace: which rows it will repeat, and what it has to be.
 *
 * The table `settled` has, for each table of rows, how many there were when rows were last
 * committed permanently, and their checksum. All rows after them were written for readers of an
 * incomplete trace: messages under way, and what Finish adds.
 */

/// Notes what the buffers hold as settled. @param prefix of the names under which it is noted
void NoteSettled(SQLite::Database& database,
                 const std::vector<RowBuffer>& buffers,
                 const std::string& prefix = "");

/**
 * @brief Records the run's state, apart from its rows: replaces the state, and adds to the journal.
 * @param database of the trace
 * @param buffers whose rows are noted
 * @param checkpoint what is added
 * @param journal checksum of the journal that is there; goes on with it
 */
void WriteCheckpoint(SQLite::Database& database,
                     const std::vector<RowBuffer>& buffers,
                     const Checkpoint& checkpoint,
                     RowChecksum& journal);

/// Removes what WriteCheckpoint() has written.
void DropCheckpoint(SQLite::Database& database);

/// Makes a file smaller of which a quarter is unused: what a checkpoint took. Without a
/// transaction.
void GiveBackSpace(SQLite::Database& database);

/**
 * @brief Reads where the run was at its last checkpoint; rows before it need not be told as they
 *        are.
 * @param database after TakeBack()
 * @param buffers whose rows are trusted, if there is a checkpoint
 * @param journal receives the checksum of its journal
 * @return empty if there is none, or it cannot be used
 */
std::optional<Checkpoint> ReadCheckpoint(SQLite::Database& database,
                                         std::vector<RowBuffer>& buffers,
                                         RowChecksum& journal);

/// The last row of the accuracy of rounds. What a run reports of rows that are trusted is not
/// known.
std::optional<AccuracyByRound> LastEvaluation(SQLite::Database& database);

/// Names and values, in their order.
using NamedValues = std::vector<std::pair<std::string, std::string>>;

/// Rows that a run writes before its first round, by table: `setting` and `origin`.
using Statements = std::map<std::string, NamedValues>;

/// The statements of an open trace.
Statements ReadStatements(SQLite::Database& database);

/**
 * @brief Removes what is not settled, and what a run says of itself; in an open transaction.
 * @param database an incomplete trace
 * @param buffers are notified which rows to expect, and which of them are there
 */
void TakeBack(SQLite::Database& database, std::vector<RowBuffer>& buffers);

/// @throws UsageError if statements differ, for trace @p path and the first that does
void CompareStatements(const std::string& path, const Statements& begun, const Statements& now);

} // namespace dpdl

#endif // DPDL_TRACE_REPETITION_H
