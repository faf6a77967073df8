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
    WAITING,        ///< no round has begun, or the previous round has been mixed
    COMPUTING,      ///< the local step runs, and no share of the round has been sent
    COMPUTING_SENT, ///< the local step runs, and SendAhead() has already sent the shares
    /// The step is done; adding its noise waits for the announcements of other nodes.
    AWAITING_MAXIMUM,
    AWAITING_SHARES, ///< the node has sent its shares and waits for those of its in-neighbours
    FINISHED,        ///< all rounds are done; the last evaluation runs
};

/**
 * @brief One node's part in stochastic gradient push (Assran et al., ICML 2019) and its private
 *        variants, as a state machine independent of clock and network.
 *
 * The state is (z, w) with x = w z. PushSum keeps w and the shares; this class keeps z and the
 * round. In round k, BeginRound() submits the local step z^{k+1/2} = z^k - gamma' (g + N) to the
 * backend, with gradient g and its noise N. The step size gamma' in z depends on StepScale.
 * FinishStep() splits w over the out-neighbours and returns the shares to send. Receive() accepts
 * shares. Mix() closes the round, and the backend computes the new z at the start of the next step.
 *
 * An algorithm that sends first (GossipOrder::SEND_FIRST) sends z^k with SendAhead(), right after
 * BeginRound(). Mix() adds the result of the local step.
 *
 * With a SensitivityRound (DPPS), FinishStep() returns announcements instead of shares.
 * PublishAfterNoise() returns the shares. The driver calls it when HeardMaximum() is true, or after
 * a timeout.
 */
class Learner
{
  public:
    /**
     * @param node this node
     * @param context data shared by all learners; must outlive this object
     * @param initial initial state z^0; the learner takes ownership of the buffer
     */
    Learner(NodeId node, LearnerContext& context, ParameterHandle initial);

    /// Replaces the initial state z^0; must be called before the first round.
    void Start(ParameterHandle initial);

    /// Index of the node's current round, from 0; the number of rounds of the run if the node has
    /// finished.
    Round CurrentRound() const
    {
        return m_round;
    }

    /// Current phase. A crash only changes phase AWAITING_MAXIMUM, to COMPUTING.
    Phase CurrentPhase() const
    {
        return m_phase;
    }

    /// Sets the node's Byzantine attack from its next round on. A default-constructed Lie ends the
    /// attack.
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

    /// Starts the local step of the current round, or the last evaluation if Finished().
    /// @param now simulated seconds
    void BeginRound(double now);

    /**
     * @brief Sends z^k, if the algorithm sends before it steps.
     *
     * The driver calls it after all learners of a common round have called BeginRound(), so the
     * backend computes their steps together.
     * @param now current time, in simulated seconds
     * @return the shares to send, valid until Mix(); FinishStep() then returns none. Empty if the
     *         algorithm steps first, or if the shares of this round have already left
     */
    const std::vector<Share>& SendAhead(double now);

    /**
     * @brief Waits for the local step and splits the node's mass. Must be called once a round,
     *        after BeginRound().
     * @param now current time, in simulated seconds
     * @return one share for each out-neighbour of this round, by target; valid until Mix()
     */
    const std::vector<Share>& FinishStep(double now);

    /// True if the node announces a sensitivity estimate between step and shares of every round
    /// (DPPS).
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
     * @brief Adds the noise, scaled by the largest announced sensitivity (DPPS), and splits the
     *        node's mass. May be called only in phase AWAITING_MAXIMUM.
     * @param now current time, in simulated seconds
     * @return one share for each out-neighbour of this round, by target; valid until Mix()
     */
    const std::vector<Share>& PublishAfterNoise(double now);

    /// Sets the callback that notifies this node of its lost messages. Under policy REFUND it must
    /// be set before the first round.
    void SetFeedback(LossFeedback feedback)
    {
        m_pushSum.SetFeedback(std::move(feedback));
    }

    /// Applies the policy for lost messages to a permanently lost share of this node
    /// (PushSum::Lose()). No effect for an announcement.
    /// @param at time of the loss, in simulated seconds
    void Lose(const Share& share, const MessageLoss& loss, double at)
    {
        if (!share.IsAnnouncement())
        {
            m_pushSum.Lose(share, loss, at);
        }
    }

    /// Takes back the mass of a lost share of this node, for policy REFUND (PushSum::Refund()).
    void Refund(const Share& share)
    {
        m_pushSum.Refund(share);
    }

