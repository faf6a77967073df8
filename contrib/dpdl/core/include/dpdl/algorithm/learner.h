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

/// What a node does in its round.
enum class Phase
{
    WAITING,          ///< no round has begun, or the last one has been mixed
    COMPUTING,        ///< the local step runs
    COMPUTING_SENT,   ///< the same, and the shares have left: the algorithm sends first
    AWAITING_MAXIMUM, ///< the step is done; its noise waits for the announced sensitivities
    AWAITING_SHARES,  ///< the shares have left; those of the in-neighbours may be missing
    FINISHED,         ///< all rounds are done; the last evaluation runs
};

/**
 * @brief One node's part in stochastic gradient push (Assran et al., ICML 2019) and its private
 * variants, as a state machine that knows neither clock nor network.
 *
 * State is (z, w) with x = w z; w and the shares are the PushSum's, z and the rounds are kept here.
 * Round k: BeginRound() hands the local step to the backend, z^{k+1/2} = z^k - gamma' (g + noise);
 * FinishStep() splits w over the out-neighbours and gives the shares to send; Receive() takes
 * shares in; Mix() closes the round, and the backend computes the new z at the start of the next
 * step.
 *
 * An algorithm that sends first (GossipOrder) shares z^k with SendAhead(), right after
 * BeginRound(): the backend has then also done the step, but only Mix() adds its result.
 *
 * With a SensitivityRound FinishStep() gives announcements to send instead of shares; the shares
 * follow with PublishAfterNoise(), when HeardMaximum() or when the driver has waited long enough.
 * Computing at that moment keeps the rule that pending jobs do not depend on each other.
 */
class Learner
{
  public:
    /**
     * @param node this node
     * @param context shared by all learners
     * @param initial z^0; the learner takes the buffer over
     */
    Learner(NodeId node, LearnerContext& context, ParameterHandle initial);

    /// Gives the the node something to start with; before its first round.
    void Start(ParameterHandle initial);

    /// Round that the node is in, 0..rounds; equal to rounds when it has finished.
    Round CurrentRound() const
    {
        return m_round;
    }

    /// Phase of the node's round; a crash changes it only in phase AWAITING_MAXIMUM.
    Phase CurrentPhase() const
    {
        return m_phase;
    }

    /// Makes the node lie from its next round on.
    void SetLie(const Lie& lie)
    {
        m_lie = lie;
    }

    /// True when all rounds are mixed.
    bool Finished() const;

    /// True if the plan has a step in the current round.
    bool Learns() const;

    /// True if the algorithm sends before it steps; see SendAhead().
    bool SendsFirst() const;

    /// Starts the local step of the current round, or the last evaluation when Finished().
    void BeginRound(double now);

    /**
     * @brief Gives z^k away, where the algorithm sends before it steps.
     *
     * A driver of several learners calls this when all that begin a round together have begun,
     * so that the backend computes them together.
     * @return as FinishStep(), which then has none; none if the algorithm steps first, or if the
     *         shares of this round have been given away before
     */
    const std::vector<Share>& SendAhead(double now);

    /**
     * @brief Waits for the local step and splits the node's mass.
     * @return one share for each out-neighbour of this round, by target; valid until Mix()
     */
    const std::vector<Share>& FinishStep(double now);

    /// True if every round has a noise phase between its step and its shares.
    bool Announces() const
    {
        return m_sensitivityRound != nullptr;
    }

    /// True if all announcements of the round have been heard.
    bool HeardMaximum() const
    {
        return m_sensitivityRound->HeardAll(m_round);
    }

    /**
     * @brief Adds the noise that waited for the maximum; in phase AWAITING_MAXIMUM.
     * @return one share for each out-neighbour of this round, by target; valid until Mix()
     */
    const std::vector<Share>& PublishAfterNoise(double now);

    /// See PushSum::SetFeedback().
    void SetFeedback(LossFeedback feedback)
    {
        m_pushSum.SetFeedback(std::move(feedback));
    }

