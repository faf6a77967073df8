// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RANK_BLOCK_H
#define DPDL_EXPERIMENT_RANK_BLOCK_H

#include "dpdl/base/types.h"
#include "dpdl/network/link-table.h"
#include "dpdl/topology/contraction-tracker.h"
#include "dpdl/topology/graph-sequence.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace dpdl
{

struct ResolvedRun;

/**
 * @brief The nodes of a run that one process simulates.
 *
 * The processes of a run, its ranks, have blocks of consecutive nodes whose lengths differ by at
 * most one. Node indices are those of the whole run.
 */
struct RankBlock
{
    std::uint32_t rank{0};  ///< index of this process, 0..ranks-1
    std::uint32_t ranks{1}; ///< number of processes of the run

    /// True if one process simulates all nodes.
    bool IsWhole() const
    {
        return ranks == 1;
    }

    /// First node of this rank. @param nodes number of nodes of the run
    NodeId Begin(std::size_t nodes) const
    {
        return static_cast<NodeId>(nodes * rank / ranks);
    }

    /// One more than the last node of this rank. @param nodes number of nodes of the run
    NodeId End(std::size_t nodes) const
    {
        return static_cast<NodeId>(nodes * (rank + 1) / ranks);
    }

    /// The rank of a node. @param node 0..nodes-1 @param nodes number of nodes of the run
    std::uint32_t RankOf(NodeId node, std::size_t nodes) const
    {
        return static_cast<std::uint32_t>(((node + std::size_t{1}) * ranks - 1) / nodes);
    }

    /// True if this rank simulates @p node. @param nodes number of nodes of the run
    bool Owns(NodeId node, std::size_t nodes) const
    {
        return RankOf(node, nodes) == rank;
    }
};

/// Communication between the ranks of a run apart from messages.
class RankLink
{
  public:
    /// Receives the shares that a node has mixed in a round, itself included.
    using MixReceiver =
        std::function<void(NodeId node, Round round, const std::vector<MixedShare>& shares)>;

    virtual ~RankLink() = default;

    /// Smallest value over all ranks. Collective call. @param mine value of this rank
    virtual std::uint64_t Least(std::uint64_t mine) = 0;

    /// True if @p mine is true on every rank. Collective call.
    bool All(bool mine)
    {
        return Least(mine ? 1 : 0) == 1;
    }

    /**
     * @brief Sums over the ranks in their order, so sums are rounded as in one process. Collective
     *        call.
     * @param running partial sums, initially 0; on return the sums over all ranks, equal on every
     *        rank
     * @param add adds the summands of this rank to @p running
     */
    virtual void Chain(std::vector<double>& running, const std::function<void()>& add) = 0;

    /// Sends the shares mixed by a node of this rank to the first rank, possibly later.
    MixReceiver reportMix{[](auto&&...) {}};

    /// On the first rank, receives the shares mixed by a node of another rank.
    MixReceiver takeMix{[](auto&&...) {}};
};

/// The links between nodes of different ranks, as far as the simulation depends on them.
struct RankCut
{
    double part{0.0};       ///< fraction of the messages of a lossless run that go from one rank to
                            ///< another, in [0, 1]; NaN: not known in advance
    LinkParameters fastest; ///< parameters at least as fast as every link between ranks
    std::optional<Edge> link; ///< one of the links with the least delay; empty: unknown, or none
};

/// The links between the ranks of a run. @param run run whose graph and links are resolved
RankCut CutOf(const ResolvedRun& run);

/// Path of the trace of rank R: the path of the run's trace, with `.rankR` before its extension.
std::string RankTraceName(const std::string& trace, std::uint32_t rank);

/**
 * @brief Rejects features for which a rank needs more data of other ranks than their messages.
 * @param run run whose graph is resolved
 * @throws UsageError if the run cannot be divided into ranks
 */
void CheckDivisible(const ResolvedRun& run);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RANK_BLOCK_H
