// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_CHECKPOINT_LOG_H
#define DPDL_EXPERIMENT_CHECKPOINT_LOG_H

#include "dpdl/base/codec.h"
#include "dpdl/base/types.h"
#include "dpdl/experiment/run-choices.h"
#include "dpdl/trace/trace-store.h"
#include "dpdl/training/training-backend.h"

#include <chrono>
#include <string>

namespace dpdl
{

struct ResolvedRun;

/// Reads and shows option `checkpoint`: auto, none, rounds or a time.
Codec<CheckpointRule> CheckpointRules();

/// Why a run would not do the same once more; empty if it would.
std::string WhyNotRepeated(const ResolvedRun& run);

/// True if a run can be resumed from checkpoints; otherwise it is computed again from its start.
bool HasCheckpoints(const ResolvedRun& run);

/**
 * @brief Makes checkpoints at ends of rounds, as option `checkpoint` says.
 *
 * With `auto` the first comes after ten seconds, and each next one when fifty times as long has
 * gone by as the last one took, but never within ten seconds. Whatever the rule, one comes earlier
 * where memory for the next one would grow too large.
 */
class CheckpointLog
{
  public:
    /// @param run what is in force @param backend has the state @param store receives it
    CheckpointLog(const ResolvedRun& run, TrainingBackend& backend, TraceStore& store);

    /// Whether to write one. @param done rounds that all nodes have finished
    bool IsDue(Round done) const;

    /// Writes one into the transaction, which is to be committed at once, with End() behind it.
    void Write(Round done);

    /// It is in the file.
    void End();

  private:
    using Clock = std::chrono::steady_clock;

    TrainingBackend& m_backend; ///< has the state
    TraceStore& m_store;        ///< receives it
    CheckpointRule m_rule;      ///< when; NONE: never
    Round m_round{0};           ///< of the last one
    std::size_t m_stateBytes;   ///< of the last one; before it, of all models
    Clock::time_point m_start;  ///< when it began
    Clock::time_point m_last;   ///< when it was in the file
    double m_pause;             ///< seconds until the next one
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_CHECKPOINT_LOG_H
