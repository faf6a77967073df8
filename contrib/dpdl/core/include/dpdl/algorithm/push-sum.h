// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_PUSH_SUM_H
#define DPDL_ALGORITHM_PUSH_SUM_H

#include "dpdl/algorithm/learner-observer.h"
#include "dpdl/algorithm/loss-policy.h"
#include "dpdl/algorithm/mass-ledger.h"
#include "dpdl/algorithm/running-sum-link.h"
#include "dpdl/topology/graph-sequence.h"

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
    LearnerObserver* observer{nullptr};      ///< is told what happens
    LossPolicy lossPolicy{LossPolicy::NONE}; ///< in force for all links
    /// Links under RUNNING_SUM, by (source, target).
    std::map<std::pair<NodeId, NodeId>, RunningSumLink> links;
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

    /// The node's w right now.
    ScaledDouble Weight() const
    {
        return m_context.ledger->Weight(m_node);
    }

    /**
     * @brief Splits w over the out-neighbours of a round.
     * @param round the round
     * @param z the node's z^{round+1/2}
     * @param now simulated time
     * @return one share for each out-neighbour, by target; valid until Mix()
     */
    const std::vector<Share>& Split(Round round, const ParameterHandle& z, double now);

    /**
     * @brief A message of this node's will never arrive.
     * @param share the message
     * @param cause what happened to it
     * @param at when that was
     */
    void Lose(const Share& share, LossCause cause, double at);

    /// A message for this node arrived in its round @p current.
    void Receive(const Share& share, Round current, double now);

    /**
     * @brief A message for this node arrived damaged.
     * @return true if that was its only chance, so that its sender has to Lose() it; false if a
     *         copy of it has arrived before
     */
    bool ReceiveDamaged(const Share& share);

    /// True if a message of @p round has arrived from every in-neighbour of that round.
    bool HeardAll(Round round) const;

    /**
     * @brief Closes a round with what has arrived.
     * @param round the round
     * @param z what the node split
     * @param now simulated time
     * @param[out] terms get what sums up to the new z
     */
    void Mix(Round round, const ParameterHandle& z, double now, std::vector<MixTerm>& terms);

    /**
     * @brief The node loses what has arrived and is not mixed; running sums owe it again.
     *
     * Which messages have arrived stays known, so that no copy of them counts later.
     */
    void LoseInbox();

    /// The node loses what it holds; its w is 0 until it mixes a share that carries mass.
    void LoseWeight();

  private:
    bool IsFirstCopy(const Share& share);
    void TakeInbox(Round round);
    ScaledDouble TakeUsed(ScaledDouble kept);

    NodeId m_node;                        ///< this node
    PushSumContext& m_context;            ///< shared by all nodes
    Round m_rounds;                       ///< rounds of the run
    std::vector<Share> m_outgoing;        ///< of the current round
    std::vector<Share> m_inbox;           ///< arrived and not mixed
    std::vector<Share> m_used;            ///< mixed last
    std::map<Round, std::size_t> m_heard; ///< messages by round, of rounds that are not closed
    std::map<NodeId, std::vector<bool>> m_arrived; ///< by source, the rounds that have arrived
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_PUSH_SUM_H
