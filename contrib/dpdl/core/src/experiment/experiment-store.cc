// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/build-facts.h"
#include "dpdl/experiment/experiment.h"

namespace dpdl
{

void
Experiment::OpenStore()
{
    TraceStore::Options options;
    options.overwrite = m_run.overwrite;
    // The recorder commits whole rounds.
    options.rowsPerTransaction = 0;
    if (m_run.resume.empty())
    {
        m_store = std::make_unique<TraceStore>(m_run.trace, options);
        return;
    }
    const std::string reason = WhyNotRepeated(m_run);
    if (!reason.empty())
    {
        throw UsageError("trace '" + m_run.resume + "': the run cannot be repeated, and so " +
                         "not gone on with (" + reason + ")");
    }
    options.resumption = {0, ValueOf(m_run.origin, "program") + " " + BuildVersion(), TimeNow()};
    m_store = std::make_unique<TraceStore>(m_run.resume, options);
    std::optional<Checkpoint> checkpoint =
        HasCheckpoints(m_run) ? m_store->LastCheckpoint() : std::nullopt;
    Warn("goes on with '" + m_run.resume + "'" +
         (checkpoint ? ", from its last checkpoint; until there the network is simulated again"
                     : ": what is there is computed again first, and compared"));
    if (checkpoint)
    {
        m_backend->Repeat(std::move(checkpoint->journal), std::move(checkpoint->state));
    }
}

} // namespace dpdl
