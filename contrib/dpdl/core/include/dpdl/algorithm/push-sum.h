// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_PUSH_SUM_H
#define DPDL_ALGORITHM_PUSH_SUM_H

#include "dpdl/algorithm/learner-observer.h"
#include "dpdl/algorithm/link-copies.h"
#include "dpdl/algorithm/loss-policy.h"
#include "dpdl/algorithm/mass-ledger.h"
#include "dpdl/topology/graph-sequence.h"
#include "dpdl/training/chunk-layout.h"
#include "dpdl/training/compressor.h"
#include "dpdl/training/mix-rule.h"

#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace dpdl
{

/// What the push-sum of all nodes has in common. The pointers outlive the nodes.
struct PushSumContext
{
    const GraphSequence* graph{nullptr};     ///< who sends to whom
    MassLedger* ledger{nullptr};             ///< every node's w
    LearnerObserver* observer{nullptr};      ///< receives what happens
    LossPolicy lossPolicy{LossPolicy::NONE}; ///< in force for all links
    Round staleness{0};                      ///< rounds that a node may run ahead of what it heard
    bool mixesEarly{false};                  ///< shares are mixed before their round is reached
    std::size_t pulled{0};   ///< chunks, the first ones, that are under RENORMALISE in any case
    bool scatters{false};    ///< every chunk goes to out-neighbours of its own
    ChunkLayout chunks;      ///< how models are cut into shares
    Compression compression; ///< how shares travel
    MixRule rule;            ///< how shares are mixed
    ParameterHandle initial; ///< z^0, which all nodes have, also those that lose their state
    /// Links under RUNNING_SUM, by (source, target): what each owes of each chunk.
    std::map<std::pair<NodeId, NodeId>, std::vector<RunningSumLink>> links;
    /// True if another process has the node, and with it the links to it; empty: none has.
    std::function<bool(NodeId)> isElsewhere;

    /// Policy for lost shares of a chunk.
    LossPolicy PolicyOf(std::size_t chunk) const
    {
        return chunk < pulled ? LossPolicy::RENORMALISE : lossPolicy;
    }

    /// The round of `graph` by which a chunk travels.
    Round GraphRound(Round round, std::size_t chunk) const
    {
        return scatters ? static_cast<Round>(round * chunks.Count() + chunk) : round;
    }

    /// The link of a share. @param share of RUNNING_SUM
    RunningSumLink& LinkOf(const Share& share);

    /**
     * @brief Decides what becomes of a message that will never arrive, and says so to the observer.
     * @param share the message
     * @param cause what happened to it
     * @param at when that was
     * @return where its mass is now
     */
    LostMass Lose(const Share& share, const MessageLoss& loss, double at);
};

/// Calls its argument when a sender has learnt of a loss; the driver of the node knows when.
using LossFeedback = std::function<void(std::function<void()>)>;

/// Update of z after mixing, if nodes send before they step.
struct LateStep
{
    ParameterHandle increment; ///< to add, in the unit of z; empty: nothing
    bool isPlain{false};       ///< true: it is in the unit of x = w z, by the w after mixing
};

/**
 * @brief One node's mass: what it holds, gives away, loses, and takes in (Kempe et al., 2003).
 *
 * Split() gives every out-neighbour of a round its part of w; Receive() takes shares in, in any
 * order and of any round; Mix() makes the sum of the masses that were kept and heard the new w, and
 * lists the terms whose sum is the new z. Lose() decides, by the policy in force, what becomes of
 * a share that does not arrive. The fate of every share is decided once, so that the ledger is
 * exact after every call.
 *
 * A model that is cut into chunks is that many push-sums side by side: every chunk has its own w,
 * and its own share for every out-neighbour. Parameters behind the last chunk are not shared: a
 * node keeps its own.
 *
 * With a compressor a share stands for an approximation z' of z. What the node keeps of x is w z
 * less what all shares stand for: what compression has left out stays at the node, and mixing
 * compresses it anew with the next state. So x is neither lost nor made, whatever the error.
 *
 * By a MixRule other than average the last share of a sender stands for all that it has in the
 * inbox, and what came back to a node is its own model: a sender has one voice. The masses are
 * taken as ever.
 *
 * Nothing here depends on the order in which shares arrive: they are mixed by source and round.
 */
class PushSum
{
  public:
    /**
     * @param node this node
     * @param context shared by all nodes
     * @param rounds rounds of the run: a message of a later one is never mixed
     */
    PushSum(NodeId node, PushSumContext& context, Round rounds);

    /// @param feedback notifies the node of its losses; needed under REFUND
    void SetFeedback(LossFeedback feedback)
    {
        m_feedback = std::move(feedback);
    }

    /// The node's w of a chunk right now.
    ScaledDouble Weight(std::size_t chunk) const
    {
        return m_context.ledger->Weight(m_node, chunk);
    }

    /// References against which a job compresses the state that a round sends; see CompressedState.
    std::vector<CompressedState> PrepareMessages(Round round, ParameterPool& pool) const;

    /**
     * @brief Splits w over the out-neighbours of a round.
     * @param round the round
     * @param z the node's z^{round+1/2}, or what it sends in its place
     * @param compressed what PrepareMessages() gave, done; empty: z is sent as it is
     * @param now simulated time
     * @param isLie whether z is not what the node has
     * @return one share for each out-neighbour and chunk, by target, then chunk; valid until Mix()
     */
    const std::vector<Share>& Split(Round round,
                                    const ParameterHandle& z,
                                    const std::vector<CompressedState>& compressed,
                                    double now,
                                    bool isLie = false);

    /**
     * @brief A message of this node's will never arrive.
     *
     * Under REFUND the node takes its mass back once it has learnt of the loss, and its next mixing
     * has it; unless it has forgotten that it sent the message.
     * @param share the message
     * @param cause what happened to it
     * @param at when that was
     */
    void Lose(const Share& share, const MessageLoss& loss, double at);

    /// The mass of a loss comes back to this node, which sent it; see Lose().
    void TakeBack(const Share& share);

    /// The node does not remember what it has sent: the mass of losses not yet refunded is gone.
    void ForgetSent(double now)
    {
        m_forgottenUntil = now;
        m_copies.ForgetSent();
    }

    /// True if this node can read a message for it; see LinkCopies.
    bool CanRead(const Share& share) const
    {
        return m_copies.CanRead(share);
    }

    /// A message for this node arrived in its round @p current.
    void Receive(const Share& share, Round current, double now);

    /**
     * @brief A message for this node arrived damaged.
     * @return true if that was its only chance, so that its sender has to Lose() it; false if a
     *         copy of it has arrived before
     */
    bool ReceiveDamaged(const Share& share, double now);

    /**
     * @brief True if a node has received enough to close a round: from every in-neighbour, all
     * chunks of the round that lies the staleness before it.
     *
     * Earlier rounds were heard, or given up at their deadlines, when their own turn came.
     * @param round the node's round
     */
    bool HeardAll(Round round) const;

    /// True if all shares of @p round, which is not closed, have arrived.
    bool HeardAllOf(Round round) const;

    /// In-neighbours whose message HeardAll() still waits for, in ascending order.
    std::vector<NodeId> Missing(Round round) const;

    /**
     * @brief Closes a round with what has arrived.
     * @param round the round
     * @param z what the node split
     * @param step is added to what was mixed
     * @param now simulated time
     * @param[out] terms get what sums up to the new z
     */
    void Mix(Round round,
             const ParameterHandle& z,
             const LateStep& step,
             double now,
             std::vector<MixTerm>& terms);

    /**
     * @brief The node loses what has arrived and is not mixed; running sums owe it again.
     *
     * Which messages have arrived stays known, so that no copy of them counts later.
     */
    void LoseInbox();

    /// The node loses what it holds; its w is 0 until it mixes a share that carries mass.
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
    void KeepRest(std::size_t chunk, ScaledDouble total, std::vector<MixTerm>& terms) const;
    void MixChunk(std::size_t chunk,
                  std::size_t& next,
                  const ParameterHandle& z,
                  const LateStep& step,
                  std::vector<MixTerm>& terms);

    NodeId m_node;                        ///< this node
    PushSumContext& m_context;            ///< shared by all nodes
    Round m_rounds;                       ///< rounds of the run
    LinkCopies m_copies;                  ///< of its links, if differences are sent
    LossFeedback m_feedback;              ///< see SetFeedback()
    double m_forgottenUntil{-1.0};        ///< see ForgetSent(); -1: nothing is forgotten
    std::vector<Share> m_outgoing;        ///< of the current round
    std::vector<Share> m_inbox;           ///< arrived and not mixed
    std::vector<Share> m_used;            ///< mixed last
    std::map<Round, std::size_t> m_heard; ///< messages by round, of rounds still waited for
    /// By source, what has arrived, chunk by chunk of a round.
    std::map<NodeId, std::vector<bool>> m_arrived;
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_PUSH_SUM_H
