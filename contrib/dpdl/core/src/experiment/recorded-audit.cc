// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/recorded-audit.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/experiment/recorded-run.h"
#include "dpdl/privacy/clt-total.h"

#include <cmath>

namespace dpdl
{

namespace
{

/// How much a ledger spent, up to a monotone function: good enough to find the worst.
double
Spent(const std::vector<Release>& releases)
{
    CltTotal total;
    for (const Release& release : releases)
    {
        total.Add(release.Mu(), release.Get().rate);
    }
    return total.Mu();
}

NodeId
WorstNode(const RecordedRun& run)
{
    NodeId worst = 0;
    double most = -1.0;
    for (NodeId node = 0; node < run.Nodes(); ++node)
    {
        const double spent = Spent(run.Releases(node));
        if (spent > most)
        {
            most = spent;
            worst = node;
        }
    }
    return worst;
}

AuditedMechanism
MechanismOfTrace(const RecordedRun& run, NodeId node)
{
    AuditedMechanism mechanism;
    mechanism.name = "node " + std::to_string(node) + " of " + run.Path();
    mechanism.releases = run.Releases(node);
    mechanism.delta = run.Delta();
    mechanism.adjacency = run.Neighbours();
    if (node < run.Guarantees().size())
    {
        const RecordedGuarantee& guarantee = run.Guarantees()[node];
        if (!std::isnan(guarantee.claimed))
        {
            mechanism.claimed = guarantee.claimed;
        }
        mechanism.certified = guarantee.certified;
        mechanism.reason = guarantee.reason;
    }
    return mechanism;
}

} // namespace

AuditAnswer
AuditRecordedRun(const AuditRequest& request)
{
    const RecordedRun run(request.trace);
    if (request.node && *request.node >= run.Nodes())
    {
        throw UsageError("option 'node'",
                         std::to_string(*request.node),
                         "a node below " + std::to_string(run.Nodes()));
    }
    const NodeId node = request.node.value_or(WorstNode(run));
    AuditAnswer answer = AnswerMechanism(MechanismOfTrace(run, node), request);
    std::vector<std::optional<double>> observed(run.Nodes());
    observed[node] = answer.figures.observed;
    RecordedRun::SetObserved(request.trace,
                             observed,
                             answer.game + " game, " + std::to_string(answer.runs) +
                                 " runs, confidence " + ShowNumber(request.confidence));
    return answer;
}

} // namespace dpdl
