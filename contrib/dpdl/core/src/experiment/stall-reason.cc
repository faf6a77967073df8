// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/stall-reason.h"

namespace dpdl
{

std::string
StallReasonOf(const std::vector<std::unique_ptr<Learner>>& learners, bool hasFinished)
{
    std::size_t finished = 0;
    std::size_t late = 0;
    std::size_t here = 0; // without those that another rank simulates
    NodeId first = 0;
    for (NodeId node = 0; node < learners.size(); ++node)
    {
        if (!learners[node])
        {
            continue;
        }
        const Learner& learner = *learners[node];
        ++here;
        const bool isLate = !learner.Finished() && !learner.IsDown();
        first = isLate && late == 0 ? node : first;
        late += isLate ? 1 : 0;
        finished += learner.Finished() ? 1 : 0;
    }
    if (late == 0)
    {
        return finished > 0 || hasFinished ? ""
                                           : "every node has crashed before the end of its rounds";
    }
    const Learner& learner = *learners[first];
    std::string text = std::to_string(late) + " of " + std::to_string(here) +
                       " nodes have not done all their rounds: node " + std::to_string(first) +
                       " is in round " + std::to_string(learner.CurrentRound());
    std::string separator = " and waits for the shares of node ";
    for (const NodeId source : learner.WaitsFor())
    {
        const bool isDown = learners[source] && learners[source]->IsDown();
        text += separator + std::to_string(source) + (isDown ? " (crashed)" : "");
        separator = ", ";
    }
    return text;
}

} // namespace dpdl
