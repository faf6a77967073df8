// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RUN_ENUMS_H
#define DPDL_EXPERIMENT_RUN_ENUMS_H

#include "dpdl/base/types.h"

namespace dpdl
{

/// Deadline of a round: simulated time since the start of the round after which a node closes it
/// without the missing messages.
struct Deadline
{
    /// Way to choose the deadline of a round.
    enum class Kind
    {
        /// No deadline on a lossless network, otherwise AUTO_FACTOR times the lossless round time.
        AUTO,
        NONE, ///< wait until a message of every in-neighbour has arrived
        TIME, ///< a round ends after a given time
    };

    /// Deadline of AUTO on a lossy network, as a multiple of the lossless round time.
    static constexpr double AUTO_FACTOR = 1.5;

    Kind kind{Kind::AUTO}; ///< way to choose the deadline
    double seconds{0.0};   ///< TIME: longest duration of a round in simulated seconds, > 0
};

/// Interval between checkpoints, from which a killed run can be resumed.
struct CheckpointRule
{
    /// Way to choose the interval between two checkpoints.
    enum class Kind
    {
        AUTO,   ///< writing checkpoints takes at most 2 % of the wall-clock time
        NONE,   ///< the run writes no checkpoints
        ROUNDS, ///< a checkpoint after a given number of rounds
        TIME,   ///< a checkpoint after a given wall-clock time
    };

    Kind kind{Kind::AUTO}; ///< way to choose the interval
    Round rounds{0};       ///< ROUNDS: number of rounds between two checkpoints, >= 1
    double seconds{0.0};   ///< TIME: wall-clock time between two checkpoints in seconds, > 0
};

/// Rule by which a node waits for shares of other nodes.
enum class Schedule
{
    /// A round ends when the shares of all in-neighbours have arrived, or at its deadline.
    SYNCHRONOUS,
    ASYNCHRONOUS, ///< a node may be ahead of its in-neighbours by a limited number of rounds
    WAIT_FREE,    ///< a node never waits, and mixes all arrived shares, of any round
};

/// Most severe effect of failures on the delivery of messages, in ascending order. It determines
/// whether a round needs a deadline.
enum class Outages
{
    NONE,    ///< failures cause no loss of messages
    PASSING, ///< failures may cause the loss of messages, but every link and node recovers
    LASTING, ///< some link or node fails permanently
};

/// Rows that a trace contains.
enum class TraceLevel
{
    FULL,    ///< all rows except noise vectors
    SUMMARY, ///< all rows except noise vectors and rows per message
    NOISE,   ///< all rows, including noise vectors
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RUN_ENUMS_H
