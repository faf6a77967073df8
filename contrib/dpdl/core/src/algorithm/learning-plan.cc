// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/learning-plan.h"

#include "dpdl/base/errors.h"
#include "plan-accountant.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace dpdl
{

namespace
{

/// In each round, raises the noise standard deviation of all nodes to the largest one that a node
/// needs.
/// @param kinds one plan for each set of nodes with the same plan
/// @param rounds number of rounds of the run
void
ShareNoise(const std::vector<std::shared_ptr<NodePlan>>& kinds, Round rounds)
{
    std::vector<double> most(rounds, 0.0);
    for (const auto& kind : kinds)
    {
        for (Round round = 0; round < rounds; ++round)
        {
            most[round] = std::max(most[round], kind->At(round).noise);
        }
    }
    for (const auto& kind : kinds)
    {
        kind->RaiseNoise(most);
    }
}

} // namespace

LearningPlan::LearningPlan(const LearningPlanSettings& settings)
{
    auto own = std::make_shared<LearningPlanSettings>(settings);
    own->watch = nullptr;
    own->flags = own->flags | own->algorithm.flags;
    if (own->mode == Mode::PAPER)
    {
        own->flags = own->flags | own->algorithm.paperFlags;
    }
    if (own->ownPart && !HasFlag(own->flags, ReleaseFlag::BATCH_CLIP))
    {
        own->flags = own->flags | ReleaseFlag::OWN_PART;
    }
    m_settings = own;
    m_guarantees = std::make_shared<AccountantCache>(
        CertifiedAccountant(settings.accountant),
        AccountingQuery{settings.delta, settings.adjacency, Direction::BOTH});
    FindKinds();
    std::vector<std::shared_ptr<NodePlan>> kinds;
    for (const NodeId node : m_representatives)
    {
        if (settings.watch)
        {
            settings.watch(kinds.size(), m_representatives.size());
        }
        const NodeTerms& terms = settings.nodes.empty() ? settings : settings.nodes[node];
        kinds.push_back(std::make_shared<NodePlan>(m_settings, terms, m_guarantees, node));
    }
    if (settings.algorithm.sharesNoise)
    {
        ShareNoise(kinds, settings.rounds);
    }
    m_kinds.assign(kinds.begin(), kinds.end());
}

void
LearningPlan::FindKinds()
{
    const bool drawsClients = m_settings->algorithm.clients < 1.0;
    const bool isServerApart = !m_settings->algorithm.serverLearns;
    if (m_settings->nodes.empty())
    {
        if (drawsClients || isServerApart)
        {
            throw Error("a plan whose nodes step at different times needs the terms of each node");
        }
        m_representatives.push_back(0);
    }
    std::map<std::tuple<std::size_t, double, NodeId>, std::size_t> known;
    for (NodeId node = 0; node < m_settings->nodes.size(); ++node)
    {
        const NodeTerms& terms = m_settings->nodes[node];
        // If clients are drawn, each node has a separate plan, because nodes are drawn in different
        // rounds. A server that does not learn also has a separate plan, because it never steps.
        const NodeId own = drawsClients ? node : NodeId{isServerApart && node == 0};
        const auto [kind, isNew] =
            known.try_emplace({terms.localSamples, terms.epsilon, own}, known.size());
        if (isNew)
        {
            m_representatives.push_back(node);
        }
        m_kindOf.push_back(kind->second);
    }
}

double
LearningPlan::ClaimKappa() const
{
    double kappa = 0.0;
    for (const auto& kind : m_kinds)
    {
        kappa = std::max(kappa, kind->ClaimKappa());
    }
    return kappa;
}

} // namespace dpdl
