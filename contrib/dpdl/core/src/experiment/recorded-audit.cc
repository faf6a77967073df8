// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/recorded-audit.h"

#include "dpdl/base/errors.h"
#include "dpdl/experiment/build-facts.h"
#include "dpdl/experiment/recorded-run.h"
#include "dpdl/privacy/gdp-clt.h"

#include <cmath>

namespace dpdl
{

namespace
{

/// A monotone function of the privacy cost of a ledger, to find the largest.
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

/// The requested node, else the one that spent most.
NodeId
NodeToAudit(const RecordedRun& run, const AuditRequest& request)
{
    if (request.node && *request.node >= run.Nodes())
    {
        throw UsageError("option 'node'",
                         std::to_string(*request.node),
                         "a node below " + std::to_string(run.Nodes()));
    }
    if (request.node)
    {
        return *request.node;
    }
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

/// The releases whose batch may contain an example of the first part. All releases if the trace has
/// no number of parts; an audit rejects this for samplers that use parts.
std::vector<Release>
ReleasesOfOneExample(const RecordedRun& run, NodeId node)
{
    const std::size_t parts = run.SampledParts();
    std::vector<Release> releases;
    for (const Release& release : run.Releases(node))
    {
        Release::Fields fields = release.Get();
        const bool isCyclic = parts > 1 && fields.sampler == "cyclic-poisson";
        if (!isCyclic || fields.round % parts == 0)
        {
            fields.sampler = isCyclic ? "poisson" : fields.sampler;
            releases.emplace_back(fields);
        }
    }
    return releases;
}

AuditedMechanism
MechanismOfTrace(const RecordedRun& run, NodeId node)
{
    AuditedMechanism mechanism;
    mechanism.name = "node " + std::to_string(node) + " of " + run.Path();
    mechanism.releases = ReleasesOfOneExample(run, node);
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
    const NodeId node = NodeToAudit(run, request);
    if (!run.Complete())
    {
        throw UsageError("trace", request.trace, "the trace of a run that has reached its end");
    }
    if (run.Releases(node).empty())
    {
        throw UsageError("trace",
                         request.trace,
                         "a trace with releases of node " + std::to_string(node) +
                             " in its ledger (view release)");
    }
    AuditAnswer answer = AnswerMechanism(MechanismOfTrace(run, node), request);
    const std::optional<ObservedBound> before = run.StrongestAudit(node);
    if (before && before->observed > answer.figures.observed)
    {
        answer.strongest = answer.figures;
        answer.strongest->observed = before->observed;
        answer.strongest->confidence = before->confidence;
    }
    AppendAudit(request.trace,
                {node,
                 answer.figures.observed,
                 request.confidence,
                 answer.runs,
                 answer.game,
                 "dpdl " + BuildVersion(),
                 TimeNow()});
    return answer;
}

} // namespace dpdl
