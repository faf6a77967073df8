// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RUN_ENUMS_H
#define DPDL_EXPERIMENT_RUN_ENUMS_H

#include "dpdl/base/types.h"

namespace dpdl
{

/// Longest time that a round waits for missing messages.
struct Deadline
{
    /// Way in which the deadline of a round is chosen.
    enum class Kind
    {
        AUTO, ///< no deadline on a lossless network, else AUTO_FACTOR times the lossless round time
        NONE, ///< wait until a message of every in-neighbour has arrived
        TIME, ///< a round ends after a given time
    };

    /// Multiple of the lossless round time that AUTO allows.
    static constexpr double AUTO_FACTOR = 1.5;

    Kind kind{Kind::AUTO}; ///< way in which a round ends
    double seconds{0.0};   ///< for TIME: length of a round, > 0
};

/// Interval between checkpoints, from which a killed run can be resumed.
struct CheckpointRule
{
    /// Unit of the interval between two checkpoints.
    enum class Kind
    {
        AUTO,   ///< checkpoints take at most 2 % of the time
        NONE,   ///< the run writes no checkpoints
        ROUNDS, ///< a checkpoint after a number of rounds
        TIME,   ///< a checkpoint after a wall time
    };

    Kind kind{Kind::AUTO}; ///< unit of the interval
    Round rounds{0};       ///< ROUNDS: number of rounds between two checkpoints, >= 1
    double seconds{0.0};   ///< TIME: wall time between two checkpoints in seconds, > 0
};

/// Rule by which a node waits for the shares of other nodes.
enum class Schedule
{
    SYNCHRONOUS,  ///< a round ends when the shares of all in-neighbours have arrived
    ASYNCHRONOUS, ///< a node may be ahead of its neighbours by a number of rounds
    WAIT_FREE,    ///< a node never waits, and mixes all arrived shares, of any round
};

/// Effect of failures on messages. It decides if a round may wait for a message that never arrives.
enum class Outages
{
    NONE,    ///< failures lose no message
    PASSING, ///< messages may be lost, but every link and node recovers
    LASTING, ///< some link or node fails permanently
};

/// Rows that a trace contains.
enum class TraceLevel
{
    FULL,    ///< the trace has all rows except noise vectors
    SUMMARY, ///< the trace has no row per message
    NOISE,   ///< the trace has all rows, including noise vectors
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RUN_ENUMS_H
