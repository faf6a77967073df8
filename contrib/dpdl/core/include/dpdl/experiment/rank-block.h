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
 * @brief Block of nodes that one process of an MPI run simulates.
 *
 * The processes of a run are its ranks. Each rank has a block of consecutive nodes; block lengths
 * differ by at most one. Node indices are those of the whole run.
 */
struct RankBlock
{
    std::uint32_t rank{0};  ///< index of this process, 0..ranks-1
    std::uint32_t ranks{1}; ///< number of processes of the run

    /// True if this process simulates all nodes.
    bool IsWhole() const
    {
        return ranks == 1;
    }

    /// First node of this rank.
    /// @param nodes number of nodes of the run
    NodeId Begin(std::size_t nodes) const
    {
        return static_cast<NodeId>(nodes * rank / ranks);
    }

    /// Index past the last node of this rank.
    /// @param nodes number of nodes of the run
    NodeId End(std::size_t nodes) const
    {
        return static_cast<NodeId>(nodes * (rank + 1) / ranks);
    }

    /// Rank that simulates a node.
    /// @param node index of the node, 0..nodes-1
    /// @param nodes number of nodes of the run
    std::uint32_t RankOf(NodeId node, std::size_t nodes) const
    {
        return static_cast<std::uint32_t>(((node + std::size_t{1}) * ranks - 1) / nodes);
    }

    /// True if this rank simulates @p node.
    /// @param nodes number of nodes of the run
    bool Owns(NodeId node, std::size_t nodes) const
    {
        return RankOf(node, nodes) == rank;
    }
};

/// Communication between the ranks of a run, in addition to the messages of nodes. All ranks must
/// make collective calls in the same order.
class RankLink
{
  public:
    /// Receives the shares that a node mixed in a round, including the share that the node kept.
    using MixReceiver =
        std::function<void(NodeId node, Round round, const std::vector<MixedShare>& shares)>;

    virtual ~RankLink() = default;

    /// Smallest @p mine over all ranks. Collective call.
    /// @param mine value of this rank
    virtual std::uint64_t Least(std::uint64_t mine) = 0;

    /// True if @p mine is true on all ranks. Collective call.
    /// @param mine value of this rank
    bool All(bool mine)
    {
        return Least(mine ? 1 : 0) == 1;
    }

    /**
     * @brief Sums values over the ranks in ascending order, so the rounding equals that of a run in
     *        one process. Collective call.
     * @param[in,out] running zeros; on return the sums over all ranks, equal on every rank
     * @param add adds the summands of this rank to @p running
     */
    virtual void Chain(std::vector<double>& running, const std::function<void()>& add) = 0;

    /// Sends the shares mixed by a node of this rank to rank 0, possibly with a delay.
    MixReceiver reportMix{[](auto&&...) {}};

    /// On rank 0, receives the shares mixed by a node of another rank.
    MixReceiver takeMix{[](auto&&...) {}};
};

/// Sums values over all ranks with RankLink::Chain(); over this process only if @p ranks is null.
inline void
SumOver(RankLink* ranks, std::vector<double>& running, const std::function<void()>& add)
{
    ranks != nullptr ? ranks->Chain(running, add) : add();
}

/// Summary of the links between nodes of different ranks.
struct RankCut
{
    double part{0.0}; ///< fraction of the messages of a lossless run that travel between ranks,
                      ///< in [0, 1]; NaN: not known in advance
    /// Data rate, latency and overhead at which no link between ranks is faster.
    LinkParameters fastest;
    /// A link between ranks with the smallest latency; empty: unknown, or there is no such link.
    std::optional<Edge> link;
};

/// Properties of the links between nodes of different ranks of a run.
/// @param run run whose graph and links are resolved
RankCut CutOf(const ResolvedRun& run);

/// Path of the trace of rank @p rank: the path of the run's trace, with `.rankR` before the
/// extension.
std::string RankTraceName(const std::string& trace, std::uint32_t rank);

/**
 * @brief Rejects features for which a rank needs data of other ranks in addition to their messages.
 * @param run run whose graph is resolved
 * @throws UsageError naming the feature that cannot be divided among ranks
 */
void CheckDivisible(const ResolvedRun& run);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RANK_BLOCK_H
