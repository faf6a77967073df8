// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/derive/run-guarantees.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>
#include <vector>

// Certifies the releases with their effective noise: the part of the noise that an observer of all
// messages cannot remove, given the nodes that released in the round and the nodes whose secrets
// leaked. The exposure of a release is an upper bound on the ratio of its actual to its planned
// mu^2, with mu = sensitivity / noise standard deviation. Nodes with the same plan and a similar
// sum of mu^2 share an epsilon.

namespace dpdl
{

namespace
{

/// Orders releases by Release::Kind().
struct ByKind
{
    bool operator()(const Release& a, const Release& b) const
    {
        return a.Kind() < b.Kind();
    }
};

/// Effective noise standard deviations of releases, recorded noise / sqrt(exposure). Key: a release
/// of the kind that ByKind compares.
using NoiseByKind = std::map<Release, std::vector<double>, ByKind>;

/// Element i: exposure of node i's release in one round to an observer of all messages, from
/// NoiseSource::Exposure(). The exposure is the ratio of actual to planned mu^2, where mu is
/// sensitivity / noise standard deviation; at least 0, dimensionless. 0: the node made no release.
using RoundExposure = std::shared_ptr<const std::vector<double>>;

/// Element k: exposures of all nodes in round k of the plan. Rounds in which the same nodes
/// released share one vector.
std::vector<RoundExposure>
ExposureByRound(const PrivacyLedger& ledger,
                const LearningPlan& plan,
                const std::vector<bool>& mayLackReleases,
                const NodeSet& leaked)
{
    std::vector<bool> others = mayLackReleases;
    others.flip();
    std::vector<std::vector<bool>> released(plan.Rounds(), others);
    for (NodeId node = 0; node < ledger.Nodes(); ++node)
    {
        ledger.ForEach(node,
                       [&](const Release& release) { released.at(release.round)[node] = true; });
    }
    const NoiseSource& source = *plan.Settings().noiseSource;
    std::map<std::vector<bool>, RoundExposure> known;
    std::vector<RoundExposure> exposure;
    for (const std::vector<bool>& nodes : released)
    {
        const auto [entry, isNew] = known.try_emplace(nodes);
        if (isNew)
        {
            entry->second = std::make_shared<const std::vector<double>>(
                source.Exposure(nodes, leaked.Members()));
        }
        exposure.push_back(entry->second);
    }
    return exposure;
}

/// Effective noise standard deviations of one node's releases, in ascending order for each kind of
/// release.
NoiseByKind
SentBy(NodeId node,
       const PrivacyLedger& ledger,
       const std::vector<RoundExposure>& exposure,
       const LeakedSecrets& leaked)
{
    NoiseByKind sent;
    ledger.ForEach(node, [&](const Release& release) {
        const bool isOwn = leaked.HideByOwnNoise(node);
        const double exposed = isOwn ? 1.0 : (*exposure[release.round])[node];
        sent[release].push_back(release.noise / std::sqrt(exposed));
    });
    for (auto& [kind, noises] : sent)
    {
        std::sort(noises.begin(), noises.end());
    }
    return sent;
}

/// Sum over the releases of mu^2, where mu is sensitivity / effective noise standard deviation. The
/// nodes are sorted by this sum, so that nodes with similar sums share an epsilon.
double
SquaresOf(const NoiseByKind& sent)
{
    double squares = 0.0;
    for (const auto& [kind, noises] : sent)
    {
        for (const double noise : noises)
        {
            const double mu = kind.sensitivity / noise;
            squares += mu * mu;
        }
    }
    return squares;
}

/// Lowers the i-th smallest effective noise standard deviation of each kind in @p least to the i-th
/// smallest of the same kind in @p other, if that is smaller. Appends the values of @p other beyond
/// the end of @p least.
void
LowerTo(NoiseByKind& least, const NoiseByKind& other)
{
    for (const auto& [kind, noises] : other)
    {
        std::vector<double>& lowest = least[kind];
        const std::size_t common = std::min(lowest.size(), noises.size());
        for (std::size_t i = 0; i < common; ++i)
        {
            lowest[i] = std::min(lowest[i], noises[i]);
        }
        lowest.insert(lowest.end(), noises.begin() + common, noises.end());
    }
}

ReleaseTally
TallyOf(const NoiseByKind& releases)
{
    ReleaseTally tally;
    for (const auto& [kind, noises] : releases)
    {
        Release fields = kind;
        for (const double noise : noises)
        {
            fields.noise = noise;
            tally.Add(fields);
        }
    }
    return tally;
}

} // namespace

double
PlannedEpsilon(const LearningPlan& plan)
{
    double largest = 0.0;
    for (const NodeId node : plan.Representatives())
    {
        largest = std::max(largest, plan.Guarantees()->Of(plan.Of(node).Releases(node)).epsilon);
    }
    return largest;
}

std::vector<double>
SentEpsilons(const PrivacyLedger& ledger,
             const LearningPlan& plan,
             const std::vector<bool>& mayLackReleases,
             const LeakedSecrets& leaked)
{
    const std::vector<bool> all(ledger.Nodes(), true);
    if (plan.Settings().noiseSource->Exposure(all, leaked.nodes.Members()).empty())
    {
        return {};
    }
    const std::vector<RoundExposure> exposure =
        ExposureByRound(ledger, plan, mayLackReleases, leaked.nodes);
    std::vector<NoiseByKind> sent;
    std::map<const NodePlan*, std::vector<std::pair<double, NodeId>>> byTerms;
    for (NodeId node = 0; node < ledger.Nodes(); ++node)
    {
        sent.push_back(SentBy(node, ledger, exposure, leaked));
        byTerms[&plan.Of(node)].emplace_back(SquaresOf(sent[node]), node);
    }
    std::vector<double> epsilons(ledger.Nodes(), 0.0);
    for (auto& [terms, nodes] : byTerms)
    {
        std::sort(nodes.begin(), nodes.end());
        const std::size_t alike = (nodes.size() + MOST_SENT_EPSILONS - 1) / MOST_SENT_EPSILONS;
        for (std::size_t first = 0; first < nodes.size(); first += alike)
        {
            const std::size_t last = std::min(first + alike, nodes.size());
            NoiseByKind least;
            for (std::size_t i = first; i < last; ++i)
            {
                LowerTo(least, sent[nodes[i].second]);
            }
            const double epsilon = plan.Guarantees()->Of(TallyOf(least)).epsilon;
            for (std::size_t i = first; i < last; ++i)
            {
                epsilons[nodes[i].second] = epsilon;
            }
        }
    }
    return epsilons;
}

} // namespace dpdl
