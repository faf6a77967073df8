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

/// Largest total size of all nodes' models, in bytes, for which a run writes checkpoints. SQLite
/// stores at most 1 GB in one value, and a checkpoint also contains the models in undelivered
/// messages.
constexpr double MOST_CHECKPOINT_BYTES = 256.0 * 1024 * 1024;

/// Codec of option `checkpoint`: auto, none, a number of rounds, or a wall-clock time.
Codec<CheckpointRule> CheckpointRules();

/// Reason why a second run with equal options has different results, one line; "": the results of
/// both runs are bit-identical.
std::string WhyNotRepeated(const ResolvedRun& run);

/// True if a run writes checkpoints. False: a resumed run computes everything again from round 0.
bool HasCheckpoints(const ResolvedRun& run);

/**
 * @brief Writes checkpoints at ends of rounds, at the interval of option `checkpoint`.
 *
 * With value `auto`, the first checkpoint is written ten wall-clock seconds after the start. The
 * pause before each later checkpoint is fifty times the wall-clock time of writing the previous
 * checkpoint, and at least ten seconds. With every value except `none`, a checkpoint is due earlier
 * if the backend's journal exceeds both 1 MiB and the size of the last checkpoint's state.
 */
class CheckpointLog
{
  public:
    /**
     * @param run resolved options; read only by the constructor
     * @param backend backend whose state is saved; must outlive this object
     * @param store receives the state; must outlive this object
     */
    CheckpointLog(const ResolvedRun& run, TrainingBackend& backend, TraceStore& store);

    /// True if a checkpoint is due.
    /// @param done number of rounds that all nodes have completed
    bool IsDue(Round done) const;

    /// Writes a checkpoint into the open transaction. The caller must commit at once, then call
    /// End().
    /// @param done number of rounds that all nodes have completed
    void Write(Round done);

    /// Records that the checkpoint of Write() is committed. The pause until the next checkpoint
    /// begins.
    void End();

  private:
    using Clock = std::chrono::steady_clock;

    TrainingBackend& m_backend; ///< backend whose state is saved
    TraceStore& m_store;        ///< receives the state
    CheckpointRule m_rule;      ///< interval between checkpoints; kind NONE: no checkpoints
    Round m_round{0};           ///< number of completed rounds at the last checkpoint
    /// Size of the state in the last checkpoint, in bytes. Before the first checkpoint: size of all
    /// nodes' models.
    std::size_t m_stateBytes;
    Clock::time_point m_start; ///< wall-clock time at which writing the last checkpoint began
    Clock::time_point m_last;  ///< wall-clock time at which writing the last checkpoint ended
    double m_pause; ///< wall-clock seconds between two checkpoints, for kinds AUTO and TIME
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_CHECKPOINT_LOG_H
