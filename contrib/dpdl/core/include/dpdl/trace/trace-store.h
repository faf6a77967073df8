// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_TRACE_STORE_H
#define DPDL_TRACE_TRACE_STORE_H

#include "dpdl/trace/summary-item.h"
#include "dpdl/trace/trace-rows.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dpdl
{

/**
 * @brief Writes the results of one run into one SQLite file, its trace.
 *
 * Rows are collected in memory and written in large transactions, so Add() takes well below a
 * microsecond. The file is valid at any time. If the process is killed, the rows after the last
 * transaction are missing, and the summary item `state` is `incomplete`. Only Finish(true) sets it
 * to `complete`.
 *
 * The order of the calls is the order of the rows. Equal calls produce equal contents: the store
 * adds no time, host or user name. doc/formats/trace.md describes tables and views.
 * @code
 * TraceStore trace("run.db", {});
 * trace.SetSetting("nodes", "20");
 * trace.Flush();
 * trace.Add(AccuracyByRound{10, 3.2, 0.71, 0.68, 0.72, 0.9, 0.04});
 * trace.SetSummary("wall_seconds", 1.7);
 * trace.Finish(true);
 * @endcode
 *
 * Not thread-safe: only one thread may call the store. If the disk is full or an I/O error occurs,
 * the call throws Error, and so do all later calls. The file keeps all committed rows.
 */
class TraceStore
{
  public:
    /// Options of the constructor.
    struct Options
    {
        bool overwrite{false}; ///< true: replace an existing file
        /// Number of rows per transaction. If the process is killed, at most this number of rows is
        /// missing. 0: only Flush() commits.
        std::uint32_t rowsPerTransaction{65536};
        /// Row of view `resumption`, if the file is the trace of an incomplete run to resume;
        /// empty: the run is new.
        std::optional<Resumption> resumption{};
    };

    /**
     * @brief Creates the file with its schema and the state `incomplete`.
     *
     * With Options::resumption, the file is the trace of an incomplete run, which the caller
     * simulates again from its first round. The caller must pass the same settings, origin and rows
     * as before. The store compares these replayed rows with the trace instead of writing them
     * again. While IsRepeating() is true, the file does not change.
     *
     * With Options::overwrite, an existing SQLite file or empty file is removed, together with
     * SQLite's files `-wal`, `-shm` and `-journal`. Files of other kinds are never replaced.
     * @param path path of the file; its folder must exist
     * @param options options of the store
     * @throws UsageError naming option 'trace' if the file exists (suggesting `--overwrite`), its
     *         folder does not exist or cannot be written, there is no run to resume, or another
     *         program has opened the file for writing
     */
    TraceStore(const std::string& path, const Options& options);

    /// Writes pending rows, except in a replay, and closes the file. The trace stays incomplete
    /// unless Finish(true) was called. Errors are ignored.
    ~TraceStore();

    /**
     * @brief Records an option, an attribute or a version of the run. A later value replaces an
     *        earlier value.
     * @param name name as a user would write it, without dashes
     * @param value value as a user would write it
     */
    void SetSetting(std::string_view name, std::string_view value);

    /**
     * @brief Appends an entry to the command that starts the run again (RunOrigin). Several entries
     *        may have the same name.
     * @param name name of the entry
     * @param value value of the entry
     */
    void AddOrigin(std::string_view name, std::string_view value);

    /**
     * @brief Records a value of the summary: an integer, a floating-point number or a text.
     *
     * Some items are computed from the rows if the caller does not set them. These items are
     * accuracies, mean objective and consensus distance of the last AccuracyByRound, and the
     * largest epsilons and delta of the nodes' guarantees. Others are the largest |wError|, the
     * geometric means of q over the rounds, extremes of the bounds on q and of the push-sum
     * weights, the influences of the last QByWindow, and the message totals of `delivery_by_link`.
     * All other items stay NULL.
     * @param name one of SummaryItems(), except `state`
     * @param value value of the item, in the item's unit
     * @throws Error if there is no item of that name
     */
    void SetSummary(std::string_view name, const SummaryValue& value);

    /**
     * @brief Appends a row.
     * @param row row of a type in TraceRows
     */
    template <class Row>
    void Add(const Row& row)
    {
        AddRow(TraceRows::IndexOf<Row>(), &row);
    }

    /**
     * @brief Writes and commits all pending rows. If the process is killed later, the trace keeps
     *        these rows, and a resumed run continues after them.
     * @param unsettled messages in flight, with unknown fate. Their rows are committed after all
     *        other rows, and removed when the next row is written
     * @throws UsageError the first time, if settings or origin differ from those of the resumed run
     */
    void Flush(const std::vector<Delivery>& unsettled = {});

    /// Number of rows since the last commit. Every 64 bytes of a vector count as one more row.
    std::size_t Pending() const;

    /**
     * @brief Records the state of the run with the next Flush(), which must follow immediately.
     * @param checkpoint state, and journal since the last checkpoint
     */
    void SetCheckpoint(const Checkpoint& checkpoint);

    /**
     * @brief Reads the last checkpoint of a resumed run; must be called before the first row.
     *
     * The store does not compare the values of replayed rows up to the checkpoint, because the
     * caller takes the results of jobs from the checkpoint instead of computing them.
     * @return the last checkpoint, with the whole journal; empty if there is none
     */
    std::optional<Checkpoint> LastCheckpoint();

    /// True while a resumed run has not yet replayed all rows that its trace had when it was
    /// interrupted.
    bool IsRepeating() const;

    /// Closes the file and drops the rows since the last commit. No call may follow.
    void Leave();

    /**
     * @brief Writes all pending rows, adds the indexes, and closes the file. No call may follow.
     *
     * A single file remains, which can be opened from a read-only folder. SQLite's files `-wal` and
     * `-shm` remain only while another program has the trace open.
     * @param complete true: the run is complete; false: it was interrupted
     * @throws Error if writing fails
     */
    void Finish(bool complete);

    /// Closes and removes the file, for a run that failed before its first round.
    void Discard() noexcept;

    /// Path of the file, as given to the constructor.
    const std::string& Path() const;

  private:
    class Impl;

    void AddRow(std::size_t table, const void* row);

    std::unique_ptr<Impl> m_impl;
};

} // namespace dpdl

#endif // DPDL_TRACE_TRACE_STORE_H
