// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_TRACE_READER_H
#define DPDL_TRACE_TRACE_READER_H

#include "dpdl/trace/run-origin.h"
#include "dpdl/trace/trace-rows.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Reads the trace of a run through its views, without changing it.
 *
 * The file is untrusted. Indices of nodes and rounds, weights and fates outside their ranges, texts
 * in place of numbers and damaged files are rejected with a one-line error. Incomplete traces are
 * read up to their last row.
 *
 * Every call throws UsageError naming the trace if the file is damaged.
 */
class TraceReader
{
  public:
    /**
     * @brief Opens a trace for reading.
     * @param path the file
     * @throws UsageError if it does not exist, cannot be read, is not a trace, or has a schema
     *         version other than this program's or the previous one
     */
    explicit TraceReader(const std::string& path);
    ~TraceReader();

    /// The path as given to the constructor.
    const std::string& Path() const;

    /// True if the run was completed.
    bool Complete() const;

    /// A setting as a user would write it; empty if the trace has none of that name.
    std::optional<std::string> Setting(const std::string& name) const;

    /// A number of the summary; empty if it is NULL or a text.
    std::optional<double> SummaryNumber(const std::string& name) const;

    /// True if the run reported a violation of an assumption.
    bool HasViolation(const std::string& assumption) const;

    /// Rounds that each of @p nodes nodes has completed, from the rows of `round_by_node`.
    std::vector<Round> RoundsByNode(std::size_t nodes) const;

    /**
     * @brief Reads the privacy ledger, by node, oldest release first.
     * @param nodes number of nodes; rows must have a smaller index
     * @param visit called for each row; the texts live until it returns
     */
    void ReadReleases(std::size_t nodes, const std::function<void(const Release&)>& visit) const;

    /// Reads the guarantees of the nodes; parameters as for ReadReleases().
    void ReadGuarantees(std::size_t nodes,
                        const std::function<void(const GuaranteeByNode&)>& visit) const;

    /// The largest bound from audits of a node; empty if it was not audited.
    std::optional<ObservedBound> StrongestAudit(NodeId node) const;

    /**
     * @brief Reads every message, in the order of round, source and target.
     * @param nodes number of nodes
     * @throws UsageError naming the column if a node is not below @p nodes, or a weight is not in
     *         [0, 1]
     */
    std::vector<Delivery> Deliveries(std::size_t nodes) const;

  private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace dpdl

#endif // DPDL_TRACE_TRACE_READER_H
