// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/quantity.h"
#include "dpdl/experiment/privacy-recorder.h"
#include "dpdl/privacy/certified-curve.h"

#include <algorithm>
#include <cmath>

// The conclusions of PrivacyRecorder: claimed and certified epsilons, by round and by node.

namespace dpdl
{

std::vector<double>
PrivacyRecorder::CertifiedRows(bool complete) const
{
    // An interrupted run has to end soon, and rows are computed again when it is resumed.
    const double shared = complete ? SHARED_ROWS : 5e-2;
    const auto rounds = static_cast<Round>(m_claimedRows.size());
    if (m_leaked.reason.empty() && !IsAdaptive())
    {
        return CertifiedCurve(m_ledger, *m_plan.Guarantees(), rounds, shared);
    }
    // A filter certifies its whole budget from the first release on.
    std::vector<double> rows(rounds, m_leaked.reason.empty() ? 0.0 : INFINITY);
    for (NodeId node = 0; node < m_ledger.Nodes() && m_leaked.reason.empty(); ++node)
    {
        Round first = rounds;
        m_ledger.ForEach(node, [&first](const Release& release) {
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
PrivacyRecorder::WriteRows(double largest, bool complete)
{
    const std::vector<double> certified = CertifiedRows(complete);
    for (Round row = 0; row < certified.size(); ++row)
    {
        // A bound for all releases also holds for the earlier ones.
        const bool isLast = row + 1 == certified.size();
        const double epsilon = isLast ? largest : std::min(certified[row], largest);
        const bool isVoid = m_voidFrom && row >= *m_voidFrom;
        m_store.Add(GuaranteeByRound{row + 1, m_claimedRows[row], isVoid ? INFINITY : epsilon});
    }
}

double
PrivacyRecorder::Claimed(NodeId node) const
{
    if (!m_plan.Settings().algorithm.isPrivate || !m_monitor.ClaimVoid(node).empty() ||
        m_mismatch.count(node) > 0)
    {
        return INFINITY;
    }
    return m_plan.Settings().algorithm.claim.Epsilon(m_claims[node], m_plan.Settings().delta);
}

std::string
PrivacyRecorder::ClaimReason(NodeId node) const
{
    const AlgorithmPreset& algorithm = m_plan.Settings().algorithm;
    const std::string reason =
        algorithm.isPrivate ? algorithm.claim.reason : "the algorithm claims no privacy";
    if (reason.empty() && m_mismatch.count(node) > 0)
    {
        return m_mismatch.at(node);
    }
    return reason.empty() ? m_monitor.ClaimVoid(node) : reason;
}

bool
PrivacyRecorder::IsAdaptive() const
{
    return HasFlag(m_plan.Settings().flags, ReleaseFlag::ADAPTIVE_SCHEDULE) && m_guard != nullptr;
}

Guarantee
PrivacyRecorder::OfLedger(NodeId node) const
{
    const auto mismatch = m_mismatch.find(node);
    if (mismatch != m_mismatch.end())
    {
        Guarantee guarantee = m_plan.Guarantees()->Of(m_ledger.TallyOf(node));
        guarantee.epsilon = INFINITY;
        guarantee.reason = mismatch->second;
        return guarantee;
    }
    if (IsAdaptive())
    {
        const std::vector<Release> releases = m_ledger.ForNode(node);
        const bool reused =
            std::any_of(releases.begin(), releases.end(), [](const Release& release) {
                return HasFlag(release.flags, ReleaseFlag::SEED_REUSE);
            });
        return reused ? m_plan.Guarantees()->Of(releases) : m_guard->Certified(node);
    }
    return m_plan.Guarantees()->Of(m_ledger.TallyOf(node));
}

void
PrivacyRecorder::Finish(const std::vector<bool>& mayLackReleases, bool complete)
{
    for (NodeId node = 0; node < m_ledger.Nodes(); ++node)
    {
        EndAnnounced(node);
    }
    ReportHalted();
    const std::vector<double> sent = AsSent(mayLackReleases);
    std::size_t halted = 0;
    double largest = 0.0;
    for (NodeId node = 0; node < m_ledger.Nodes(); ++node)
    {
        const Guarantee certified = Evaluate(node);
        GuaranteeByNode row;
        row.node = node;
        row.claimed = Claimed(node);
        row.certified = certified.epsilon;
        row.delta = m_plan.Settings().delta;
        row.adjacency = certified.adjacency;
        row.reason = certified.reason;
        row.accountant = certified.accountant;
        row.claimReason = ClaimReason(node);
        row.budget = m_plan.Of(node).Budget();
        row.asSent = sent.empty() ? std::nullopt : std::optional(sent[node]);
        if (m_guard != nullptr && m_guard->HaltedIn(node))
        {
            row.stoppedInRound = m_guard->HaltedIn(node);
            ++halted;
        }
        m_store.Add(row);
        largest = std::max(largest, row.certified);
    }
    WriteRows(largest, complete);
    m_store.SetSummary("nodes_stopped", halted);
    if (std::isfinite(m_inState) && std::isfinite(m_largestState))
    {
        m_store.SetSummary("noise_in_state", m_inState);
        m_store.SetSummary("largest_state", m_largestState);
    }
    if (!sent.empty())
    {
        m_store.SetSummary("epsilon_without_secrets", WithoutSecrets());
        m_store.SetSummary("epsilon_planned", PlannedEpsilon(m_plan));
        m_store.SetSummary("epsilon_as_sent", *std::max_element(sent.begin(), sent.end()));
    }
}

std::vector<double>
PrivacyRecorder::AsSent(const std::vector<bool>& mayLackReleases)
{
    if (m_plan.Settings().noiseSource->OwnShare() >= 1.0)
    {
        return {};
    }
    std::vector<double> epsilons;
    for (NodeId node = 0; node < m_ledger.Nodes(); ++node)
    {
        epsilons.push_back(OfLedger(node).epsilon);
    }
    const bool isKnown = std::all_of(epsilons.begin(), epsilons.end(), [](double epsilon) {
        return std::isfinite(epsilon);
    });
    if (!isKnown || !m_leaked.reason.empty())
    {
        std::fill(epsilons.begin(), epsilons.end(), INFINITY);
    }
    const std::vector<double> sent =
        isKnown ? SentEpsilons(m_ledger, m_plan, mayLackReleases, m_leaked) : std::vector<double>();
    // Both bounds are valid: that of the ledger, and that of the noise as sent.
    for (NodeId node = 0; node < sent.size(); ++node)
    {
        epsilons[node] = std::min(epsilons[node], sent[node]);
    }
    return epsilons;
}

double
PrivacyRecorder::WithoutSecrets()
{
    const double share = m_plan.Settings().noiseSource->OwnShare();
    double largest = 0.0;
    const std::vector<NodeId> alike = m_ledger.Alike();
    for (NodeId node = 0; node < m_ledger.Nodes(); ++node)
    {
        if (alike[node] != node)
        {
            continue;
        }
        ReleaseTally releases;
        m_ledger.ForEach(node, [&](const Release& release) {
            Release fields = release;
            fields.noise *= m_leaked.HideByOwnNoise(node) ? 1.0 : share;
            releases.Add(fields);
        });
        largest = std::max(largest, m_plan.Guarantees()->Of(releases).epsilon);
    }
    return largest;
}

} // namespace dpdl
