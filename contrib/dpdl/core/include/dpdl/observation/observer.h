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

/// The messages of a run that nodes hear though they are addressed to others. By default none:
/// every link is a channel of its own.
struct Medium
{
    bool isShared{false}; ///< every node hears every message
    /// A node, and one whose messages it hears; in a routed network also the node itself, since
    /// what it sends to one target may take the link to another one.
    std::set<std::pair<NodeId, NodeId>> overheard;
};

/// The place of an observer who watches a run and otherwise follows the protocol.
enum class ObserverKind
{
    LINK,  ///< listens to one directed link, at the sender's end
    NODES, ///< one or several nodes that put together all that reached them
    FINAL, ///< is given models when the run is over, and nothing else
};

/**
 * @brief The observer, and which messages of a run it sees.
 *
 * All observers know everything that is public: the graph, every message's fate and weight, the
 * push-sum weights, step size, clip bounds, noise scales and the initial models.
 */
struct Observer
{
    ObserverKind kind{ObserverKind::FINAL}; ///< where
    std::vector<NodeId> nodes;              ///< NODES: the members; FINAL: whose models, ascending
    NodeId source{0};                       ///< LINK: who sends
    NodeId target{0};                       ///< LINK: to whom

    /**
     * @brief True if the observer learns the state that a message carries.
     *
     * A link shows every message that is sent over it, whatever becomes of it. A node sees what
     * arrives, in time or late, damaged or twice, mixed or not; and the content of a lost message
     * whose mass a later one has brought (of these it sees the sum only: NetworkObserver).
     */
    bool Sees(const Delivery& message) const;

    /**
     * @brief True if the medium brings the observer a message that need not be addressed to it.
     *
     * If one message of a sender does, all of its messages count, as does on a link what the
     * sending node hears of others.
     */
    bool Overhears(const Delivery& message, const Medium& medium) const;

    /// True if the observer hears all that a node hands to its links, or is given its last model.
    bool IsAt(NodeId node) const;

    /// True if the observer knows the data and the noise of that node because they are its own.
    bool Owns(NodeId node) const;
};

/**
 * @brief Reads `link:3->4`, `node:3`, `nodes:1,2,5`, `final` or `final:7`.
 * @param text the specification
 * @param nodes number of nodes of the run
 * @throws UsageError naming option 'observer'
 */
Observer ParseObserver(const std::string& text, std::size_t nodes);

/// Description of an observer: "node 3", "the final model of every node".
std::string Describe(const Observer& observer, std::size_t nodes);

/// The view of an observer in words: "messages addressed to it".
std::string DescribeView(const Observer& observer, const Medium& medium);

/**
 * @brief Reads from a trace which messages nodes could hear that were addressed to others.
 * @throws UsageError if the trace does not say it: the nodes had a network of the program's own
 *         with unknown devices, or the trace is older than its setting `overheard`
 */
Medium ReadMedium(const RecordedRun& run);

} // namespace dpdl

#endif // DPDL_OBSERVATION_OBSERVER_H
