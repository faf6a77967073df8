// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/privacy-recorder.h"

#include "dpdl/base/quantity.h"
#include "dpdl/privacy/certified-curve.h"

#include <algorithm>
#include <cmath>
#include <limits>

// Adds releases to the ledger, checks them against the plan, and writes the claimed and certified
// guarantees.

namespace dpdl
{

namespace
{

/// `node 3`, or the number of nodes.
std::string
NameNodes(const std::vector<NodeId>& nodes, std::size_t all)
{
    if (nodes.size() == all)
    {
        return "all " + std::to_string(all) + " nodes";
    }
    constexpr std::size_t MOST = 5;
    std::string text = nodes.size() == 1 ? "node" : "nodes";
    for (std::size_t i = 0; i < std::min(MOST, nodes.size()); ++i)
    {
        text += (i == 0 ? " " : ", ") + std::to_string(nodes[i]);
    }
    return nodes.size() <= MOST ? text
                                : text + " and " + std::to_string(nodes.size() - MOST) + " more";
}

} // namespace

PrivacyRecorder::PrivacyRecorder(const LearningPlan& plan,
                                 std::size_t nodes,
                                 PrivacyBudget* guard,
                                 ValidityMonitor& monitor,
                                 TraceStore& store,
                                 LeakedSecrets leaked)
    : m_plan(plan),
      m_guard(guard),
      m_monitor(monitor),
      m_store(store),
      m_leaked(std::move(leaked)),
      m_ledger(nodes),
      m_announced(nodes, 0),
      m_recorded(nodes, 0),
      m_claims(nodes, 0.0)
{
}

void
PrivacyRecorder::Add(const NodeJob& job)
{
    if (m_recorded[job.node] == job.round + 1)
    {
        return;
    }
    m_recorded[job.node] = job.round + 1;
    Follow(job);
    std::string mismatch;
    for (const Release& release : m_plan.Match(job.node, job.round, job.releases, mismatch))
    {
        Append(release);
    }
    if (!mismatch.empty())
    {
        const std::string detail = "round " + std::to_string(job.round) + ": " + mismatch;
        if (m_mismatch.try_emplace(job.node, detail).second && m_mismatch.size() == 1)
        {
            m_warnings.push_back("node " + std::to_string(job.node) + ", " + detail +
                                 "; nothing is certified for it");
        }
    }
}

/// Tracks the least noise and the largest state: float32 must resolve the noise in later sums; see
/// LeastNoise().
void
PrivacyRecorder::Follow(const NodeJob& job)
{
    for (const ReleaseRecord& record : job.releases)
    {
        if (record.deviation > 0.0)
        {
            m_inState = std::min(m_inState, record.inState);
            m_largestState = std::max(m_largestState, record.largestState);
        }
    }
    const double part = m_inState * m_plan.Settings().noiseSource->OwnShare();
    const double least = LeastNoise(m_largestState, std::numeric_limits<float>::digits);
    if (NeedsAllParts() && part < least)
    {
        VoidAll("a node's part of the noise, " + ShowRounded(part, 3) +
                " in its model, does not survive float32, which needs " + ShowRounded(least, 3) +
                " where values may be as large as " + ShowRounded(m_largestState, 3));
    }
}

void
PrivacyRecorder::EndAnnounced(NodeId node)
{
    if (m_announced[node] <= m_recorded[node])
    {
        return;
    }
    m_recorded[node] = m_announced[node];
    for (const Release& planned : m_plan.ReleasesOf(node, m_announced[node] - 1))
    {
        Append(planned.WithFlags(ReleaseFlag::UNNOISED_RELEASE));
    }
}

bool
PrivacyRecorder::NeedsAllParts() const
{
    return HasFlag(m_plan.Settings().algorithm.flags, ReleaseFlag::TRUSTED_SERVER) &&
           m_mismatch.empty();
}

void
PrivacyRecorder::LosePart(const std::string& detail)
{
    VoidAll("a sum at the trusted server lacks a part of its noise: " + detail);
}

void
PrivacyRecorder::VoidAll(const std::string& reason)
{
    for (NodeId node = 0; node < m_ledger.Nodes(); ++node)
    {
        m_mismatch.emplace(node, reason);
    }
    m_warnings.push_back(reason + "; nothing is certified");
}

void
PrivacyRecorder::Append(const Release& release)
{
    Release fields = release;
    if (m_leaked.HideByOwnNoise(fields.node))
    {
        fields.noise *= m_plan.Settings().noiseSource->OwnShare();
    }
    const Release entry = m_ledger.Append(Release(std::move(fields)));
    m_claims[entry.node] +=
        m_plan.Settings().algorithm.claim.Spent(m_plan.At(entry.node, entry.round).mu,
                                                m_plan.ClaimedRate(entry.node));
    Write(entry);
}

void
PrivacyRecorder::Write(const Release& release)
{
    const std::string flags = ToString(release.flags);
    ReleaseEntry row;
    row.node = release.node;
    row.round = release.round;
    row.mechanism = release.mechanism;
    row.sampler = release.sampler;
    row.rate = release.rate;
    row.sensitivity = release.sensitivity;
    row.noise = release.noise;
    row.noiseMultiplier = release.NoiseMultiplier();
    row.flags = flags;
    if (release.HasEpochs())
    {
        row.epoch = release.epoch;
    }
    m_store.Add(row);
}

std::optional<double>
PrivacyRecorder::CloseRound(Round round)
{
    ReportHalted();
    if (!m_mismatch.empty() && !m_voidFrom)
    {
        m_voidFrom = round;
    }
    double claimed = 0.0;
    double mostSpent = -1.0;
    double bound = 0.0;
    for (NodeId node = 0; node < m_ledger.Nodes(); ++node)
    {
        const bool stands = m_monitor.ClaimVoid(node).empty() && m_mismatch.count(node) == 0;
        if (!stands || m_claims[node] > mostSpent)
        {
            mostSpent = stands ? m_claims[node] : INFINITY;
            claimed = Claimed(node);
        }
        bound = m_guard == nullptr ? bound : std::max(bound, m_guard->Bound(node));
    }
    m_claimedRows.push_back(claimed);
    return m_guard == nullptr ? std::nullopt : std::optional(m_voidFrom ? INFINITY : bound);
}

void
PrivacyRecorder::ReportHalted()
{
    if (m_guard == nullptr)
    {
        return;
    }
    std::map<Round, std::vector<NodeId>> byRound;
    for (const NodeId node : m_guard->TakeHalted())
    {
        byRound[*m_guard->HaltedIn(node)].push_back(node);
    }
    for (auto& [round, nodes] : byRound)
    {
        std::sort(nodes.begin(), nodes.end());
        ReportHalted(round, nodes);
    }
}

void
PrivacyRecorder::ReportHalted(Round round, const std::vector<NodeId>& nodes)
{
    const std::string budget = ShowNumber(m_guard->Budget());
    const std::string spent = ShowNumber(m_guard->Certified(nodes.front()).epsilon);
    const std::string detail = "the release of this round would exceed epsilon " + budget +
                               "; certified before it: " + spent;
    for (const NodeId node : nodes)
    {
        m_monitor.Report(Assumption::PRIVACY_BUDGET, round, node, detail);
    }
    m_warnings.push_back("round " + std::to_string(round) + ": " +
                         NameNodes(nodes, m_ledger.Nodes()) + " stopped learning at epsilon " +
                         spent + ", one more release would exceed stopAt " + budget);
}

Guarantee
PrivacyRecorder::Evaluate(NodeId node) const
{
    Guarantee guarantee = OfLedger(node);
    if (!m_leaked.reason.empty())
    {
        guarantee.epsilon = INFINITY;
        guarantee.reason = guarantee.reason.empty() ? m_leaked.reason : guarantee.reason;
    }
    return guarantee;
}

} // namespace dpdl
