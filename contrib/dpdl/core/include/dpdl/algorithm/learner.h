// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_LEARNER_H
#define DPDL_ALGORITHM_LEARNER_H

#include "dpdl/algorithm/learner-context.h"
#include "dpdl/algorithm/sensitivity-round.h"

#include <memory>
#include <utility>
#include <vector>

namespace dpdl
{

/// State of a node within its round.
enum class Phase
{
    WAITING,          ///< no round has begun, or the last one has been mixed
    COMPUTING,        ///< the local step runs
    COMPUTING_SENT,   ///< the local step runs, and the shares have left; see SendAhead()
    AWAITING_MAXIMUM, ///< the step is done; its noise waits for the announcements of other nodes
    AWAITING_SHARES,  ///< the node has sent its shares; shares of in-neighbours may be missing
    FINISHED,         ///< all rounds are done; the last evaluation runs
};

/**
 * @brief One node's part in stochastic gradient push (Assran et al., ICML 2019) and its private
 *        variants, as a state machine independent of clock and network.
 *
 * State is (z, w) with x = w z. PushSum keeps w and the shares, this class z and the rounds. Round
 * k: BeginRound() submits the local step to the backend, z^{k+1/2} = z^k - gamma' (g + noise), with
 * gradient g and the step size gamma' in z (StepScale). FinishStep() splits w over the
 * out-neighbours and returns the shares to send. Receive() accepts shares. Mix() closes the round,
 * and the backend computes the new z at the start of the next step.
 *
 * An algorithm that sends first (GossipOrder) sends z^k with SendAhead(), right after BeginRound():
 * the backend has then already computed the step, but only Mix() adds its result.
 *
 * With a SensitivityRound FinishStep() returns announcements instead of shares. The shares follow
 * with PublishAfterNoise(), when HeardMaximum() is true or after the timeout of the driver. Adding
 * the noise at that moment keeps pending jobs independent of each other.
 */
class Learner
{
  public:
    /**
     * @param node this node
     * @param context shared by all learners
     * @param initial initial state z^0; the learner takes ownership of the buffer
     */
    Learner(NodeId node, LearnerContext& context, ParameterHandle initial);

    /// Replaces the initial state z^0; must be called before the first round.
    void Start(ParameterHandle initial);

    /// Round that the node is in, 0-based; equal to the number of rounds when it has finished.
    Round CurrentRound() const
    {
        return m_round;
    }

    /// Phase of the node's round; a crash changes it only in phase AWAITING_MAXIMUM.
    Phase CurrentPhase() const
    {
        return m_phase;
    }

    /// Sets the node's Byzantine attack, or none, from its next round on.
    void SetLie(const Lie& lie)
    {
        m_lie = lie;
    }

    /// True if the node has mixed all rounds.
    bool Finished() const
    {
        return m_round == m_context.plan->Rounds();
    }

    /// True if the plan has a step in the current round.
    bool Learns() const;

    /// True if the algorithm sends before it steps; see SendAhead().
    bool SendsFirst() const
    {
        return m_context.plan->Settings().algorithm.order == GossipOrder::SEND_FIRST;
    }

    /// Starts the local step of the current round, or the last evaluation if Finished(). @param now
    /// simulated seconds
    void BeginRound(double now);

    /**
     * @brief Sends z^k, if the algorithm sends before it steps.
     *
     * The driver calls this after all learners of a common round have begun it, so the backend
     * computes them together.
     * @return the shares to send; FinishStep() then returns none. Empty if the algorithm steps
     *         first, or if the shares of this round have already left
     */
    const std::vector<Share>& SendAhead(double now);

    /**
     * @brief Waits for the local step and splits the node's mass.
     * @return one share for each out-neighbour of this round, by target; valid until Mix()
     */
    const std::vector<Share>& FinishStep(double now);

    /// True if the node announces a sensitivity between step and shares of every round (DPPS).
    bool Announces() const
    {
        return m_sensitivityRound != nullptr;
    }

    /// True if the announcements of all other nodes for the current round have arrived. Requires
    /// Announces().
    bool HeardMaximum() const
    {
        return m_sensitivityRound->HeardAll(m_round);
    }

    /**
     * @brief Adds the noise that waited for the maximum; in phase AWAITING_MAXIMUM.
     * @return one share for each out-neighbour of this round, by target; valid until Mix()
     */
    const std::vector<Share>& PublishAfterNoise(double now);

    /// Sets the callback for lost messages; see PushSum::SetFeedback().
    void SetFeedback(LossFeedback feedback)
    {
        m_pushSum.SetFeedback(std::move(feedback));
    }

    /// Handles a permanently lost message of this node; see PushSum::Lose().
    void Lose(const Share& share, const MessageLoss& loss, double at)
    {
        if (!share.IsAnnouncement())
        {
            m_pushSum.Lose(share, loss, at);
        }
    }

    /// Takes back the mass of a lost share; see PushSum::Refund().
    void Refund(const Share& share)
    {
        m_pushSum.Refund(share);
    }

