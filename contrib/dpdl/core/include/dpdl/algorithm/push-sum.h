// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_PUSH_SUM_H
#define DPDL_ALGORITHM_PUSH_SUM_H

#include "dpdl/algorithm/learner-observer.h"
#include "dpdl/algorithm/link-copies.h"
#include "dpdl/algorithm/loss-policy.h"
#include "dpdl/algorithm/mass-ledger.h"
#include "dpdl/topology/graph-sequence.h"
#include "dpdl/training/compressor.h"
#include "dpdl/training/mix-rule.h"
#include "dpdl/training/parameters.h"

#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace dpdl
{

/// Data shared by the PushSum objects of all nodes. What the pointers refer to must outlive all
/// PushSum objects.
struct PushSumContext
{
    const GraphSequence* graph{nullptr}; ///< topology: out-neighbours and weights of every round
    MassLedger* ledger{nullptr};         ///< push-sum weight w of every node, and mass in flight
    LearnerObserver* observer{nullptr};  ///< observer that receives the events of all nodes
    LossPolicy lossPolicy{LossPolicy::NONE}; ///< policy for lost messages on all links
    /// Largest number of rounds by which a node may be ahead of the shares for which it waits.
    Round staleness{0};
    /// True: a node also mixes shares of rounds after its current round.
    bool mixesFutureShares{false};
    /// Number of leading chunks with policy RENORMALISE, regardless of `lossPolicy`.
    std::size_t renormalisedChunks{0};
    bool chunksHaveOwnLinks{false}; ///< true: every chunk has separate out-neighbours
    ChunkLayout chunks;             ///< layout of the chunks of a model
    Compression compression;        ///< compression of the states in shares
    MixRule rule;                   ///< rule for mixing shares
    /// Initial state z^0 of all nodes. A node that lost its state returns to z^0.
    ParameterHandle initial;
    /// Undelivered shares under RUNNING_SUM: one RunningSumLink per chunk, by (source, target).
    std::map<std::pair<NodeId, NodeId>, std::vector<RunningSumLink>> links;
    /// Returns true if another process simulates the given node and its incoming links; empty: this
    /// process simulates all nodes.
    std::function<bool(NodeId)> isElsewhere;

    /// Policy for lost shares of a chunk.
    LossPolicy PolicyOf(std::size_t chunk) const
    {
        return chunk < renormalisedChunks ? LossPolicy::RENORMALISE : lossPolicy;
    }

    /// Index of the round in `graph` whose links carry a chunk in @p round of the run. The two
    /// rounds differ if every chunk has separate links.
    Round GraphRound(Round round, std::size_t chunk) const
    {
        return chunksHaveOwnLinks ? static_cast<Round>(round * chunks.Count() + chunk) : round;
    }

    /// Undelivered shares of the link and chunk of @p share; used only under policy RUNNING_SUM.
    RunningSumLink& LinkOf(const Share& share);

    /**
     * @brief Decides the fate of a lost message's mass, and notifies the LearnerObserver.
     * @param share the lost message
     * @param loss reason and place of the loss
     * @param at time of the loss, in simulated seconds
     * @return fate of the message's mass
     */
    LostMass Lose(const Share& share, const MessageLoss& loss, double at);
};

/// Function that receives a callback and schedules it for the simulated time at which the sender is
/// notified of a lost message. The driver of the node chooses this time.
using LossFeedback = std::function<void(std::function<void()>)>;

/// Update that a node adds to z after mixing, if nodes send before they step.
struct LateStep
{
    ParameterHandle increment; ///< vector to add, in units of z; empty: none
    bool isPlain{false}; ///< true: the vector is in units of x = w z instead, with w after mixing
};

/**
 * @brief The mass of one node: splitting, receiving, mixing and lost messages (Kempe et al., 2003).
 *
 * Split() makes a share with a part of w for every out-neighbour of a round. Receive() accepts
 * shares of any round in any order. Mix() computes the new w from the kept and received masses, and
 * returns the summands of the new z. Lose() applies the policy for lost messages to a share that
 * does not arrive. After every call the MassLedger accounts for all mass.
 *
 * A chunked model consists of parallel push-sums: every chunk has a separate w, and a share for
 * every out-neighbour. Parameters after the last chunk are local and never sent.
 *
 * With a compressor, a share represents an approximation z' of z. The node keeps w z minus the x =
 * mass * z' of all its shares. The compression residual thus stays at the node and is part of its
 * next state, so the sum of x over the nodes is conserved.
 *
 * A MixRule other than average receives one model per sender: the model of the sender's latest
 * share in the inbox, with the mass of all its shares. Shares whose mass returned to this node
 * count as the node's model. Masses are added as in push-sum.
 *
 * The result does not depend on the order of arrival: shares are mixed in the order of source and
 * round.
 */
class PushSum
{
  public:
    /**
     * @param node this node
     * @param context data shared by all nodes; must outlive this object
     * @param rounds number of rounds of the run; messages of later rounds are never mixed
     */
    PushSum(NodeId node, PushSumContext& context, Round rounds);

    /// Sets the callback for lost messages.
    /// @param feedback notifies this node of a lost message, at a time that its driver chooses.
    /// Under REFUND it must be set before the first round
    void SetFeedback(LossFeedback feedback)
    {
        m_feedback = std::move(feedback);
    }

    /// Current push-sum weight w >= 0 of the node for a chunk. Without chunking, the chunk is 0.
    ScaledDouble Weight(std::size_t chunk) const
    {
        return m_context.ledger->Weight(m_node, chunk);
    }

    /// Buffers for the compressed states that are sent in a round, one for each reference state;
    /// empty without compression.
    /// @param pool provides the buffers
    std::vector<CompressedState> PrepareMessages(Round round, ParameterPool& pool) const;

    /**
     * @brief Splits w over the out-neighbours of a round.
     * @param round index of the round, from 0
     * @param z the node's z^{round+1/2}, or the false state that it sends instead
     * @param compressed completed results of PrepareMessages(); empty: z is sent uncompressed
     * @param now current time, in simulated seconds
     * @param isLie true: z is not the node's state
     * @return one share for each out-neighbour and chunk, by target, then chunk; valid until Mix()
     */
    const std::vector<Share>& Split(Round round,
                                    const ParameterHandle& z,
                                    const std::vector<CompressedState>& compressed,
                                    double now,
                                    bool isLie = false);

    /**
     * @brief Handles a permanently lost message of this node.
     *
     * Under REFUND the node takes the mass back when it is notified of the loss, and uses it in its
     * next mixing. If a crash made the node forget the message, the mass is lost.
     * @param share the lost message
     * @param loss reason and place of the loss
     * @param at time of the loss, in simulated seconds
     */
    void Lose(const Share& share, const MessageLoss& loss, double at);

    /// Takes back the mass of a lost share of this node; see Lose().
    void Refund(const Share& share);

    /// Forgets all sent messages: the mass of lost messages that is not yet refunded is lost.
    /// @param now current time, in simulated seconds
    void ForgetSent(double now)
    {
        m_forgottenUntil = now;
        m_copies.ForgetSent();
    }

    /// True if this node can decode a message: the message carries a whole state, or a difference
    /// to a state that this node has (LinkCopies).
    bool CanRead(const Share& share) const
    {
        return m_copies.CanRead(share);
    }

    /// Handles a message that arrived undamaged. A further copy of an arrived message is only
    /// reported to the LearnerObserver, as Arrival::DUPLICATE.
    /// @param current round that this node is in
    /// @param now simulated seconds
    void Receive(const Share& share, Round current, double now);

    /**
     * @brief Handles a message that arrived damaged.
     * @return true if no other copy of the message has arrived. The sender must then call Lose()
     */
    bool ReceiveDamaged(const Share& share, double now);

    /**
     * @brief True if a node can close a round: all chunks of round `round - staleness` have arrived
     *        from every in-neighbour, or there is no such round.
     *
     * Earlier rounds are complete, or their deadlines have passed.
     * @param round the node's round
     */
    bool HeardAll(Round round) const;

    /// True if the shares of @p round have arrived from all in-neighbours and for all chunks. The
    /// round must not have been closed.
    bool HeardAllOf(Round round) const;

    /// In-neighbours for whose message HeardAll() still waits, in ascending order.
    std::vector<NodeId> Missing(Round round) const;

    /**
     * @brief Closes a round with the shares that have arrived.
     * @param round index of the round, from 0
     * @param z the node's z^{round+1/2}; also if a false state was passed to Split()
     * @param step update that is added to z after mixing
     * @param now current time, in simulated seconds
     * @param[out] terms the summands of the new z are appended to it
     */
    void Mix(Round round,
             const ParameterHandle& z,
             const LateStep& step,
             double now,
             std::vector<MixTerm>& terms);

    /**
     * @brief Drops arrived shares that are not mixed. Under RUNNING_SUM they return to their links,
     *        and later messages deliver them again.
     *
     * The record of arrived messages stays, so later copies of these messages count as duplicates.
     */
    void LoseInbox();

    /// Drops the node's mass; its w is 0 until it mixes a share with mass.
    void LoseWeight();

  private:
    void Forget(const Share& share);
    void Give(Share share, const std::vector<CompressedState>& compressed, double now);
    bool IsFirstCopy(const Share& share);
    bool HasArrived(NodeId source, std::size_t index) const;
    std::size_t Expected(Round round) const;
    void TakeInbox(Round round);
    void AddShares(std::size_t first,
                   std::size_t end,
                   ScaledDouble total,
                   std::size_t own,
                   std::vector<MixTerm>& terms) const;
    void AddResidual(std::size_t chunk, ScaledDouble total, std::vector<MixTerm>& terms) const;
    void MixChunk(std::size_t chunk,
                  std::size_t& next,
                  const ParameterHandle& z,
                  const LateStep& step,
                  std::vector<MixTerm>& terms);

    NodeId m_node;             ///< index of this node
    PushSumContext& m_context; ///< data shared by the PushSum objects of all nodes
    Round m_rounds;            ///< number of rounds of the run
    /// Reference states at both ends of this node's links, for messages that are differences.
    LinkCopies m_copies;
    LossFeedback m_feedback; ///< notifies this node of lost messages; empty: no notification
    /// Messages sent up to this simulated time, in s, are forgotten; -1: none is forgotten.
    double m_forgottenUntil{-1.0};
    std::vector<Share> m_outgoing; ///< shares sent in the current round
    std::vector<Share> m_inbox;    ///< shares that have arrived and are not mixed
    std::vector<Share> m_used;     ///< shares that the last mixing used
    /// Number of messages that have arrived, by round; closed rounds have no entry.
    std::map<Round, std::size_t> m_heard;
    /// By source: true for each message that has arrived, at the index round * number of chunks +
    /// chunk.
    std::map<NodeId, std::vector<bool>> m_arrived;
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_PUSH_SUM_H
