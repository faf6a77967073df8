// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/checkpoint-log.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/experiment/resolve.h"

#include <algorithm>

namespace dpdl
{

namespace
{

/// Least wall-clock time between two checkpoints with `checkpoint=auto`: the larger of LEAST_PAUSE
/// seconds and PAUSES times the time of writing the last checkpoint.
constexpr double LEAST_PAUSE = 10.0;
constexpr double PAUSES = 50.0;

/// The backend's journal records its results since the last checkpoint and stays in memory. A
/// checkpoint is due if the journal exceeds both this number of bytes and the size of the state in
/// the last checkpoint.
constexpr std::size_t MOST_JOURNAL_BYTES = std::size_t{1} << 20;

/// Size in bytes of the models of all nodes. This size is a lower bound on the size of a
/// checkpoint's state.
double
ModelBytes(const ResolvedRun& run)
{
    return static_cast<double>(run.nodes) * static_cast<double>(run.modelSpec->ParameterCount()) *
           sizeof(float);
}

} // namespace

Codec<CheckpointRule>
CheckpointRules()
{
    using Kind = CheckpointRule::Kind;
    const std::string accepted = "auto, none, a number of rounds, or a time > 0 such as 60s";
    const auto parse = [accepted](const std::string& name,
                                  const std::string& text) -> CheckpointRule {
        if (text == "auto" || text == "none")
        {
            return {text == "none" ? Kind::NONE : Kind::AUTO, 0, 0.0};
        }
        if (text.find_first_not_of("0123456789") == std::string::npos)
        {
            return {Kind::ROUNDS, Count<Round>(1).parse(name, text), 0.0};
        }
        const double seconds = ParseSeconds(OptionTitle(name), text);
        DPDL_REFUSE_IF(seconds <= 0.0, OptionTitle(name), text, accepted);
        return {Kind::TIME, 0, seconds};
    };
    const auto show = [](const CheckpointRule& rule) -> std::string {
        return rule.kind == Kind::AUTO     ? "auto"
               : rule.kind == Kind::NONE   ? "none"
               : rule.kind == Kind::ROUNDS ? std::to_string(rule.rounds)
                                           : ShowNumber(rule.seconds) + "s";
    };
    return {accepted, parse, show};
}

std::string
WhyNotRepeated(const ResolvedRun& run)
{
    if (run.compute.kind == ComputeKind::MEASURED)
    {
        return "--compute=measured: times are never the same";
    }
    return run.noiseSource == "system" ? "--noiseSource=system: its noise is drawn once" : "";
}

bool
HasCheckpoints(const ResolvedRun& run)
{
    // The backend's journal lacks vectors that the simulator itself reads. A run that reads such
    // vectors has no checkpoints.
    const bool readsVectors = run.payloadBytes || run.traceLevel == TraceLevel::NOISE ||
                              (run.mode == Mode::PAPER && run.preset.sensitivity);
    return run.checkpoint.kind != CheckpointRule::Kind::NONE && !run.origin.empty() &&
           run.device != "cuda" && WhyNotRepeated(run).empty() && !readsVectors &&
           ModelBytes(run) <= MOST_CHECKPOINT_BYTES;
}

CheckpointLog::CheckpointLog(const ResolvedRun& run, TrainingBackend& backend, TraceStore& store)
    : m_backend(backend),
      m_store(store),
      m_rule(HasCheckpoints(run) ? run.checkpoint
                                 : CheckpointRule{CheckpointRule::Kind::NONE, 0, 0.0}),
      m_stateBytes(static_cast<std::size_t>(ModelBytes(run))),
      m_last(Clock::now()),
      m_pause(m_rule.kind == CheckpointRule::Kind::TIME ? m_rule.seconds : LEAST_PAUSE)
{
}

bool
CheckpointLog::IsDue(Round done) const
{
    if (m_rule.kind == CheckpointRule::Kind::NONE || m_store.IsRepeating() ||
        m_backend.IsRepeating())
    {
        return false;
    }
    if (m_backend.JournalBytes() > std::max(MOST_JOURNAL_BYTES, m_stateBytes))
    {
        return true;
    }
    if (m_rule.kind == CheckpointRule::Kind::ROUNDS)
    {
        return done >= m_round + m_rule.rounds;
    }
    return std::chrono::duration<double>(Clock::now() - m_last).count() >= m_pause;
}

void
CheckpointLog::Write(Round done)
{
    m_start = Clock::now();
    Checkpoint checkpoint;
    m_backend.TakeState(checkpoint.journal, checkpoint.state);
    m_stateBytes = checkpoint.state.size();
    m_store.SetCheckpoint(checkpoint);
    m_round = done;
}

void
CheckpointLog::End()
{
    m_last = Clock::now();
    if (m_rule.kind == CheckpointRule::Kind::AUTO)
    {
        m_pause =
            std::max(LEAST_PAUSE, PAUSES * std::chrono::duration<double>(m_last - m_start).count());
    }
}

} // namespace dpdl
