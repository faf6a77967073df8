// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/experiment.h"
#include "dpdl/network/failure-state.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace dpdl
{

namespace
{

void
Deliver(Experiment& experiment, const std::vector<Share>& shares, double now)
{
    for (const Share& share : shares)
    {
        experiment.At(share.target).Receive(share, now);
    }
}

/// Creates the state of the failures NODE_LIE (Byzantine attacks) and NODE_LEAK (leaks of secrets).
/// Other failures have no effect in a run without a network.
FailureState
LiesOf(const Experiment& experiment)
{
    std::vector<FailureEvent> lies = experiment.Settings().failureEvents;
    lies.erase(std::remove_if(lies.begin(),
                              lies.end(),
                              [](const FailureEvent& event) {
                                  return event.kind != FailureKind::NODE_LIE &&
                                         event.kind != FailureKind::NODE_LEAK;
                              }),
               lies.end());
    return {std::move(lies), experiment.Settings().nodes, experiment.Settings().seed, {}};
}

/// Starts and ends the Byzantine attacks (lies) and leaks of secrets of all nodes up to the
/// simulated time @p now, in seconds.
void
Advance(FailureState& lies, Experiment& experiment, double now)
{
    const std::vector<FailureChange>& changes = lies.AdvanceTo(now);
    for (const FailureChange& change : changes)
    {
        experiment.Recorder().OnFailure(change);
    }
    for (NodeId node = 0; !changes.empty() && node < experiment.Settings().nodes; ++node)
    {
        experiment.At(node).SetLie(lies.Node(node).lie);
    }
}

} // namespace

void
LockstepRun(Experiment& experiment)
{
    const auto nodes = static_cast<NodeId>(experiment.Settings().nodes);
    const double step = experiment.Settings().computeModel->Slowest(nodes);
    double now = 0.0;
    FailureState lies = LiesOf(experiment);
    experiment.SetClock([&now] { return now; });
    for (Round round = 0; round < experiment.Plan().Rounds(); ++round)
    {
        Advance(lies, experiment, now);
        experiment.Backend().BeginBatch();
        for (NodeId node = 0; node < nodes; ++node)
        {
            experiment.At(node).BeginRound(now);
        }
        experiment.Backend().EndBatch();
        for (NodeId node = 0; node < nodes; ++node)
        {
            Deliver(experiment, experiment.At(node).SendAhead(now), now);
        }
        now += step;
        for (NodeId node = 0; node < nodes; ++node)
        {
            Deliver(experiment, experiment.At(node).FinishStep(now), now);
        }
        for (NodeId node = 0; node < nodes; ++node)
        {
            if (experiment.At(node).CurrentPhase() == Phase::AWAITING_MAXIMUM)
            {
                Deliver(experiment, experiment.At(node).PublishAfterNoise(now), now);
            }
        }
        for (NodeId node = 0; node < nodes; ++node)
        {
            experiment.At(node).Mix(now);
        }
    }
    for (NodeId node = 0; node < nodes; ++node)
    {
        experiment.At(node).BeginRound(now);
    }
    experiment.Finish(now);
    experiment.SetClock({});
}

} // namespace dpdl
