// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RUN_CHOICES_H
#define DPDL_EXPERIMENT_RUN_CHOICES_H

#include "dpdl/base/types.h"

#include <string>

namespace dpdl
{

/// How long a round waits for what may never come.
struct Deadline
{
    /// The three ways to end a synchronous round.
    enum class Kind
    {
        AUTO, ///< none on a lossless network, else AUTO_FACTOR times the lossless round time
        NONE, ///< wait until every in-neighbour has been heard
        TIME, ///< as given
    };

    /// Multiple of the lossless round time that AUTO allows.
    static constexpr double AUTO_FACTOR = 1.5;

    Kind kind{Kind::AUTO}; ///< which of the three
    double seconds{0.0};   ///< for TIME: length of a round, > 0
};

/// How often a run keeps what it needs to go on, if it is killed, without computing all anew.
struct CheckpointRule
{
    /// Measure by which it is due.
    enum class Kind
    {
        AUTO,   ///< so that it takes at most 2 % of the time
        NONE,   ///< never
        ROUNDS, ///< after a number of rounds
        TIME,   ///< after a wall time
    };

    Kind kind{Kind::AUTO}; ///< which of them
    Round rounds{0};       ///< for ROUNDS: >= 1
    double seconds{0.0};   ///< for TIME: > 0
};

/// Files with parameters of single links, by the option that names them; "": none.
struct LinkFiles
{
    std::string dataRate; ///< of option dataRate
    std::string delay;    ///< of option delay
    std::string drop;     ///< of option drop

    /// True if no option names a file.
    bool IsEmpty() const
    {
        return dataRate.empty() && delay.empty() && drop.empty();
    }
};

/// Rule by which nodes wait for each other.
enum class Schedule
{
    SYNCHRONOUS,  ///< a round ends when its shares have come from all in-neighbours
    ASYNCHRONOUS, ///< a node may be ahead of its neighbours by a number of rounds
    WAIT_FREE,    ///< a node waits for nothing, and mixes what has arrived, of any round
};

/// What failures may do to messages, as far as the end of a round is concerned.
enum class Outages
{
    NONE,    ///< nothing
    PASSING, ///< messages get lost, but every link and node comes back
    LASTING, ///< some link or node goes and does not come back
};

/// Which rows a trace holds.
enum class TraceLevel
{
    FULL,    ///< everything but noise vectors
    SUMMARY, ///< no row per message
    NOISE,   ///< everything, noise vectors included
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RUN_CHOICES_H
