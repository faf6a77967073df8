// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/recorded-run.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/experiment/make-run-origin.h"
#include "dpdl/privacy/claim.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

// Reads the ledger, guarantees and settings of a run from its trace. The trace does not store the
// indices of noise streams, so they are assigned again.

namespace dpdl
{

namespace
{

/// Largest number of nodes in a trace. The limit prevents a damaged trace from exhausting the
/// memory.
constexpr std::uint64_t MOST_NODES = 10'000'000;

double
DeltaOf(const std::string& path, const std::string& text)
{
    const std::string what = "setting 'delta' of trace '" + path + "'";
    return ParseNumber(what, text, "a number in (0, 1)", [](double delta) {
        return delta > 0.0 && delta < 1.0;
    });
}

/// Numbers the noise streams: the releases of a node in one round get the streams 0, 1, ... in
/// their order.
void
NumberStreams(std::vector<Release>& releases)
{
    std::map<Round, std::uint32_t> ofRound;
    for (Release& release : releases)
    {
        release.stream = ofRound[release.round]++;
    }
}

/// Sum of Claim::Spent() over the releases, by the formula of the accountant `clt`. A larger sum
/// means a larger epsilon of that accountant.
double
Spent(const std::vector<Release>& releases)
{
    const Claim clt;
    double spent = 0.0;
    for (const Release& release : releases)
    {
        spent += clt.Spent(release.Mu(), release.rate);
    }
    return spent;
}

/// Returns the node that the request names. Without a node in the request, returns the node with
/// the largest Spent().
/// @throws UsageError naming option 'node' if the run has no such node
NodeId
NodeToAudit(const RecordedRun& run, const AuditRequest& request)
{
    DPDL_REFUSE_IF(request.node && *request.node >= run.Nodes(),
                   "option 'node'",
                   std::to_string(*request.node),
                   "a node below " + std::to_string(run.Nodes()));
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

/// Releases whose batch may contain one particular example. A cyclic sampler draws from one part of
/// the node's examples after another, and the example is assumed to be in the first part. If the
/// trace has no number of parts, all releases are returned, and the audit rejects cyclic samplers.
std::vector<Release>
ReleasesOfOneExample(const RecordedRun& run, NodeId node)
{
    const std::size_t parts = run.SampledParts();
    std::vector<Release> releases;
    for (const Release& release : run.Releases(node))
    {
        Release fields = release;
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
        const GuaranteeByNode& guarantee = run.Guarantees()[node];
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

RecordedRun::RecordedRun(const std::string& path)
    : m_reader(path),
      m_complete(m_reader.Complete()),
      m_delta(DeltaOf(path, Setting("delta")))
{
    m_releases.resize(
        ParseInteger("setting 'nodes' of trace '" + path + "'", Setting("nodes"), 1, MOST_NODES));
    const std::vector<dpdl::Round> rounds = m_reader.RoundsByNode(Nodes());
    m_rounds = *std::min_element(rounds.begin(), rounds.end());
    ReadReleases();
    ReadGuarantees();
}

std::string
RecordedRun::Setting(const std::string& name) const
{
    const std::optional<std::string> value = FindSetting(name);
    DPDL_REFUSE_IF(!value.has_value(), "trace", Path(), "a trace with the setting '" + name + "'");
    return *value;
}

std::size_t
RecordedRun::SampledParts() const
{
    const std::optional<std::string> parts = FindSetting("sampledParts");
    return parts ? ParseInteger("setting 'sampledParts' of trace '" + Path() + "'",
                                *parts,
                                1,
                                std::numeric_limits<dpdl::Round>::max())
                 : 1;
}

double
RecordedRun::GossipMomentum() const
{
    return ParseNumber("setting 'gossipMomentum' of trace '" + Path() + "'",
                       FindSetting("gossipMomentum").value_or("1"),
                       "a number in [1, 2)",
                       [](double gamma) { return gamma >= 1.0 && gamma < 2.0; });
}

void
RecordedRun::ReadReleases()
{
    m_reader.ReadReleases(Nodes(), [this](const Release& row) {
        std::vector<Release>& releases = m_releases[row.node];
        releases.push_back(row);
        // If the trace has no epochs, every release becomes a separate epoch.
        const auto index = static_cast<std::uint32_t>(releases.size() - 1);
        releases.back().epoch =
            row.HasEpochs() ? std::optional(row.epoch.value_or(index)) : std::nullopt;
    });
    std::for_each(m_releases.begin(), m_releases.end(), NumberStreams);
}

void
RecordedRun::ReadGuarantees()
{
    m_reader.ReadGuarantees(Nodes(), [this](const GuaranteeByNode& row) {
        DPDL_REFUSE_IF(row.node != m_guarantees.size(),
                       "trace",
                       Path(),
                       "a trace with one guarantee for each node");
        m_guarantees.push_back(row);
    });
    DPDL_REFUSE_IF(!m_guarantees.empty() && m_guarantees.size() != Nodes(),
                   "trace",
                   Path(),
                   "a trace with one guarantee for each node");
}

Adjacency
RecordedRun::Neighbours() const
{
    const std::string replace = ToString(Adjacency::REPLACE);
    const bool isReplace = m_guarantees.empty() ? FindSetting("adjacency") == replace
                                                : m_guarantees.front().adjacency == replace;
    return isReplace ? Adjacency::REPLACE : Adjacency::ADD_REMOVE;
}

std::vector<Delivery>
RecordedRun::Deliveries() const
{
    std::vector<Delivery> deliveries = m_reader.Deliveries(Nodes());
    DPDL_REFUSE_IF(deliveries.empty() && m_rounds > 0,
                   "trace",
                   Path(),
                   "the trace of a run with --traceLevel=full");
    return deliveries;
}

AuditAnswer
AuditRecordedRun(const AuditRequest& request)
{
    const RecordedRun run(request.trace);
    const NodeId node = NodeToAudit(run, request);
    DPDL_REFUSE_IF(!run.Complete(),
                   "trace",
                   request.trace,
                   "the trace of a run that has reached its end");
    DPDL_REFUSE_IF(run.Releases(node).empty(),
                   "trace",
                   request.trace,
                   "a trace with releases of node " + std::to_string(node) +
                       " in its ledger (view release)");
    AuditAnswer answer = AnswerMechanism(MechanismOfTrace(run, node), request);
    const std::optional<ObservedBound> before = run.Reader().StrongestAudit(node);
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
