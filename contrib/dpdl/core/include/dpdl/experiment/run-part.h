// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RUN_PART_H
#define DPDL_EXPERIMENT_RUN_PART_H

#include "dpdl/base/types.h"
#include "dpdl/network/link-table.h"
#include "dpdl/topology/contraction-tracker.h"
#include "dpdl/topology/graph-sequence.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

struct ResolvedRun;

/**
 * @brief Which nodes of a run one process simulates.
 *
 * The processes of a run, its ranks, hold blocks of consecutive nodes that differ in length by one
 * at most. Numbers of nodes stay those of the whole run.
 */
struct RunPart
{
    std::uint32_t rank{0};  ///< this process, 0..ranks-1
    std::uint32_t ranks{1}; ///< processes of the run

    /// True if one process does it all.
    bool IsWhole() const
    {
        return ranks == 1;
    }

    /// First node of this rank. @param nodes of the run
    NodeId Begin(std::size_t nodes) const
    {
        return static_cast<NodeId>(nodes * rank / ranks);
    }

    /// One more than the last node of this rank. @param nodes of the run
    NodeId End(std::size_t nodes) const
    {
        return static_cast<NodeId>(nodes * (rank + 1) / ranks);
    }

    /// The rank that a node belongs to. @param node 0..nodes-1 @param nodes of the run
    std::uint32_t RankOf(NodeId node, std::size_t nodes) const
    {
        return static_cast<std::uint32_t>(((node + std::size_t{1}) * ranks - 1) / nodes);
    }

    /// True if this rank simulates @p node.
    bool Owns(NodeId node, std::size_t nodes) const
    {
        return RankOf(node, nodes) == rank;
    }
};

/// Exchange between the ranks of a run apart from messages.
class RankLink
{
  public:
    /// Takes what a node has mixed in a round, itself included.
    using MixReceiver =
        std::function<void(NodeId node, Round round, const std::vector<MixedShare>& shares)>;

    virtual ~RankLink() = default;

    /// The smallest that any rank gives. All ranks call it. @param mine of this one
    virtual std::uint64_t Least(std::uint64_t mine) = 0;

    /// True if @p mine is true on every rank. All ranks call it.
    bool All(bool mine)
    {
        return Least(mine ? 1 : 0) == 1;
    }

    /**
     * @brief Adds something up rank after rank, in their order, so that sums round as they do in
     *        one process. All ranks call it.
     * @param running zeros; on return the same on every rank
     * @param add adds what this rank has to @p running
     */
    virtual void Chain(std::vector<double>& running, const std::function<void()>& add) = 0;

    /// @param reporter brings what nodes of this rank have mixed to the first rank, some time
    void SetReporter(MixReceiver reporter)
    {
        m_reporter = std::move(reporter);
    }

    /// @param receiver of the first rank, for the nodes of the others
    void SetMixReceiver(MixReceiver receiver)
    {
        m_mixReceiver = std::move(receiver);
    }

    /// A node of this rank has mixed; see SetReporter().
    void ReportMix(NodeId node, Round round, const std::vector<MixedShare>& shares) const
    {
        if (m_reporter)
        {
            m_reporter(node, round, shares);
        }
    }

    /// A node of another rank has mixed; see SetMixReceiver().
    void TakeMix(NodeId node, Round round, const std::vector<MixedShare>& shares) const
    {
        if (m_mixReceiver)
        {
            m_mixReceiver(node, round, shares);
        }
    }

  private:
    MixReceiver m_reporter;    ///< receives mixes of this rank
    MixReceiver m_mixReceiver; ///< receives mixes of other ranks
};

/// Links from the nodes of one rank to those of another.
struct RankCut
{
    double part{0.0};         ///< of the messages of a run without loss, [0, 1]; NaN: unknown
    LinkParameters fastest;   ///< at least as fast as every link between ranks
    std::optional<Edge> link; ///< one of those with the least delay; empty: unknown, or none
};

/// The cut of a run into its ranks. @param run with its graph and its links
RankCut CutOf(const ResolvedRun& run);

/// The trace that a rank writes: that of the run with `.rankR` before its extension.
std::string RankTraceName(const std::string& trace, std::uint32_t rank);

/**
 * @brief Refuses what would need more of the other ranks than their messages.
 * @param run with its graph
 * @throws UsageError if the run cannot be cut into parts
 */
void CheckDivisible(const ResolvedRun& run);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RUN_PART_H
