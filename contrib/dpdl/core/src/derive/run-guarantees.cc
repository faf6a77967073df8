// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/derive/run-guarantees.h"

#include "dpdl/privacy/certified-curve.h"

#include <algorithm>
#include <cmath>

// Claimed and certified epsilons of a run, by round and by node, from PrivacyFacts.

namespace dpdl
{

std::vector<double>
RunGuarantees::CertifiedRows(bool complete) const
{
    // An interrupted run has to end soon, and rows are computed again when it is resumed.
    const double shared = complete ? SHARED_ROWS : 5e-2;
    const auto rounds = static_cast<Round>(m_facts.claimedRows.size());
    if (m_facts.leaked.reason.empty() && !IsAdaptive())
    {
        return CertifiedCurve(m_facts.ledger, *m_facts.plan.Guarantees(), rounds, shared);
    }
    // A filter certifies its whole budget from the first release on.
    std::vector<double> rows(rounds, m_facts.leaked.reason.empty() ? 0.0 : INFINITY);
    for (NodeId node = 0; node < m_facts.ledger.Nodes() && m_facts.leaked.reason.empty(); ++node)
    {
        Round first = rounds;
        m_facts.ledger.ForEach(node, [&first](const Release& release) {
            first = std::min(first, release.round);
        });
        const double epsilon = OfLedger(node).epsilon;
        std::for_each(rows.begin() + first, rows.end(), [epsilon](double& row) {
            row = std::max(row, epsilon);
        });
    }
    return rows;
}

void
RunGuarantees::WriteRows(TraceStore& store, double largest, bool complete) const
{
    const std::vector<double> certified = CertifiedRows(complete);
    for (Round row = 0; row < certified.size(); ++row)
    {
        // A bound for all releases also holds for the earlier ones.
        const bool isLast = row + 1 == certified.size();
        const double epsilon = isLast ? largest : std::min(certified[row], largest);
        const bool isVoid = m_facts.voidFrom && row >= *m_facts.voidFrom;
        store.Add(GuaranteeByRound{row + 1, m_facts.claimedRows[row], isVoid ? INFINITY : epsilon});
    }
}

double
RunGuarantees::Claimed(NodeId node) const
{
    if (!m_facts.plan.Settings().algorithm.isPrivate || !m_validity.ClaimVoid(node).empty() ||
        m_facts.mismatch.count(node) > 0)
    {
        return INFINITY;
    }
    return m_facts.plan.Settings().algorithm.claim.Epsilon(m_facts.claims[node],
                                                           m_facts.plan.Settings().delta);
}

std::string
RunGuarantees::ClaimReason(NodeId node) const
{
    const AlgorithmPreset& algorithm = m_facts.plan.Settings().algorithm;
    const std::string reason =
        algorithm.isPrivate ? algorithm.claim.reason : "the algorithm claims no privacy";
    if (reason.empty() && m_facts.mismatch.count(node) > 0)
    {
        return m_facts.mismatch.at(node);
    }
    return reason.empty() ? m_validity.ClaimVoid(node) : reason;
}

bool
RunGuarantees::IsAdaptive() const
{
    return HasFlag(m_facts.plan.Settings().flags, ReleaseFlag::ADAPTIVE_SCHEDULE) &&
           m_budget != nullptr;
}

Guarantee
RunGuarantees::OfLedger(NodeId node) const
{
    const auto mismatch = m_facts.mismatch.find(node);
    if (mismatch != m_facts.mismatch.end())
    {
        Guarantee guarantee = m_facts.plan.Guarantees()->Of(m_facts.ledger.TallyOf(node));
        guarantee.epsilon = INFINITY;
        guarantee.reason = mismatch->second;
        return guarantee;
    }
    if (IsAdaptive())
    {
        const std::vector<Release> releases = m_facts.ledger.ForNode(node);
        const bool reused =
            std::any_of(releases.begin(), releases.end(), [](const Release& release) {
                return HasFlag(release.flags, ReleaseFlag::SEED_REUSE);
            });
        return reused ? m_facts.plan.Guarantees()->Of(releases) : m_budget->Certified(node);
    }
    return m_facts.plan.Guarantees()->Of(m_facts.ledger.TallyOf(node));
}

Guarantee
RunGuarantees::Evaluate(NodeId node) const
{
    Guarantee guarantee = OfLedger(node);
    if (!m_facts.leaked.reason.empty())
    {
        guarantee.epsilon = INFINITY;
        guarantee.reason = guarantee.reason.empty() ? m_facts.leaked.reason : guarantee.reason;
    }
    return guarantee;
}

void
RunGuarantees::Write(TraceStore& store,
                     const std::vector<bool>& mayLackReleases,
                     bool complete) const
{
    const std::vector<double> sent = AsSent(mayLackReleases);
    std::size_t halted = 0;
    double largest = 0.0;
    for (NodeId node = 0; node < m_facts.ledger.Nodes(); ++node)
    {
        const Guarantee certified = Evaluate(node);
        GuaranteeByNode row;
        row.node = node;
        row.claimed = Claimed(node);
        row.certified = certified.epsilon;
        row.delta = m_facts.plan.Settings().delta;
        row.adjacency = certified.adjacency;
        row.reason = certified.reason;
        row.accountant = certified.accountant;
        row.claimReason = ClaimReason(node);
        row.budget = m_facts.plan.Of(node).Budget();
        row.asSent = sent.empty() ? std::nullopt : std::optional(sent[node]);
        if (m_budget != nullptr && m_budget->HaltedIn(node))
        {
            row.stoppedInRound = m_budget->HaltedIn(node);
            ++halted;
        }
        store.Add(row);
        largest = std::max(largest, row.certified);
    }
    WriteRows(store, largest, complete);
    store.SetSummary("nodes_stopped", halted);
    if (std::isfinite(m_facts.inState) && std::isfinite(m_facts.largestState))
    {
        store.SetSummary("noise_in_state", m_facts.inState);
        store.SetSummary("largest_state", m_facts.largestState);
    }
    if (!sent.empty())
    {
        store.SetSummary("epsilon_without_secrets", WithoutSecrets());
        store.SetSummary("epsilon_planned", PlannedEpsilon(m_facts.plan));
        store.SetSummary("epsilon_as_sent", *std::max_element(sent.begin(), sent.end()));
    }
}

std::vector<double>
RunGuarantees::AsSent(const std::vector<bool>& mayLackReleases) const
{
    if (m_facts.plan.Settings().noiseSource->OwnShare() >= 1.0)
    {
        return {};
    }
    std::vector<double> epsilons;
    for (NodeId node = 0; node < m_facts.ledger.Nodes(); ++node)
    {
        epsilons.push_back(OfLedger(node).epsilon);
    }
    const bool isKnown = std::all_of(epsilons.begin(), epsilons.end(), [](double epsilon) {
        return std::isfinite(epsilon);
    });
    if (!isKnown || !m_facts.leaked.reason.empty())
    {
        std::fill(epsilons.begin(), epsilons.end(), INFINITY);
    }
    const std::vector<double> sent =
        isKnown ? SentEpsilons(m_facts.ledger, m_facts.plan, mayLackReleases, m_facts.leaked)
                : std::vector<double>();
    // If both are finite, both are valid, each with its own numerical slack.
    for (NodeId node = 0; node < sent.size(); ++node)
    {
        epsilons[node] = std::min(epsilons[node], sent[node]);
    }
    return epsilons;
}

double
RunGuarantees::WithoutSecrets() const
{
    const double share = m_facts.plan.Settings().noiseSource->OwnShare();
    double largest = 0.0;
    const std::vector<NodeId> alike = m_facts.ledger.Alike();
    for (NodeId node = 0; node < m_facts.ledger.Nodes(); ++node)
    {
        if (alike[node] != node)
        {
            continue;
        }
        ReleaseTally releases;
        m_facts.ledger.ForEach(node, [&](const Release& release) {
            Release fields = release;
            fields.noise *= m_facts.leaked.HideByOwnNoise(node) ? 1.0 : share;
            releases.Add(fields);
        });
        largest = std::max(largest, m_facts.plan.Guarantees()->Of(releases).epsilon);
    }
    return largest;
}

} // namespace dpdl
