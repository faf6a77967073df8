// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/lockstep-run.h"

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

} // namespace

void
LockstepRun(Experiment& experiment)
{
    const auto nodes = static_cast<NodeId>(experiment.Settings().nodes);
    const double step = experiment.Compute().Slowest(nodes);
    double now = 0.0;
    experiment.SetClock([&now] { return now; });
    for (Round round = 0; round < experiment.Plan().Rounds(); ++round)
    {
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
