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

/// Messages of a run that nodes overhear although they are addressed to other nodes. Default: none,
/// every link is a separate channel.
struct Medium
{
    bool isShared{false}; ///< true: every node overhears every message
    /// Pairs (node, sender): the node overhears messages of the sender. In a routed network both
    /// may be equal: messages of a node to one receiver may cross its link to another receiver.
    std::set<std::pair<NodeId, NodeId>> overheard;
};

/// Position of an honest-but-curious observer.
enum class ObserverKind
{
    LINK,  ///< an eavesdropper on one directed link, at the sender's end
    NODES, ///< one or several colluding nodes, which share all messages that they receive
    FINAL, ///< a receiver of models after the run, which sees nothing else
};

/**
 * @brief An observer, and the messages of a run that it sees.
 *
 * All observers know all public data: the graph, every message's fate and weight, the push-sum
 * weights, step size, clip bounds, noise scales and the initial models.
 */
struct Observer
{
    ObserverKind kind{ObserverKind::FINAL}; ///< position of the observer
    /// NODES: the colluding nodes; FINAL: the nodes whose models the observer receives; ascending.
    std::vector<NodeId> nodes;
    NodeId source{0}; ///< LINK: node that sends on the link
    NodeId target{0}; ///< LINK: node that receives from the link

    /**
     * @brief True if the observer learns the state that a message carries.
     *
     * An observer of a link sees every message sent over it, regardless of its fate. A node sees
     * every message that arrives, in time or late, damaged or duplicate, mixed or not. It also sees
     * a lost message whose mass a later message brought; of several such messages it learns only
     * the sum (SeenStates).
     */
    bool Sees(const Delivery& message) const;

    /**
     * @brief True if the observer overhears a message through the medium.
     *
     * An observer that can overhear a node overhears all messages that this node sends, whatever
     * their destination. An observer of a link overhears what the node at its sending end does; one
     * of the final models overhears nothing.
     */
    bool Overhears(const Delivery& message, const Medium& medium) const;

    /// True for LINK if the node sends on the link, for NODES if the node belongs to the observer,
    /// and for FINAL if the observer receives the node's model.
    bool IsAt(NodeId node) const;

    /// True if the node belongs to the observer, which then knows its data and noise.
    bool Owns(NodeId node) const;
};

/**
 * @brief Parses `link:3->4`, `node:3`, `nodes:1,2,5`, `final` or `final:7`.
 * @param text specification of an observer, as in option `observer`
 * @param nodes number of nodes of the run
 * @throws UsageError naming option 'observer' if the text has another form, a link joins a node to
 *         itself, or a node does not exist
 */
Observer ParseObserver(const std::string& text, std::size_t nodes);

/// Phrase that describes an observer, such as "node 3" or "the nodes 1, 2 together". @param nodes
/// number of nodes of the run
std::string Describe(const Observer& observer, std::size_t nodes);

/// Phrase that describes the messages that an observer sees, such as "messages addressed to it".
/// @param medium medium of the run
std::string DescribeView(const Observer& observer, const Medium& medium);

/**
 * @brief Reads from a trace which nodes could overhear messages addressed to other nodes.
 * @throws UsageError if the trace does not have this information: the run used a custom network
 *         with unknown devices, or its version of the trace had no setting `overheard`
 */
Medium ReadMedium(const RecordedRun& run);

} // namespace dpdl

#endif // DPDL_OBSERVATION_OBSERVER_H
