// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_TRACE_READER_H
#define DPDL_TRACE_TRACE_READER_H

#include "dpdl/trace/audit-entry.h"
#include "dpdl/trace/trace-rows.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Reads a trace that a run has left, through the views, without changing it.
 *
 * The file may come from anywhere: nodes, rounds, weights and fates outside their ranges, texts in
 * the place of numbers and damaged files are refused in one line, never handed on. Incomplete
 * traces are read as far as they go.
 *
 * Every call throws UsageError naming the trace if the file turns out to be damaged.
 */
class TraceReader
{
  public:
    /**
     * @brief Opens a trace for reading.
     * @param path the file
     * @throws UsageError if it does not exist, cannot be read, is not a trace, or has a schema
     *         version other than this program's and the one before
     */
    explicit TraceReader(const std::string& path);
    ~TraceReader();

    TraceReader(const TraceReader&) = delete;
    TraceReader& operator=(const TraceReader&) = delete;

    /// The path as given to the constructor.
    const std::string& Path() const;

    /// True if the run has reached its end.
    bool Complete() const;

    /// A setting as a user would write it; empty if the trace has none of that name.
    std::optional<std::string> Setting(const std::string& name) const;

    /// A number of the summary; empty if it is NULL or a text.
    std::optional<double> SummaryNumber(const std::string& name) const;

    /// True if the run reported that an assumption did not hold.
    bool HasViolation(const std::string& assumption) const;

    /// Rounds that each of @p nodes nodes has finished, by the rows of `round_by_node`.
    std::vector<Round> RoundsByNode(std::size_t nodes) const;

    /**
     * @brief Reads the privacy ledger, by node, oldest release first.
     * @param nodes rows must name a smaller node
     * @param visit called for each row; the texts live until it returns
     */
    void ReadReleases(std::size_t nodes,
                      const std::function<void(const ReleaseEntry&)>& visit) const;

    /// Same for the guarantees of the nodes.
    void ReadGuarantees(std::size_t nodes,
                        const std::function<void(const GuaranteeByNode&)>& visit) const;

    /// The largest bound that audits of a node have shown; empty if there was none.
    std::optional<ObservedBound> StrongestAudit(NodeId node) const;

    /**
     * @brief Reads every message, in the order of round, source and target.
     * @param nodes rows must name smaller nodes
     */
    std::vector<Delivery> Deliveries(std::size_t nodes) const;

  private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace dpdl

#endif // DPDL_TRACE_TRACE_READER_H
