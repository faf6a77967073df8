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
 * The file is untrusted. The reader rejects damaged files, indices of nodes and rounds, weights and
 * fates outside their ranges, and texts in place of numbers. Incomplete traces are read up to their
 * last row.
 *
 * Every call throws UsageError naming the trace, if the file is damaged or a value is rejected.
 */
class TraceReader
{
  public:
    /**
     * @brief Opens a trace for reading.
     * @param path path of the trace
     * @throws UsageError naming the path if the file does not exist, cannot be read, is not a
     *         trace, or has a schema version other than this program's version or the version
     *         before it
     */
    explicit TraceReader(const std::string& path);
    ~TraceReader();

    /// The path as given to the constructor.
    const std::string& Path() const;

    /// True if the run was complete when its trace was closed.
    bool Complete() const;

    /// A setting, as a user would write it; empty if the trace has no setting of that name.
    std::optional<std::string> Setting(const std::string& name) const;

    /// A number of view `summary`; empty if the item is missing, NULL or a text.
    std::optional<double> SummaryNumber(const std::string& name) const;

    /// True if view `violation` has a row for the assumption.
    /// @param assumption name in Assumptions()
    bool HasViolation(const std::string& assumption) const;

    /// By node: number of rounds that the node has completed; 0 if the trace has none.
    /// @param nodes number of nodes
    std::vector<Round> RoundsByNode(std::size_t nodes) const;

    /**
     * @brief Reads the privacy ledger in the order of nodes, each with its oldest release first.
     * @param nodes number of nodes; indices of @p nodes or above are rejected
     * @param visit callback for each row; texts of the row are valid until it returns
     */
    void ReadReleases(std::size_t nodes, const std::function<void(const Release&)>& visit) const;

    /// Reads the guarantees of all nodes, in ascending order of nodes.
    /// @param nodes number of nodes; indices of @p nodes or above are rejected
    /// @param visit callback for each row; texts of the row are valid until it returns
    void ReadGuarantees(std::size_t nodes,
                        const std::function<void(const GuaranteeByNode&)>& visit) const;

    /// Largest lower bound on a node's epsilon from its audits; empty if the node was not audited.
    std::optional<ObservedBound> StrongestAudit(NodeId node) const;

    /**
     * @brief Reads all messages, in the order of round, source and target.
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
