// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/run-part.h"

#include "dpdl/base/errors.h"
#include "dpdl/experiment/run-options.h"
#include "dpdl/experiment/run-rules.h"
#include "dpdl/topology/graph-sequence.h"

namespace dpdl
{

namespace
{

void
Require(bool accepted, const std::string& what, const std::string& expected)
{
    if (!accepted)
    {
        throw UsageError(what + " is not accepted in a run on several ranks; expected " + expected);
    }
}

} // namespace

std::string
RankTraceName(const std::string& trace, std::uint32_t rank)
{
    const std::size_t slash = trace.rfind('/');
    const std::size_t dot = trace.rfind('.');
    const bool hasExtension =
        dot != std::string::npos && (slash == std::string::npos || dot > slash);
    const std::size_t end = hasExtension ? dot : trace.size();
    return trace.substr(0, end) + ".rank" + std::to_string(rank) + trace.substr(end);
}

void
CheckDivisible(const ResolvedRun& run)
{
    if (run.part.ranks > run.nodes)
    {
        throw UsageError("number of ranks",
                         std::to_string(run.part.ranks),
                         "at most " + std::to_string(run.nodes) + ", the number of nodes");
    }
    Require(run.network == NetworkKind::MESSAGE, "this network", "--network=message");
    Require(run.lossPolicy != LossPolicy::RELIABLE && run.lossPolicy != LossPolicy::RUNNING_SUM,
            "this loss policy",
            "none, renormalise or refund");
    Require(run.fail.empty() && run.failures.empty(),
            "a failure (options 'fail' and 'failures')",
            "none");
    Require(!run.MixesEarly(), "--schedule=wait-free", "--schedule=asynchronous");
    Require(!run.links, "a file of links", "numbers that hold for all links");
    Require(!run.payloadBytes, "--payload=bytes", "--payload=handle");
    Require(!IsEstimating(run),
            "an estimated sensitivity (DPPS in mode paper)",
            "--mode=sound or another algorithm");
    Require(!run.graph->FollowsRun(),
            "a topology that follows the run",
            "one that is known beforehand");
}

} // namespace dpdl
