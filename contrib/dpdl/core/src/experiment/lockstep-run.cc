// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/lockstep-run.h"

namespace dpdl
{

void
LockstepRun(Experiment& experiment)
{
    const auto nodes = static_cast<NodeId>(experiment.Settings().nodes);
    const double step = experiment.Compute().Slowest(nodes);
    double now = 0.0;
    experiment.SetClock([&now] { return now; });
    for (Round round = 0; round < experiment.Plan().Rounds(); ++round)
    {
        for (NodeId node = 0; node < nodes; ++node)
        {
            experiment.At(node).BeginRound(now);
        }
        now += step;
        for (NodeId node = 0; node < nodes; ++node)
        {
            for (const Share& share : experiment.At(node).FinishStep(now))
            {
                experiment.At(share.target).Receive(share, now);
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
