// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RUN_PART_H
#define DPDL_EXPERIMENT_RUN_PART_H

#include "dpdl/base/types.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
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

/// What the ranks of a run exchange apart from messages. All of them make the same calls.
class RankLink
{
  public:
    virtual ~RankLink() = default;

    /// True if @p mine is true on every rank.
    virtual bool All(bool mine) = 0;

    /**
     * @brief Adds something up rank after rank, in their order, so that sums round as they do in
     *        one process.
     * @param running zeros; on return the same on every rank
     * @param add adds what this rank has to @p running
     */
    virtual void Chain(std::vector<double>& running, const std::function<void()>& add) = 0;
};

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
