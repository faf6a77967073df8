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
    /// The receiver has already mixed the round of the message; it mixes the message in its current
    /// round.
    LATE,
    OVERTAKEN, ///< a later message of the same link has already delivered the mass of this message
    DUPLICATE, ///< a further copy of a message that has arrived before; dropped
};

/// Location of the mass of a lost message.
enum class LostMass
{
    GONE, ///< the mass is lost permanently
    OWED, ///< the link keeps the mass: a later message may deliver it
    BACK, ///< the mass returned to the sender
};

/// Sensitivity by which a node scaled its noise in a round of DPPS.
struct SensitivityReport
{
    NodeId node{0};        ///< node that adds noise
    Round round{0};        ///< round to which the noise belongs
    double estimated{0.0}; ///< this node's estimate of the largest L1 distance between two nodes
    /// Sensitivity S that scales the noise: the largest known estimate, or the true largest
    /// distance if SensitivityRule::isOracle is set.
    double maximum{0.0};
    std::size_t unheard{0};       ///< number of other nodes whose estimate did not arrive in time
    std::optional<double> real{}; ///< true L1 distance to the farthest node; empty: not measured
};

/**
 * @brief Receives the events of a running learner. Times are simulated seconds.
 *
 * Data flows one way: the learner uses only the result of OnSent(), the number of the message's row
 * in the trace. This is the pattern Observer, unrelated to the observers of dpdl/observation.
 */
class LearnerObserver
{
  public:
    virtual ~LearnerObserver() = default;

    /// A node begins a round. Called again for the same round if a crash lost the state, and once
    /// more after the last round.
    virtual void OnBegin(NodeId /* node */, Round /* round */)
    {
    }

    /// The local step of a round is done; also called once after the last round, without an update.
    /// @param startedAt simulated seconds at which the step began
    virtual void OnStep(const NodeJob& job, double startedAt, double now) = 0;

    /**
     * @brief The node announced the sensitivity estimate that its step computed, without noise and
     *        before its shares (DPPS). Called again if a crash repeats the announcement.
     */
    virtual void OnAnnounced(const NodeJob& /* job */)
    {
    }

    /// A node has determined the scale of its noise; its announcements were sent earlier.
    virtual void OnSensitivity(const SensitivityReport& /* report */)
    {
    }

    /**
     * @brief A node sends a share to an out-neighbour.
     * @param share the share
     * @param now simulated seconds
     * @return row of the message in the trace; later calls have it in Share::record
     */
    virtual std::uint32_t OnSent(const Share& share, double now) = 0;

    /**
     * @brief A message is lost.
     * @param share the lost message
     * @param loss reason and place of the loss
     * @param mass location of its mass
     * @param at simulated seconds at which it is lost
     */
    virtual void OnLost(const Share& share, const MessageLoss& loss, LostMass mass, double at) = 0;

    /// A message reached its target. @param arrival timeliness of the message
    virtual void OnArrived(const Share& share, Arrival arrival, double now) = 0;

    /// A message that had arrived was dropped before it was mixed, for example because its receiver
    /// crashed. @param mass location of its mass
    virtual void OnForgotten(const Share& share, LostMass mass) = 0;

    /**
     * @brief A node crashed.
     * @param node the node
     * @param round current round of the node, to which it will return
     * @param keptState true: z and w survive
     * @param hasSent true: the node had sent its shares of that round
     * @param now simulated seconds
     */
    virtual void OnCrashed(NodeId node, Round round, bool keptState, bool hasSent, double now) = 0;

    /// A crashed node has recovered, in the round in which it crashed. @param now simulated seconds
    virtual void OnRecovered(NodeId node, double now) = 0;

    /**
     * @brief A node closed a round.
     * @param node the node
     * @param round the round
     * @param kept mass of chunk 0 that the node kept
     * @param used the shares that it mixed, by chunk, source and round; shares with the node itself
     *        as source were returned to it
     * @param now simulated seconds
     */
    virtual void OnMixed(NodeId node,
                         Round round,
                         ScaledDouble kept,
                         const std::vector<Share>& used,
                         double now) = 0;
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_LEARNER_OBSERVER_H