    /// A message of this node's will never arrive; see PushSum::Lose().
    void Lose(const Share& share, const MessageLoss& loss, double at)
    {
        if (!share.IsAnnouncement())
        {
            m_pushSum.Lose(share, loss, at);
        }
    }

    /// See PushSum::TakeBack().
    void TakeBack(const Share& share)
    {
        m_pushSum.TakeBack(share);
    }

    /// A message for this node arrived.
    void Receive(const Share& share, double now);

    /// True if this node can read a message for it; one that it cannot read is a damaged one.
    bool CanRead(const Share& share) const
    {
        return share.IsAnnouncement() || m_pushSum.CanRead(share);
    }

    /// A message for this node arrived damaged; see PushSum::ReceiveDamaged().
    bool ReceiveDamaged(const Share& share, double now)
    {
        return !share.IsAnnouncement() && m_pushSum.ReceiveDamaged(share, now);
    }

    /// True if the round may be closed without a deadline; see PushSum::HeardAll().
    bool HeardAll() const
    {
        return m_pushSum.HeardAll(m_round);
    }

    /// Nodes that HeardMaximum() or HeardAll() still waits for; none while the local step runs.
    std::vector<NodeId> WaitsFor() const;

    /**
     * @brief Waits until the local step has run; between BeginRound() and FinishStep().
     * @return the wall time that it took, in s: the gradient step, without mixing and evaluation
     */
    double MeasureStep();

    /// Closes the round with what has arrived; call it once, after FinishStep().
    void Mix(double now);

    /**
     * @brief The node crashes: its inbox is lost, and with it the mass there, unless the links'
     *        running sums still owe it.
     *
     * The following always survives: the round, which messages have arrived, so that no copy
     * counts twice, and the running sums. A node that has finished has nothing left to lose.
     * @param keepState false: z and w are also lost
     * @param now simulated time
     */
    void Crash(bool keepState, double now);

    /**
     * @brief The node is back in the round in which it crashed.
     *
     * A step that was interrupted has to be waited for again; FinishStep() then gives the shares
     * that it would have given, and nothing is sent twice. Without its state the node has z^0 and
     * w = 0: it takes no step, and its shares carry no mass, until it has mixed one that does.
     * @param now simulated time
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

    /// Push-sum weight right now: the mean over the chunks of the model.
    ScaledDouble Weight() const
    {
        return m_context.ledger->MeanWeight(m_node);
    }

    /// Layout of the shares of a model.
    const ChunkLayout& Chunks() const
    {
        return m_context.chunks;
    }

  private:
    /// State of the node with respect to crashes.
    enum class Power
    {
        UP,           ///< it is there
        DOWN,         ///< it has crashed
        WITHOUT_STATE ///< it has crashed and lost z and w
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

    NodeId m_node;                                        ///< this node
    LearnerContext& m_context;                            ///< shared by all learners
    PushSum m_pushSum;                                    ///< the node's mass and shares
    std::unique_ptr<SensitivityRound> m_sensitivityRound; ///< empty: noise is the step's own
    Round m_round{0};                                     ///< see CurrentRound()
    Phase m_phase{Phase::WAITING};                        ///< of the current round
    Power m_power{Power::UP};                             ///< up, or what a crash has left
    double m_startedAt{0.0};                              ///< simulated start of the current step
    ParameterHandle m_state;     ///< z^k before the step; after it z^{k+1/2}, or still z^k
    ParameterHandle m_late;      ///< what Mix() adds, where the algorithm sends first
    Lie m_lie;                   ///< see SetLie()
    ParameterHandle m_stale;     ///< what a lie of that kind repeats; empty: nothing yet
    std::vector<MixTerm> m_mix;  ///< what the next job mixes before its step
    ParameterHandle m_average;   ///< mean of the iterates so far; see LearnerContext::averageFrom
    std::uint64_t m_averaged{0}; ///< how many these are
    /// What the algorithm's step remembers of the rounds before.
    std::vector<ParameterHandle> m_memory;
    std::shared_ptr<NodeJob> m_job; ///< of the current round
    std::vector<Share> m_none;      ///< what a node sends that has finished
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_LEARNER_H
