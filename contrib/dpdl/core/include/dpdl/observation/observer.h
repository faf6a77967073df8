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

/// Messages of a run that nodes overhear though they are addressed to others. By default none:
/// every link is a separate channel.
struct Medium
{
    bool isShared{false}; ///< true: every node hears every message
    /// Pairs (node, sender that it overhears). In a routed network a node may overhear itself,
    /// since its messages to one target may cross its link to another one.
    std::set<std::pair<NodeId, NodeId>> overheard;
};

/// Position of an honest-but-curious observer.
enum class ObserverKind
{
    LINK,  ///< the observer listens to one directed link, at the sender's end
    NODES, ///< the observer is one or several colluding nodes, which pool received messages
    FINAL, ///< the observer receives models when the run is over, and nothing else
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
    /// NODES: the members; FINAL: nodes whose models the observer receives; ascending.
    std::vector<NodeId> nodes;
    NodeId source{0}; ///< LINK: node that sends on the link
    NodeId target{0}; ///< LINK: node that receives from the link

    /**
     * @brief True if the observer learns the state that a message carries.
     *
     * An observer of a link sees every message sent over it, regardless of its fate. A node sees
     * every message that arrives, in time or late, damaged or duplicate, mixed or not. It also sees
     * the content of a lost message whose mass a later one brought (of these only the sum:
     * NetworkObserver).
     */
    bool Sees(const Delivery& message) const;

    /**
     * @brief True if the observer overhears a message through the medium.
     *
     * If it overhears one message of a sender, all messages of that sender count. An observer of a
     * link also overhears the messages that the sending node overhears.
     */
    bool Overhears(const Delivery& message, const Medium& medium) const;

    /// True if the observer sees all messages that a node sends, or receives its final model.
    bool IsAt(NodeId node) const;

    /// True if the node belongs to the observer, which then knows its data and noise.
    bool Owns(NodeId node) const;
};

/**
 * @brief Parses `link:3->4`, `node:3`, `nodes:1,2,5`, `final` or `final:7`.
 * @param text specification of an observer, as in option `observer`
 * @param nodes number of nodes of the run
 * @throws UsageError naming option 'observer' if the text has another form, or a node does not
 *        exist
 */
Observer ParseObserver(const std::string& text, std::size_t nodes);

/// Phrase that describes an observer, such as "node 3" or "the nodes 1, 2 together". @param nodes
/// number of nodes of the run
std::string Describe(const Observer& observer, std::size_t nodes);

/// Phrase that describes which messages an observer sees, such as "messages addressed to it".
/// @param medium medium of the run
std::string DescribeView(const Observer& observer, const Medium& medium);

/**
 * @brief Reads from a trace which nodes could overhear messages to others.
 * @throws UsageError if the trace does not record it: the nodes used a custom network with unknown
 *         devices, or the trace is older than its setting `overheard`
 */
Medium ReadMedium(const RecordedRun& run);

} // namespace dpdl

#endif // DPDL_OBSERVATION_OBSERVER_H
