// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_LEARNER_OBSERVER_H
#define DPDL_ALGORITHM_LEARNER_OBSERVER_H

#include "dpdl/algorithm/loss-policy.h"
#include "dpdl/algorithm/share.h"
#include "dpdl/training/training-backend.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace dpdl
{

/// Why a message that arrived is, or is not, what the receiver was waiting for.
enum class Arrival
{
    ON_TIME,   ///< of the receiver's current round, or of one still to come
    LATE,      ///< of a round that the receiver has mixed already; mixed with the current one
    OVERTAKEN, ///< a later message of its link has brought its mass already
    DUPLICATE, ///< a further copy of a message that has arrived before; thrown away
};

/// Where the mass of a message is that never arrives.
enum class LostMass
{
    GONE, ///< nowhere: it is lost permanently
    OWED, ///< the link owes it: a later message may bring it
    BACK, ///< it goes back to the sender
};

/// What scales a node's noise in a round of DPPS.
struct SensitivityReport
{
    NodeId node{0};         ///< who adds noise
    Round round{0};         ///< when
    double estimated{0.0};  ///< its own estimate
    double maximum{0.0};    ///< S in force: the largest that it heard, or what the oracle said
    std::size_t unheard{0}; ///< nodes whose estimate it did not hear
    std::optional<double> real{}; ///< how far it really is from the farthest node; empty: unknown
};

/**
 * @brief Receives the events of a running learner. Times are simulated seconds.
 *
 * Data flows one way: the learner receives nothing from an observer but the number
 * under which it files a message.
 */
class LearnerObserver
{
  public:
    virtual ~LearnerObserver() = default;

    /// A node begins a round, again if a crash made it lose its state; also after the last one.
    virtual void OnBegin(NodeId /* node */, Round /* round */)
    {
    }

    /// The local step of a round is done; also called once after the last round, without an update.
    virtual void OnStep(const NodeJob& job, double startedAt, double now) = 0;

    /**
     * @brief A number computed by the step left the node in the clear, before its shares; also
     *        once more if a crash makes it announce a second time.
     */
    virtual void OnAnnounced(const NodeJob& /* job */)
    {
    }

    /// A node has found the scale of its noise; its announcements had left before.
    virtual void OnSensitivity(const SensitivityReport& /* report */)
    {
    }

    /**
     * @brief A share leaves its sender.
     * @return the number under which the message is filed, handed back in later calls
     */
    virtual std::uint32_t OnSent(const Share& share, double now) = 0;

    /**
     * @brief The message never arrives.
     * @param share the message
     * @param loss what happened to it
     * @param mass where its mass is now
     * @param at when it happened
     */
    virtual void OnLost(const Share& share, const MessageLoss& loss, LostMass mass, double at) = 0;

    /// The message reached its target.
    virtual void OnArrived(const Share& share, Arrival arrival, double now) = 0;

    /// The message had arrived, and was lost with its receiver's memory; its mass is at @p mass.
    virtual void OnForgotten(const Share& share, LostMass mass) = 0;

    /**
     * @brief A node crashed.
     * @param node the node
     * @param round the round that it was in, and will come back to
     * @param keptState whether z and w survive
     * @param hasSent whether the shares of that round had left
     * @param now simulated time
     */
    virtual void OnCrashed(NodeId node, Round round, bool keptState, bool hasSent, double now) = 0;

    /// A crashed node is back.
    virtual void OnRecovered(NodeId node, double now) = 0;

    /**
     * @brief A node closed a round.
     * @param node the node
     * @param round the round
     * @param kept the mass that the node kept for itself, of chunk 0
     * @param used the shares that it mixed, by chunk, source and round; those whose source is the
     *        node itself came back to it
     * @param now simulated time
     */
    virtual void OnMixed(NodeId node,
                         Round round,
                         ScaledDouble kept,
                         const std::vector<Share>& used,
                         double now) = 0;
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_LEARNER_OBSERVER_H