    /// Handles a message, share or announcement, that arrived undamaged.
    /// @param now simulated seconds
    void Receive(const Share& share, double now);

    /// True if this node can decode a message. A message that the node cannot decode counts as
    /// damaged.
    bool CanRead(const Share& share) const
    {
        return share.IsAnnouncement() || m_pushSum.CanRead(share);
    }

    /// Handles a message that arrived damaged.
    /// @param now simulated seconds
    /// @return true if the sender must call Lose(), because no other copy of the share has arrived;
    /// always false for an announcement
    bool ReceiveDamaged(const Share& share, double now)
    {
        return !share.IsAnnouncement() && m_pushSum.ReceiveDamaged(share, now);
    }

    /// True if all chunks that this round waits for have arrived, so the node can close it before
    /// the deadline. See PushSum::HeardAll().
    bool HeardAll() const
    {
        return m_pushSum.HeardAll(m_round);
    }

    /// Other nodes whose message has not arrived and is required by HeardMaximum() or HeardAll(),
    /// ascending; empty while the local step or the last evaluation runs.
    std::vector<NodeId> WaitsFor() const;

    /**
     * @brief Waits until the local step has run. Must be called between BeginRound() and
     *        FinishStep().
     * @return wall-clock time of the gradient step in s, without mixing and evaluation
     */
    double MeasureStep();

    /// Closes the round with the shares that have arrived; must be called once a round, after
    /// FinishStep() and, if Announces(), PublishAfterNoise().
    /// @param now current time, in simulated seconds
    void Mix(double now);

    /**
     * @brief Crashes the node. The shares that have arrived and are not mixed are lost, with their
     *        mass. Under RUNNING_SUM, later messages of the links deliver this mass.
     *
     * The round number, the record of arrived messages, and the running sums always survive. A
     * finished node loses nothing.
     * @param keepState false: z and w are also lost
     * @param now current time, in simulated seconds
     */
    void Crash(bool keepState, double now);

    /**
     * @brief Recovers the node in the round in which it crashed.
     *
     * If the crash interrupted the local step, the driver must wait for the step again;
     * FinishStep() then returns the same shares as without the crash. No share is sent twice. A
     * node that lost its state has z^0 and w = 0. It takes no step, and its shares carry no mass,
     * until it has mixed a share with mass.
     * @param now current time, in simulated seconds
     */
    void Recover(double now);

    /// True between Crash() and Recover().
    bool IsDown() const
    {
        return m_power != Power::UP;
    }

    /// State z of the node between FinishStep() and Mix(), and after the last round; empty at other
    /// times.
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

    NodeId m_node;             ///< index of this node
    LearnerContext& m_context; ///< data shared by all learners of the run
    PushSum m_pushSum;         ///< the node's mass and shares
    /// Scales the noise by an estimated sensitivity (DPPS); empty: noise has the planned scale.
    std::unique_ptr<SensitivityRound> m_sensitivityRound;
    Round m_round{0};              ///< current round, 0..rounds; rounds: finished
    Phase m_phase{Phase::WAITING}; ///< phase of the current round
    Power m_power{Power::UP};      ///< up, or down with or without its state
    double m_startedAt{0.0};       ///< simulated time at which the step started, s
    /// State z^k before the step, z^{k+1/2} after it; z^k throughout if the algorithm sends first.
    ParameterHandle m_state;
    ParameterHandle m_late; ///< update that Mix() adds, if the algorithm sends first
    ParameterHandle m_last; ///< m_state of the previous round, if gossip is accelerated
    Lie m_lie;              ///< the node's Byzantine attack from its next round on
    /// State that the node sends repeatedly as a STALE attack; empty: none yet.
    ParameterHandle m_stale;
    /// Summands of the next state. The job of the next round adds them before its step.
    std::vector<MixTerm> m_mix;
    /// Mean of the iterates from round LearnerContext::averageFrom on; empty: none yet.
    ParameterHandle m_average;
    std::uint64_t m_averaged{0}; ///< number of iterates in m_average
    /// State vectors that the local step keeps between rounds.
    std::vector<ParameterHandle> m_memory;
    std::shared_ptr<NodeJob> m_job; ///< job of the backend for the current round; empty: none yet
    std::vector<Share> m_none;      ///< empty list of shares that a finished node returns
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_LEARNER_H
