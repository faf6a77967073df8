// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_TRACE_STORE_H
#define DPDL_TRACE_TRACE_STORE_H

#include "dpdl/trace/summary-item.h"
#include "dpdl/trace/trace-rows.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace dpdl
{

/**
 * @brief Writes everything that one run has to say into one SQLite file.
 *
 * Rows are collected in memory and written in large transactions; an Add costs well below a
 * microsecond. The file is valid at any moment, whatever kills the process: it then lacks the rows
 * after the last transaction and its summary says `incomplete`. Only Finish(true) makes it say
 * `complete`.
 *
 * The order of the calls is the order of the rows, and the store adds no clock, host or user of its
 * own: equal calls give equal contents. Tables and views are documented in doc/formats/trace.md.
 * @code
 * TraceStore trace("run.db", {});
 * trace.SetSetting("nodes", "20");
 * trace.Flush();
 * trace.Add(AccuracyRow{10, 3.2, 0.71, 0.68, 0.72, 0.9, 0.04});
 * trace.SetSummary("wall_seconds", 1.7);
 * trace.Finish(true);
 * @endcode
 *
 * Not thread-safe: one thread writes. A full disk or an I/O error throws Error from the call that
 * meets it; every later call throws too, and the file keeps what had been committed.
 */
class TraceStore
{
  public:
    /// How to write.
    struct Options
    {
        bool overwrite{false};                   ///< replace an existing file
        std::uint32_t rowsPerTransaction{65536}; ///< what a killed run loses at most, in rows
    };

    /**
     * @brief Creates the file with its schema; it exists and says `incomplete` from here on.
     *
     * With Options::overwrite, an existing SQLite or empty file is removed together with its
     * companions (-wal, -shm, -journal); no other file is ever replaced.
     * @param path where; its folder has to exist
     * @param options how
     * @throws UsageError naming option 'trace' if the file exists (and says `--overwrite`), or its
     * folder does not exist or cannot be written
     */
    TraceStore(const std::string& path, const Options& options);

    /// Writes what is pending and leaves the file incomplete, unless Finish was called.
    ~TraceStore();

    TraceStore(const TraceStore&) = delete;
    TraceStore& operator=(const TraceStore&) = delete;

    /**
     * @brief Records an option, an attribute or a version that is in force. The last value wins.
     * @param name as a user would write it, without dashes
     * @param value as a user would write it
     */
    void SetSetting(std::string_view name, std::string_view value);

    /**
     * @brief Records a value of the summary: an integer, a floating point number or a text.
     * What is not set by the caller is filled in from the rows where they determine it:
     * the accuracies, loss and consensus distance of the last AccuracyRow; the largest epsilons and
     * delta of the GuaranteeRows; the largest |wError|; the per-round geometric means of q and the
     * largest q bound; the message totals of `delivery_by_link`. All else stays NULL.
     * @param name one of SummaryItems(), except `state`
     * @param value its value, in the item's unit
     * @throws Error if there is no such item
     */
    void SetSummary(std::string_view name, const SummaryValue& value);

    /// @name Rows. Each call appends one; their meaning is documented at the structs.
    /// @{
    void Add(const AccuracyRow& row);
    void Add(const NodeAccuracyRow& row);
    void Add(const GuaranteeRow& row);
    void Add(const RoundGuaranteeRow& row);
    void Add(const ReleaseRow& row);
    void Add(const DeliveryRow& row);
    void Add(const LinkEventRow& row);
    void Add(const MassRow& row);
    void Add(const QWindowRow& row);
    void Add(const ViolationRow& row);
    void Add(const SensitivityRow& row);
    void Add(const PositionRow& row);
    void Add(const FrameRow& row);
    void Add(const EnergyRow& row);
    void Add(const NodeRoundRow& row);

    /// Totals of a link, for runs that store no DeliveryRow; otherwise they are computed.
    void Add(const LinkRow& row);
    /// @}

    /**
     * @brief Stores a node's state after @p round rounds (0: the start).
     * @param round number of rounds done
     * @param node whose state
     * @param w its push-sum weight
     * @param z its de-biased parameters, flat, in the model's parameter order
     * @param count length of z
     */
    void AddSnapshot(Round round, NodeId node, double w, const float* z, std::size_t count);

    /**
     * @brief Stores the noise vector that a node added in an iteration; view `noise_by_round`.
     * @param round which round
     * @param node which node
     * @param iteration which noisy gradient of that round
     * @param values noise as it was added to the sum of the clipped gradients
     * @param count length of values
     */
    void AddNoise(Round round,
                  NodeId node,
                  std::uint32_t iteration,
                  const float* values,
                  std::size_t count);

    /**
     * @brief Every release of the run has been evaluated: lowers RoundGuaranteeRow::certifiedMax of
     *        the rows so far where it is larger, and sets it in the last one.
     * @param certifiedMax largest certified epsilon of any node
     */
    void SettleCertified(double certifiedMax);

    /// Writes and commits all pending rows; afterwards a kill loses none of them.
    void Flush();

    /**
     * @brief Writes everything, adds the indexes and closes; nothing may be added afterwards.
     *
     * Exactly one file is left, which opens from a read-only folder too (its companions stay only
     * while another program has it open).
     * @param complete whether the run reached its end; false after an interrupt
     */
    void Finish(bool complete);

    /// Closes and removes the file: for a run that failed before its first round.
    void Discard() noexcept;

    /// The path as given to the constructor.
    const std::string& Path() const;

  private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace dpdl

#endif // DPDL_TRACE_TRACE_STORE_H
