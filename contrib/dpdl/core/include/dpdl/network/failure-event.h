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

/// Kind of a failure in the failure language.
enum class FailureKind
{
    LINK_DOWN,  ///< the link delivers nothing
    LINK_LOSS,  ///< the link drops each packet independently with probability FailureEvent::value
    LINK_DELAY, ///< the link has the latency FailureEvent::value, in s
    LINK_RATE,  ///< the link has the data rate FailureEvent::value, in bit/s
    LINK_BURST, ///< the link drops packets in bursts, see FailureEvent::burst
    NODE_PAUSE, ///< the node neither computes nor sends, but still receives
    NODE_CRASH, ///< the node has crashed, and all its links are down
    NODE_SLOW,  ///< local steps of the node take longer by the factor FailureEvent::value
    NODE_LIE,   ///< the node is Byzantine: it sends manipulated shares
    NODE_LEAK,  ///< the shared secrets of the node are known to the adversary; never ends
    PARTITION,  ///< links between groups of nodes are down
    REGION,     ///< all links of nodes within a circle are down
    JAM, ///< each packet to a node within a circle is dropped with probability FailureEvent::value
};

/// Times of a failure, in simulated seconds, rounded to nanoseconds.
struct FailureTiming
{
    /// Pattern of a failure over time.
    enum class Pattern
    {
        ONCE, ///< active from `begin` to `end`
        /// Alternates from `begin` to `end`: inactive for `up` seconds, active for `down` seconds.
        FLAP,
        RANDOM, ///< like FLAP, with exponentially distributed durations
    };

    Pattern pattern{Pattern::ONCE}; ///< pattern of the failure over time
    double begin{0.0};              ///< start in simulated seconds, >= 0
    /// End in simulated seconds, > begin; infinity: the failure never ends.
    double end{std::numeric_limits<double>::infinity()};
    double up{0.0};   ///< FLAP, RANDOM: (mean) duration without the failure, s, > 0
    double down{0.0}; ///< FLAP, RANDOM: (mean) duration of the failure, s, > 0
    /// True: all links or nodes of the event fail at the same times. False: times are drawn
    /// separately for each link or node.
    bool together{true};
    /// Only for NODE_... events. True: the event has no times; FailureState::Report() starts and
    /// ends it during the run. With pattern ONCE it never ends. With FLAP it may end and start
    /// again.
    bool isReported{false};
};

/**
 * @brief One valid event of the failure language.
 *
 * The kind determines the fields in use: `links` for LINK_..., `nodes` for NODE_..., `groups` for
 * PARTITION, `center` and `radius` for REGION and JAM.
 */
struct FailureEvent
{
    FailureKind kind{FailureKind::LINK_DOWN}; ///< kind of the failure
    LinkSet links;                            ///< LINK_...: links that fail
    NodeSet nodes;                            ///< NODE_...: nodes that fail
    std::vector<NodeSet> groups; ///< PARTITION: at least two groups; a node is in at most one
    Position center;             ///< REGION, JAM: centre of the circle
    double radius{0.0};          ///< REGION, JAM: horizontal radius of the circle, m, > 0
    /// LINK_LOSS, JAM: loss probability in [0, 1]. LINK_DELAY: latency in s. LINK_RATE: data rate
    /// in bit/s. NODE_SLOW: factor on the duration of local steps.
    double value{0.0};
    GilbertElliott burst;   ///< LINK_BURST: model of the bursty loss
    Lie lie;                ///< NODE_LIE: Byzantine attack of the nodes
    bool keepsState{false}; ///< NODE_CRASH: true if the node recovers with its state
    FailureTiming timing;   ///< start and end of the failure
    std::string text;       ///< text of the event, with one blank between words
    std::string place;      ///< source of the event, for messages: `FILE, line N`
    /// True: the user gave the event; false: it is derived from a movement trace.
    bool isAsked{true};

    /// True if the kind is one of NODE_..., which affect named nodes.
    bool IsOfNodes() const
    {
        return kind == FailureKind::NODE_PAUSE || kind == FailureKind::NODE_CRASH ||
               kind == FailureKind::NODE_SLOW || kind == FailureKind::NODE_LIE ||
               kind == FailureKind::NODE_LEAK;
    }

    /// True if the failure is of the nodes within a circle.
    bool IsOfCircle() const
    {
        return kind == FailureKind::REGION || kind == FailureKind::JAM;
    }

    /// REGION, JAM: true if the horizontal position is within the circle.
    bool Holds(const Position& at) const
    {
        return std::hypot(at.x - center.x, at.y - center.y) <= radius;
    }
};

/// Descriptions of the failure kinds for `./dpdl list failures`.
std::vector<PartInfo> FailureParts();

/// Name of the start or end of a failure in the trace's view `link_event`, such as `down` and `up`.
/// @param begins true: start; false: end
std::string FailureEventName(FailureKind kind, bool begins);

/**
 * @brief Parses the failure language: one event per line, such as `link 3->4 down at 10s for 5s`.
 *
 * doc/failures.md has the grammar. Events may come from several texts and files. A line `group`
 * names a set of nodes, for use in later lines. Conflicting events at the same time are refused:
 * two delays, rates or bursts of one link, two slowdowns or attacks of one node, or a crash of a
 * node that is down. Events that combine are accepted, such as two that keep a link down, or two
 * independent loss probabilities.
 */
class FailureScript
{
  public:
    /// @param nodes number of nodes of the network; events with other nodes are refused
    explicit FailureScript(std::size_t nodes);

    /**
     * @brief Parses a line, and adds its event.
     * @param line an event, a comment, an event with a comment, or an empty line
     * @param name name of the file, for messages
     * @param number number of the line in that file, from 1
     * @throws UsageError naming file, line, word and the accepted values, if the event is not valid
     *         or conflicts
     */
    void AddLine(const std::string& line, const std::string& name, std::size_t number);

    /// Parses the lines of a text with AddLine(). Messages number the lines from 1.
    void AddText(const std::string& text, const std::string& name);

    /**
     * @brief Parses the events of a file.
     * @throws UsageError naming file, line and word of an invalid or conflicting event, or naming
     *         the path if the file cannot be read
     */
    void AddFile(const std::string& path);

    /// Parsed events, in the order in which they were read.
    const std::vector<FailureEvent>& Events() const
    {
        return m_events;
    }

  private:
    std::size_t m_nodes; ///< number of nodes
    /// Nodes of each group that a line `group` has named; key: name.
    std::map<std::string, NodeSet> m_groups;
    std::vector<FailureEvent> m_events; ///< parsed events, in the order in which they were read
};

/// Parses the events of a text in the failure language (FailureScript).
/// @param name name of the text, for messages
/// @param nodes number of nodes of the network
/// @throws UsageError naming the line and word of an invalid or conflicting event
std::vector<FailureEvent> ParseFailures(const std::string& text,
                                        const std::string& name,
                                        std::size_t nodes);

/**
 * @brief Returns one warning for each event whose links are all unused.
 * @param events events of a FailureScript
 * @param links all links that the run uses, in any order
 */
std::vector<std::string> WarnOfUnusedLinks(const std::vector<FailureEvent>& events,
                                           const std::vector<LinkId>& links);

} // namespace dpdl

#endif // DPDL_NETWORK_FAILURE_EVENT_H
