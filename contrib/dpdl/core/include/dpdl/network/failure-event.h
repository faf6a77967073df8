// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_FAILURE_EVENT_H
#define DPDL_NETWORK_FAILURE_EVENT_H

#include "dpdl/base/registry.h"
#include "dpdl/base/types.h"
#include "dpdl/network/network-state.h"
#include "dpdl/network/node-set.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace dpdl
{

/// Kind of a failure.
enum class FailureKind
{
    LINK_DOWN,  ///< the link delivers nothing
    LINK_LOSS,  ///< the link loses packets independently
    LINK_DELAY, ///< the link has the latency FailureEvent::value
    LINK_RATE,  ///< the link has the data rate FailureEvent::value
    LINK_BURST, ///< the link loses packets in bursts
    NODE_PAUSE, ///< the node neither computes nor sends, but receives
    NODE_CRASH, ///< the node is down, with all its links
    NODE_SLOW,  ///< local steps of the node take longer, by the factor FailureEvent::value
    NODE_LIE,   ///< the node sends manipulated shares
    NODE_LEAK,  ///< the node's shared secrets become known; never ends
    PARTITION,  ///< links between groups of nodes are down
    REGION,     ///< links of every node within a circle are down
    JAM,        ///< nodes within a circle lose messages sent to them
};

/// Times of a failure, in simulated seconds, rounded to nanoseconds.
struct FailureTiming
{
    /// Course of a failure in time.
    enum class Pattern
    {
        ONCE,   ///< present from begin to end
        FLAP,   ///< between begin and end: absent for `up` seconds, present for `down`, and again
        RANDOM, ///< like FLAP, with exponentially distributed times
    };

    Pattern pattern{Pattern::ONCE}; ///< course in time
    double begin{0.0};              ///< beginning in simulated seconds, >= 0
    /// End in simulated seconds, > begin; infinity: never.
    double end{std::numeric_limits<double>::infinity()};
    double up{0.0};   ///< FLAP, RANDOM: (mean) time without failure, in s, > 0
    double down{0.0}; ///< FLAP, RANDOM: (mean) time with failure, in s, > 0
    /// True: all links or nodes fail at once; false: each draws separate times.
    bool together{true};
    /// NODE_... only. True: the event has no times, and FailureState::Report() begins and ends it
    /// during the run. With pattern ONCE it does not end, with FLAP it may end and recur.
    bool isReported{false};
};

/**
 * @brief One valid event of the failure language.
 *
 * The kind determines the fields in use: `links` for links, `nodes` for nodes, `groups` for a
 * partition, `center` and `radius` for regions and jammers.
 */
struct FailureEvent
{
    FailureKind kind{FailureKind::LINK_DOWN}; ///< kind of the failure
    LinkSet links;                            ///< LINK_...: links that fail
    NodeSet nodes;                            ///< NODE_...: nodes that fail
    std::vector<NodeSet> groups;              ///< PARTITION: at least two, no node in two of them
    Position center;                          ///< REGION, JAM: centre of the circle
    double radius{0.0};                       ///< REGION, JAM: metres, > 0; heights are ignored
    /// LINK_LOSS, JAM: loss probability; LINK_DELAY: seconds; LINK_RATE: bit/s; NODE_SLOW: factor
    /// on the time of local steps.
    double value{0.0};
    GilbertElliott burst;   ///< LINK_BURST: model of the losses
    Lie lie;                ///< NODE_LIE: attack of the nodes
    bool keepsState{false}; ///< NODE_CRASH: the node recovers with its state
    FailureTiming timing;   ///< beginning and end
    std::string text;       ///< the event, one blank between its words
    std::string place;      ///< source of the event, for messages: `FILE, line N`
    bool isAsked{true};     ///< true: given by the user; false: derived from a movement trace

    /// True if the event targets named nodes, not links or places.
    bool IsOfNodes() const
    {
        return kind == FailureKind::NODE_PAUSE || kind == FailureKind::NODE_CRASH ||
               kind == FailureKind::NODE_SLOW || kind == FailureKind::NODE_LIE ||
               kind == FailureKind::NODE_LEAK;
    }

    /// REGION, JAM: true if a position is within the circle.
    bool Holds(const Position& at) const
    {
        return std::hypot(at.x - center.x, at.y - center.y) <= radius;
    }
};

/// Entries of `./dpdl list failures`.
std::vector<PartInfo> FailureParts();

/// Name in a trace of the beginning or the end of a failure of this kind, such as `down` and `up`.
std::string FailureEventName(FailureKind kind, bool begins);

/**
 * @brief Parses the failure language: one event per line, such as `link 3->4 down at 10s for 5s`.
 *
 * doc/failures.md has the grammar. Events may come from several sources; a named group is known to
 * all later events. Conflicting events are refused: two delays, rates or bursts of one link at the
 * same time, two slowdowns or lies of one node, or a crash of a node that is down. Failures that
 * combine are accepted: two that keep a link down, or two independent loss probabilities.
 */
class FailureScript
{
  public:
    /// @param nodes number of nodes of the network; events about other nodes are refused
    explicit FailureScript(std::size_t nodes);

    /**
     * @brief Parses a line, and adds its event.
     * @param line an event, a comment, both or nothing
     * @param name of the file, for messages
     * @param number of the line in that file
     * @throws UsageError with file, line, word and the accepted values
     */
    void AddLine(const std::string& line, const std::string& name, std::size_t number);

    /// Parses the lines of a text, numbered from 1; see AddLine().
    void AddText(const std::string& text, const std::string& name);

    /**
     * @brief Parses the events of a file.
     * @throws UsageError also if the file cannot be read
     */
    void AddFile(const std::string& path);

    /// The events in the order in which they were read.
    const std::vector<FailureEvent>& Events() const
    {
        return m_events;
    }

  private:
    std::size_t m_nodes;                     ///< number of nodes
    std::map<std::string, NodeSet> m_groups; ///< named groups of nodes
    std::vector<FailureEvent> m_events;      ///< all events, in the order in which they were read
};

/// Parses the events of a text; see FailureScript. @param name of the text, for messages @param
/// nodes number of nodes of the network
std::vector<FailureEvent> ParseFailures(const std::string& text,
                                        const std::string& name,
                                        std::size_t nodes);

/**
 * @brief One warning for each event whose links are all unused.
 * @param events of a script
 * @param links the used links, in any order
 */
std::vector<std::string> WarnOfUnusedLinks(const std::vector<FailureEvent>& events,
                                           const std::vector<LinkId>& links);

} // namespace dpdl

#endif // DPDL_NETWORK_FAILURE_EVENT_H