    /// Handles a message, share or announcement, that arrived undamaged. @param now simulated
    /// seconds
    void Receive(const Share& share, double now);

    /// True if this node can decode a message; otherwise the message counts as damaged.
    bool CanRead(const Share& share) const
    {
        return share.IsAnnouncement() || m_pushSum.CanRead(share);
    }

    /// Handles a message that arrived damaged; see PushSum::ReceiveDamaged().
    bool ReceiveDamaged(const Share& share, double now)
    {
        return !share.IsAnnouncement() && m_pushSum.ReceiveDamaged(share, now);
    }

    /// True if the node can close its round before the deadline: all chunks for which it waits have
    /// arrived; see PushSum::HeardAll().
    bool HeardAll() const
    {
        return m_pushSum.HeardAll(m_round);
    }

    /// Nodes whose messages HeardMaximum() or HeardAll() still needs; none while the local step
    /// runs.
    std::vector<NodeId> WaitsFor() const;

    /**
     * @brief Waits until the local step has run; between BeginRound() and FinishStep().
     * @return its wall time in s: the gradient step, without mixing and evaluation
     */
    double MeasureStep();

    /// Closes the round with the shares that have arrived; must be called once a round, after
    /// FinishStep() and, if Announces(), PublishAfterNoise(). @param now simulated seconds
    void Mix(double now);

    /**
     * @brief Crashes the node: its inbox is lost with the mass in it. Under RUNNING_SUM the links
     *        deliver this mass again.
     *
     * Three things always survive: the round, the record of messages that arrived (so no copy
     * counts twice), and the running sums. A finished node has nothing left to lose.
     * @param keepState false: z and w are also lost
     * @param now simulated seconds
     */
    void Crash(bool keepState, double now);

    /**
     * @brief Recovers the node in the round in which it crashed.
     *
     * The driver must wait again for an interrupted step. FinishStep() then returns the shares that
     * it would have returned, and nothing is sent twice. Without its state the node has z^0 and w =
     * 0. It takes no step, and its shares carry no mass, until it has mixed a share with mass.
     * @param now simulated seconds
     */
    void Recover(double now);

    /// True between Crash() and Recover().
    bool IsDown() const
    {
        return m_power != Power::UP;
    }

    /// The node's z between FinishStep() and Mix(), and after the last round; empty at other times.
    const ParameterHandle& State() const
    {
        return m_state;
    }

    /// Current push-sum weight w of the node: the mean over the chunks of the model.
    ScaledDouble Weight() const
    {
        return m_context.ledger->MeanWeight(m_node);
    }

    /// Layout of the chunks into which every node splits its model for sending.
    const ChunkLayout& Chunks() const
    {
        return m_context.chunks;
    }

  private:
    /// State of the node with respect to crashes.
    enum class Power
    {
        UP,           ///< the node is running
        DOWN,         ///< the node has crashed
        WITHOUT_STATE ///< the node has crashed and lost z and w
    };

    bool HasSent() const
    {
        return m_phase == Phase::COMPUTING_SENT || m_phase == Phase::AWAITING_SHARES;
    }

    const std::vector<Share>& Publish(double now);
    bool HoldsNothing() const;
    LocalUpdate CurrentUpdate() const;
    void ScaleSteps(LocalUpdate& update) const;
    void AddToAverage();
    void PrepareLie();
    void ClearMemory();
    void MakeSensitivityRound();

    NodeId m_node;             ///< this node
    LearnerContext& m_context; ///< data shared by all learners of the run
    PushSum m_pushSum;         ///< the node's mass and shares
    /// Scales the noise of DPPS; empty: noise has the planned scale.
    std::unique_ptr<SensitivityRound> m_sensitivityRound;
    Round m_round{0};              ///< current round, 0..rounds; rounds: finished
    Phase m_phase{Phase::WAITING}; ///< phase of the current round
    Power m_power{Power::UP};      ///< up, or down with or without its state
    double m_startedAt{0.0};       ///< simulated start of the step, s
    ParameterHandle m_state;       ///< z^k before the step; after it z^{k+1/2}, or still z^k
    ParameterHandle m_late;        ///< step that Mix() adds, if the algorithm sends first
    ParameterHandle m_last;        ///< m_state of the previous round, if gossip is accelerated
    Lie m_lie;                     ///< the node's Byzantine attack from its next round on
    ParameterHandle m_stale; ///< old state that the node repeats under a STALE lie; empty: none yet
    /// Summands of the next state, which the next job adds up before its step.
    std::vector<MixTerm> m_mix;
    ParameterHandle m_average;   ///< mean of the iterates so far; see LearnerContext::averageFrom
    std::uint64_t m_averaged{0}; ///< number of iterates in the mean
    /// Vectors that the algorithm's step keeps between rounds.
    std::vector<ParameterHandle> m_memory;
    std::shared_ptr<NodeJob> m_job; ///< job of the backend for the current round; empty: none yet
    std::vector<Share> m_none;      ///< empty list of shares, for a finished node
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_LEARNER_H
