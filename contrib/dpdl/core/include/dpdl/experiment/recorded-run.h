// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RECORDED_RUN_H
#define DPDL_EXPERIMENT_RECORDED_RUN_H

#include "dpdl/audit/audit-answer.h"
#include "dpdl/base/release.h"
#include "dpdl/base/types.h"
#include "dpdl/privacy/privacy-step.h"
#include "dpdl/trace/trace-reader.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief A run read from its trace: the input of an accountant, an audit or an observer.
 *
 * The constructor reads ledger and guarantees once; later changes of the file do not affect them.
 * The trace of a killed run has the rows up to its last commit.
 */
class RecordedRun
{
  public:
    /**
     * @brief Opens a complete or incomplete trace for reading.
     * @param path path of the trace
     * @throws UsageError if the file does not exist, is not a trace, has a different schema
     *         version, is damaged, or lacks the settings of a run
     */
    explicit RecordedRun(const std::string& path);

    /// Open reader of the run's trace.
    const TraceReader& Reader() const
    {
        return m_reader;
    }

    /// Path of the trace, as given to the constructor.
    const std::string& Path() const
    {
        return m_reader.Path();
    }

    /// True if the run was complete when its trace was closed.
    bool Complete() const
    {
        return m_complete;
    }

    /// Number of nodes.
    std::size_t Nodes() const
    {
        return m_releases.size();
    }

    /// Number of rounds that every node has completed.
    dpdl::Round Rounds() const
    {
        return m_rounds;
    }

    /// Delta of the run's guarantees, in (0, 1).
    double Delta() const
    {
        return m_delta;
    }

    /// Neighbouring relation of the run's guarantees: add/remove or replace one example.
    Adjacency Neighbours() const;

    /**
     * @brief A setting, as a user would write it.
     * @throws UsageError if the trace has no setting of that name
     */
    std::string Setting(const std::string& name) const;

    /// A setting, as a user would write it; empty if the trace has none of that name.
    std::optional<std::string> FindSetting(const std::string& name) const
    {
        return m_reader.Setting(name);
    }

    /// Number of parts into which sampler `cyclic-poisson` divides a node's examples, to draw from
    /// one part after another; 1 if the trace does not record it.
    std::size_t SampledParts() const;

    /// Momentum gamma of Chebyshev-accelerated gossip, in [1, 2); 1: plain gossip, or not recorded
    /// in the trace.
    double GossipMomentum() const;

    /**
     * @brief Ledger of a node: its releases, oldest first.
     *
     * If the trace does not record epochs, each release of a sampler with epochs has a separate
     * epoch.
     * @param node less than Nodes()
     */
    const std::vector<Release>& Releases(NodeId node) const
    {
        return m_releases.at(node);
    }

    /// Recorded guarantees by node; empty if the run ended before it wrote them.
    const std::vector<GuaranteeByNode>& Guarantees() const
    {
        return m_guarantees;
    }

    /**
     * @brief Reads all messages from the trace, in the order of round, source and target.
     * @throws UsageError if the trace has no row per message (`--traceLevel=summary`)
     */
    std::vector<Delivery> Deliveries() const;

  private:
    void ReadReleases();
    void ReadGuarantees();

    TraceReader m_reader;    ///< reads the trace
    bool m_complete;         ///< true if the run was completed
    double m_delta;          ///< delta of the guarantees, in (0, 1)
    dpdl::Round m_rounds{0}; ///< number of rounds that every node has completed
    std::vector<std::vector<Release>> m_releases; ///< releases, by node
    std::vector<GuaranteeByNode> m_guarantees;    ///< guarantees, by node
};

/**
 * @brief Audits the releases that a run has recorded, and stores the result in its trace.
 *
 * The audit attacks the releases of one node: the requested node, or the node with the largest
 * privacy cost by the central-limit formula. The audit simulates the recorded schedule with
 * independent noise, without the model. The trace stores the result after those of earlier audits.
 * The claimed and the certified epsilon are those of the run. The verdict uses the largest lower
 * bound of all audits of the node.
 *
 * @param request request with form TRACE, which names the trace and optionally the node
 * @return result of the audit
 * @throws UsageError if the trace cannot be read or written, is incomplete, has no such node, or
 *         has no releases of the node that can be simulated
 */
AuditAnswer AuditRecordedRun(const AuditRequest& request);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RECORDED_RUN_H
