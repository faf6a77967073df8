// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_OBSERVATION_OBSERVER_H
#define DPDL_OBSERVATION_OBSERVER_H

#include "dpdl/base/types.h"
#include "dpdl/trace/network-rows.h"

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

class RecordedRun;

/// Messages that nodes overhear although they are addressed to other nodes. By default no message
/// is overheard.
struct Medium
{
    bool isShared{false}; ///< true: every node overhears all messages
    /// Pairs (node, sender): the node, and an eavesdropper on a link that begins at the node,
    /// overhear all messages of the sender. A pair may have one node twice: in a routed network,
    /// the messages of a node to one receiver may cross the node's link to another receiver.
    std::set<std::pair<NodeId, NodeId>> overheard;
};

/// Position of an honest-but-curious observer in the network.
enum class ObserverKind
{
    LINK,  ///< an eavesdropper at the sender's end of one directed link
    NODES, ///< one or several colluding nodes, which share all received messages
    FINAL, ///< a receiver of final models, which sees no message
};

/**
 * @brief An observer, and the messages of a run that it sees.
 *
 * All observers know all public data: the graph, the fate and mixing weight of every message, the
 * push-sum weights, step sizes, clip norms, noise standard deviations and the initial models.
 */
struct Observer
{
    ObserverKind kind{ObserverKind::FINAL}; ///< position of the observer
    /// NODES: the colluding nodes. FINAL: the nodes whose models the observer receives. Ascending.
    std::vector<NodeId> nodes;
    NodeId source{0}; ///< LINK: sending node of the link
    NodeId target{0}; ///< LINK: receiving node of the link

    /**
     * @brief True if the observer's view includes the state that @p message carries.
     *
     * LINK: true for every message sent over the link, also for lost messages. NODES: true for
     * every message that arrives at a node of the observer, even late, damaged, duplicate or
     * unmixed messages. Also true for a lost message whose mass a later message delivered. If one
     * message delivers the mass of several lost messages, the observer learns only the sum of their
     * shares. FINAL: always false.
     */
    bool Sees(const Delivery& message) const;

    /**
     * @brief True if the observer overhears a message through the medium.
     *
     * An observer that can overhear a node overhears all messages that this node sends, to any
     * target. An observer of a link overhears the same messages as the node at the sender's end. An
     * observer of final models overhears nothing.
     */
    bool Overhears(const Delivery& message, const Medium& medium) const;

    /// LINK: true if the node is the sender of the link. NODES: true if the node belongs to the
    /// observer. FINAL: true if the observer receives the node's model.
    bool IsAt(NodeId node) const;

    /// True if the node belongs to the observer. The observer then knows the node's data and noise.
    bool Owns(NodeId node) const;
};

/**
 * @brief Parses `link:3->4`, `node:3`, `nodes:1,2,5`, `final` or `final:7`.
 * @param text specification of an observer, as in option `observer`
 * @param nodes number of nodes of the run
 * @throws UsageError naming option 'observer' if the text has any other form, the ends of a link
 *         are the same node, or a node does not exist
 */
Observer ParseObserver(const std::string& text, std::size_t nodes);

/// Phrase that describes an observer, such as "node 3" or "the nodes 1, 2 together".
/// @param nodes number of nodes of the run
std::string Describe(const Observer& observer, std::size_t nodes);

/// Phrase that describes the messages that an observer sees, such as "messages addressed to it".
/// @param observer observer whose view is described
/// @param medium rules by which the observer may overhear messages that are addressed to others
std::string DescribeView(const Observer& observer, const Medium& medium);

/**
 * @brief Reads from a trace the nodes that could overhear messages addressed to other nodes. No
 *        node overhears messages in modes `ideal` and `message`, or on point-to-point links that
 *        dpdl built.
 * @throws UsageError if the trace has no setting `overheard`, or the run used a custom network with
 *         unknown devices
 */
Medium ReadMedium(const RecordedRun& run);

} // namespace dpdl

#endif // DPDL_OBSERVATION_OBSERVER_H
