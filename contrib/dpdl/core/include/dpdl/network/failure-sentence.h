// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_FAILURE_SENTENCE_H
#define DPDL_NETWORK_FAILURE_SENTENCE_H

#include "dpdl/base/position.h"
#include "dpdl/base/registry.h"
#include "dpdl/network/network-conditions.h"
#include "dpdl/network/node-set.h"

#include <limits>
#include <string>
#include <vector>

namespace dpdl
{

/// What goes wrong.
enum class FailureKind
{
    LINK_DOWN,  ///< nothing gets through
    LINK_LOSS,  ///< packets are lost, each for itself
    LINK_DELAY, ///< another latency
    LINK_RATE,  ///< another data rate
    LINK_BURST, ///< packets are lost in bursts
    NODE_PAUSE, ///< neither computes nor sends, still receives
    NODE_CRASH, ///< gone, with all its links
    NODE_SLOW,  ///< its local steps take longer
    PARTITION,  ///< links between groups of nodes are down
    REGION,     ///< links of every node within a circle are down
    JAM,        ///< whoever is within a circle loses what is sent to it
};

/// When a failure lasts. Times are simulated seconds, whole nanoseconds of them.
struct FailureTiming
{
    /// How it comes and goes.
    enum class Pattern
    {
        ONCE,   ///< from begin to end
        FLAP,   ///< between begin and end: absent for `up` seconds, present for `down`, and again
        RANDOM, ///< the same, with exponentially distributed times
    };

    Pattern pattern{Pattern::ONCE};                      ///< how it comes and goes
    double begin{0.0};                                   ///< >= 0
    double end{std::numeric_limits<double>::infinity()}; ///< > begin; infinity: never
    double up{0.0};                                      ///< FLAP, RANDOM: (mean) time without, > 0
    double down{0.0};                                    ///< FLAP, RANDOM: (mean) time with, > 0
    bool together{true}; ///< all links or nodes at once; false: each draws times of its own
};

/**
 * @brief One event of the failure language, read and found acceptable.
 *
 * Which fields count depends on the kind: `links` for links, `nodes` for nodes, `groups` for a
 * partition, `center` and `radius` for the others.
 */
struct FailureSentence
{
    FailureKind kind{FailureKind::LINK_DOWN}; ///< what goes wrong
    LinkSet links;                            ///< LINK_...
    NodeSet nodes;                            ///< NODE_...
    std::vector<NodeSet> groups;              ///< PARTITION: at least two, no node in two of them
    Position center;                          ///< REGION, JAM
    double radius{0.0};                       ///< REGION, JAM: metres, > 0; heights do not count
    double value{0.0};      ///< loss: probability; delay: s; rate: bit/s; slow: factor
    GilbertElliott burst;   ///< LINK_BURST
    bool keepsState{false}; ///< NODE_CRASH: it recovers with what it knew
    FailureTiming timing;   ///< when
    std::string text;       ///< the sentence, one blank between its words
    std::string place;      ///< where it stands, for messages: `FILE, line N`
};

/// What `./dpdl list failures` shows.
std::vector<PartInfo> FailureParts();

/// What a trace calls the beginning, or the end, of such a failure: `down` and `up`, for example.
std::string FailureEventName(FailureKind kind, bool begins);

} // namespace dpdl

#endif // DPDL_NETWORK_FAILURE_SENTENCE_H
