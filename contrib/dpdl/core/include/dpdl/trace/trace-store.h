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
 * @brief Writes the results of one run into one SQLite file.
 *
 * Rows are collected in memory and written in large transactions; an Add costs well below a
 * microsecond. The file is valid at any moment. If the process is killed, the rows after the last
 * transaction are missing and the summary says `incomplete`. Only Finish(true) sets it to
 * `complete`.
 *
 * The order of the calls is the order of the rows. The store adds no clock, host or user: equal
 * calls give equal contents. Tables and views are documented in doc/formats/trace.md.
 * @code
 * TraceStore trace("run.db", {});
 * trace.SetSetting("nodes", "20");
 * trace.Flush();
 * trace.Add(AccuracyByRound{10, 3.2, 0.71, 0.68, 0.72, 0.9, 0.04});
 * trace.SetSummary("wall_seconds", 1.7);
 * trace.Finish(true);
 * @endcode
 *
 * Not thread-safe: one thread writes. On a full disk or an I/O error the call throws Error, and so
 * does every later call; the file keeps all committed rows.
 */
class TraceStore
{
  public:
    /// Options of the constructor.
    struct Options
    {
        bool overwrite{false}; ///< true: replace an existing file
        /// Number of rows per transaction: a killed run loses no more rows. 0: only Flush() ends a
        /// transaction.
        std::uint32_t rowsPerTransaction{65536};
        /// Resumption of the incomplete run of an existing trace; empty: the run is new.
        std::optional<Resumption> resumption{};
    };

    /**
     * @brief Creates the file with its schema; its state is `incomplete` from here on.
     *
     * With Options::resumption, the file is the trace of an incomplete run, which restarts and
     * repeats itself: its settings, origin and existing rows must be the same again, and are not
     * written a second time. While IsRepeating(), the file does not change.
     *
     * With Options::overwrite, an existing SQLite or empty file is removed together with SQLite's
     * files `-wal`, `-shm` and `-journal`; no other file is ever replaced.
     * @param path the file; its folder must exist
     * @param options of the writer
     * @throws UsageError naming option 'trace' if the file exists (suggesting `--overwrite`), its
     *         folder does not exist or cannot be written, there is no run to resume, or another
     *         program is writing the file
     */
    TraceStore(const std::string& path, const Options& options);

    /// Writes pending rows and leaves the file incomplete, unless Finish was called.
    ~TraceStore();

    /**
     * @brief Records an option, an attribute or a version that is in force. The last value wins.
     * @param name as a user would write it, without dashes
     * @param value as a user would write it
     */
    void SetSetting(std::string_view name, std::string_view value);

    /**
     * @brief Records an entry of the command that starts the run again; see RunOrigin.
     * @param name of the entry @param value value of the entry
     */
    void AddOrigin(std::string_view name, std::string_view value);

    /**
     * @brief Records a value of the summary: an integer, a floating-point number or a text.
     *
     * Items that the caller does not set are computed from the rows if possible: the accuracies,
     * loss and consensus distance of the last AccuracyByRound; the largest epsilons and delta of
     * the guarantees of nodes; the largest |wError|; the per-round geometric means of q and the
     * largest q bound; the message totals of `delivery_by_link`. All other items stay NULL.
     * @param name one of SummaryItems(), except `state`
     * @param value value of the item, in the item's unit
     * @throws Error if there is no such item
     */
    void SetSummary(std::string_view name, const SummaryValue& value);

    /**
     * @brief Appends a row.
     * @param row of one of the types of TraceRows; its struct defines its meaning
     */
    template <class Row>
    void Add(const Row& row)
    {
        AddRow(TraceRows::IndexOf<Row>(), &row);
    }

    /**
     * @brief Writes and commits all pending rows; afterwards a kill loses none of them, and a
     *        resumed run continues after them.
     * @param unsettled messages in flight, whose fate is not known yet. Their rows are committed
     *        after all other rows, and removed before the next row
     * @throws UsageError the first time, if settings or origin differ from those of the resumed run
     */
    void Flush(const std::vector<Delivery>& unsettled = {});

    /// Rows since the last commit; a vector counts as one for each 64 bytes.
    std::size_t Pending() const;

    /**
     * @brief Records the state of the run with the next Flush, which must follow immediately.
     * @param checkpoint the state, and the part of the journal that is new since the last
     *        checkpoint
     */
    void SetCheckpoint(const Checkpoint& checkpoint);

    /**
     * @brief Reads the last checkpoint of a resumed run; must be called before the first row.
     *
     * Rows up to the checkpoint may then be reported with any values.
     * @return the checkpoint with the whole journal; empty if there is none
     */
    std::optional<Checkpoint> LastCheckpoint();

    /// True while a resumed run has not yet repeated all rows of its trace.
    bool IsRepeating() const;

    /// Closes the file without the rows since the last commit.
    void Leave();

    /**
     * @brief Writes all pending rows, adds the indexes and closes; no call may follow.
     *
     * Exactly one file is left, which can also be opened from a read-only folder. SQLite's files
     * `-wal` and `-shm` remain only while another program has the trace open.
     * @param complete true if the run was completed; false after an interrupt @throws Error if
     *        writing fails
     */
    void Finish(bool complete);

    /// Closes and removes the file: for a run that failed before its first round.
    void Discard() noexcept;

    /// The path as given to the constructor.
    const std::string& Path() const;

  private:
    class Impl;

    void AddRow(std::size_t table, const void* row);

    std::unique_ptr<Impl> m_impl;
};

} // namespace dpdl

#endif // DPDL_TRACE_TRACE_STORE_H
