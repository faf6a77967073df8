// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_REPETITION_H
#define DPDL_TRACE_REPETITION_H

#include "row-buffer.h"

#include <SQLiteCpp/Database.h>
#include <map>
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
 * committed for good, and their checksum. Whatever stands behind them was written for readers of an
 * incomplete trace: messages under way, and what Finish adds.
 */

/// Notes what the buffers hold as settled.
void NoteSettled(SQLite::Database& database, const std::vector<RowBuffer>& buffers);

/// Names and values, in their order.
using NamedValues = std::vector<std::pair<std::string, std::string>>;

/// What a run says of itself before its first round, by table: `setting` and `origin`.
using Statements = std::map<std::string, NamedValues>;

/// The statements of an open trace.
Statements ReadStatements(SQLite::Database& database);

/**
 * @brief Removes what is not settled, and what a run says of itself; in an open transaction.
 * @param database an incomplete trace
 * @param buffers are told which rows to expect, and which of them are there
 */
void TakeBack(SQLite::Database& database, std::vector<RowBuffer>& buffers);

/// @throws UsageError if statements differ, for trace @p path and the first that does
void CompareStatements(const std::string& path, const Statements& begun, const Statements& now);

} // namespace dpdl

#endif // DPDL_TRACE_REPETITION_H
