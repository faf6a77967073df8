// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_CHECKPOINT_LOG_H
#define DPDL_EXPERIMENT_CHECKPOINT_LOG_H

#include "dpdl/base/codec.h"
#include "dpdl/base/types.h"
#include "dpdl/experiment/run-enums.h"
#include "dpdl/trace/trace-store.h"
#include "dpdl/training/training-backend.h"

#include <chrono>
#include <string>

namespace dpdl
{

struct ResolvedRun;

/// Largest size of all nodes' models, in bytes, for which a run has checkpoints. SQLite stores at
/// most a gigabyte in one value, and the state also contains the models in messages in flight.
constexpr double MOST_CHECKPOINT_BYTES = 256.0 * 1024 * 1024;

/// Codec of option `checkpoint`: auto, none, a number of rounds, or a wall time.
Codec<CheckpointRule> CheckpointRules();

/// Reason why a run cannot be repeated identically; empty if it can.
std::string WhyNotRepeated(const ResolvedRun& run);

/// True if a run can be resumed from checkpoints; otherwise it is recomputed from its start.
bool HasCheckpoints(const ResolvedRun& run);

/**
 * @brief Writes checkpoints at ends of rounds, by option `checkpoint`.
 *
 * With value `auto`, the first checkpoint is written ten wall-clock seconds after the start. The
 * pause before each later one is fifty times the wall time of writing the previous one, but at
 * least ten seconds. With every value except `none`, a checkpoint is written earlier once the
 * backend's journal is larger than 1 MiB and than the state of the last checkpoint.
 */
class CheckpointLog
{
  public:
    /// @param run resolved options @param backend owner of the state @param store receives the
    ///        state
    CheckpointLog(const ResolvedRun& run, TrainingBackend& backend, TraceStore& store);

    /// True if a checkpoint is due. @param done rounds that all nodes have completed
    bool IsDue(Round done) const;

    /// Writes a checkpoint into the transaction. The caller must commit it at once, then call
    /// End(). @param done rounds that all nodes have completed
    void Write(Round done);

    /// Records that the caller has committed the checkpoint of Write(). The pause until the next
    /// checkpoint begins.
    void End();

  private:
    using Clock = std::chrono::steady_clock;

    TrainingBackend& m_backend; ///< provides the state to save
    TraceStore& m_store;        ///< receives the state
    CheckpointRule m_rule;      ///< interval between checkpoints; kind NONE: there are none
    Round m_round{0};           ///< number of completed rounds at the last checkpoint
    std::size_t m_stateBytes;   ///< bytes of the state in the last checkpoint; before the first,
                                ///< bytes of all models
    Clock::time_point m_start;  ///< wall-clock time at which the last checkpoint began
    Clock::time_point m_last;   ///< wall-clock time of the end of the last checkpoint
    double m_pause; ///< wall-clock seconds from a checkpoint to the next, for kinds AUTO and TIME
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_CHECKPOINT_LOG_H
