// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_LEARNER_OBSERVER_H
#define DPDL_ALGORITHM_LEARNER_OBSERVER_H

#include "dpdl/algorithm/loss-policy.h"
#include "dpdl/algorithm/share.h"
#include "dpdl/training/node-job.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace dpdl
{

/// Timeliness of an arrived message.
enum class Arrival
{
    ON_TIME, ///< the message is of the receiver's current round, or of a later one
    /// The receiver has already mixed the message's round, so it mixes the message in its current
    /// round.
    LATE,
    OVERTAKEN, ///< a later message of the same link has already delivered the mass of this message
    DUPLICATE, ///< a further copy of a message that has already arrived; dropped
};

/// Fate of the push-sum mass of a lost message.
enum class LostMass
{
    GONE, ///< the mass is lost permanently
    OWED, ///< the link keeps the mass, and a later message may deliver it
    BACK, ///< the mass returned to the sender
};

/// Sensitivity that scaled a node's noise in a round of DPPS.
struct SensitivityReport
{
    NodeId node{0}; ///< node that adds the noise
    Round round{0}; ///< round to which the noise belongs
    /// The node's estimate of the largest L1 distance between the parameters of two nodes.
    double estimated{0.0};
    /// Sensitivity S that scales the noise: the largest known estimate or, if
    /// SensitivityRule::isOracle is set, the true largest L1 distance.
    double maximum{0.0};
    std::size_t unheard{0}; ///< number of other nodes whose estimate did not arrive in time
    /// True L1 distance from this node to the farthest node; empty: not measured.
    std::optional<double> real{};
};

/**
 * @brief Receives the events of a run's learners. Times are simulated seconds.
 *
 * The learner uses only the result of OnSent(), the index of the message's row in the trace. This
 * is the design pattern Observer. The eavesdroppers of dpdl/observation are unrelated.
 */
class LearnerObserver
{
  public:
    virtual ~LearnerObserver() = default;

    /// A node begins a round. Called again for a round whose state a crash lost, and once after the
    /// last round.
    virtual void OnBegin(NodeId /* node */, Round /* round */)
    {
    }

    /// The local step of a round is done. Also called once after the last round, with a job that
    /// takes no step.
    /// @param job completed job of the round
    /// @param startedAt time at which the step began, in simulated seconds
    /// @param now current time, in simulated seconds
    virtual void OnStep(const NodeJob& job, double startedAt, double now) = 0;

    /**
     * @brief A node announced its sensitivity estimate to all nodes (DPPS). The estimate has no
     *        noise and precedes the node's shares. Called again if the node repeats the
     *        announcement after a crash.
     */
    virtual void OnAnnounced(const NodeJob& /* job */)
    {
    }

    /// A node has determined the scale of its noise. OnAnnounced() reported its estimate earlier.
    virtual void OnSensitivity(const SensitivityReport& /* report */)
    {
    }

    /**
     * @brief A node sends a share to an out-neighbour.
     * @param share share that is sent
     * @param now current time, in simulated seconds
     * @return index of the message's row in the trace; later events of the message have it in
     *         Share::record
     */
    virtual std::uint32_t OnSent(const Share& share, double now) = 0;

    /**
     * @brief A message is lost.
     * @param share the lost message
     * @param loss reason and place of the loss
     * @param mass fate of the message's mass
     * @param at simulated seconds at which the message is lost
     */
    virtual void OnLost(const Share& share, const MessageLoss& loss, LostMass mass, double at) = 0;

    /// A message reached its target undamaged.
    /// @param arrival timeliness of the message
    /// @param now current time, in simulated seconds
    virtual void OnArrived(const Share& share, Arrival arrival, double now) = 0;

    /// A message that had arrived was dropped before mixing, for example because its receiver
    /// crashed.
    /// @param mass fate of the message's mass
    virtual void OnForgotten(const Share& share, LostMass mass) = 0;

    /**
     * @brief A node crashed.
     * @param node index of the node
     * @param round current round of the node, in which it recovers
     * @param keptState true: z and w survive
     * @param hasSent true: the node had sent its shares of that round
     * @param now current time, in simulated seconds
     */
    virtual void OnCrashed(NodeId node, Round round, bool keptState, bool hasSent, double now) = 0;

    /// A crashed node has recovered, in the round in which it crashed.
    /// @param now current time, in simulated seconds
    virtual void OnRecovered(NodeId node, double now) = 0;

    /**
     * @brief A node closed a round.
     * @param node index of the node
     * @param round index of the round, from 0
     * @param kept push-sum mass of chunk 0 that the node did not send
     * @param used the shares that the node mixed, by chunk, source and round. Shares with the node
     *        itself as source are lost shares whose mass returned
     * @param now current time, in simulated seconds
     */
    virtual void OnMixed(NodeId node,
                         Round round,
                         ScaledDouble kept,
                         const std::vector<Share>& used,
                         double now) = 0;
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_LEARNER_OBSERVER_H
