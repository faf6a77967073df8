// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/privacy-recorder.h"

#include "dpdl/base/quantity.h"
#include "dpdl/base/registry.h"

#include <algorithm>
#include <cmath>
#include <limits>

// Adds releases to the ledger and checks them against the plan. The claimed epsilon of a round is
// computed when the round ends, because later events do not invalidate it. All other guarantees are
// computed at the end of the run.

namespace dpdl
{

PrivacyRecorder::PrivacyRecorder(const LearningPlan& plan,
                                 std::size_t nodes,
                                 PrivacyBudget* budget,
                                 ValidityMonitor& validity,
                                 TraceStore& store,
                                 LeakedSecrets leaked)
    : m_facts{plan,
              budget,
              validity,
              std::move(leaked),
              PrivacyLedger(nodes),
              std::vector<double>(nodes, 0.0)},
      m_store(store),
      m_announced(nodes, 0),
      m_recorded(nodes, 0)
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
    for (const Release& release : m_facts.plan.Match(job.node, job.round, job.releases, mismatch))
    {
        Append(release);
    }
    if (!mismatch.empty())
    {
        const std::string detail = "round " + std::to_string(job.round) + ": " + mismatch;
        if (m_facts.mismatch.try_emplace(job.node, detail).second && m_facts.mismatch.size() == 1)
        {
            m_warnings.push_back("node " + std::to_string(job.node) + ", " + detail +
                                 "; nothing is certified for it");
        }
    }
}

/// Updates the smallest noise standard deviation and the largest absolute value in the states of
/// the run. With a trusted server, each node's part of the noise must remain in the float32 sums.
/// If the part is below LeastNoise(), no epsilon is certified.
void
PrivacyRecorder::Follow(const NodeJob& job)
{
    if (std::any_of(job.releases.begin(), job.releases.end(), [](const Release& release) {
            return release.noise > 0.0;
        }))
    {
        m_facts.inState = std::min(m_facts.inState, job.noiseInState);
        m_facts.largestState = std::max(m_facts.largestState, job.largestState);
    }
    const double part = m_facts.inState * m_facts.plan.Settings().noiseSource->OwnShare();
    const double least = LeastNoise(m_facts.largestState, std::numeric_limits<float>::digits);
    if (NeedsAllParts() && part < least)
    {
        VoidAll("a node's part of the noise, " + ShowRounded(part, 3) +
                " in its model, does not survive float32, which needs " + ShowRounded(least, 3) +
                " where values may be as large as " + ShowRounded(m_facts.largestState, 3));
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
    for (const Release& planned : m_facts.plan.ReleasesOf(node, m_announced[node] - 1))
    {
        Append(planned.WithFlags(ReleaseFlag::UNNOISED_RELEASE));
    }
}

bool
PrivacyRecorder::NeedsAllParts() const
{
    return HasFlag(m_facts.plan.Settings().algorithm.flags, ReleaseFlag::TRUSTED_SERVER) &&
           m_facts.mismatch.empty();
}

void
PrivacyRecorder::LosePart(const std::string& detail)
{
    VoidAll("a sum at the trusted server lacks a part of its noise: " + detail);
}

void
PrivacyRecorder::VoidAll(const std::string& reason)
{
    for (NodeId node = 0; node < m_facts.ledger.Nodes(); ++node)
    {
        m_facts.mismatch.emplace(node, reason);
    }
    m_warnings.push_back(reason + "; nothing is certified");
}

void
PrivacyRecorder::Append(const Release& release)
{
    Release fields = release;
    if (m_facts.leaked.HideByOwnNoise(fields.node))
    {
        fields.noise *= m_facts.plan.Settings().noiseSource->OwnShare();
    }
    const Release entry = m_facts.ledger.Append(Release(std::move(fields)));
    m_facts.claims[entry.node] +=
        m_facts.plan.Settings().algorithm.claim.Spent(m_facts.plan.At(entry.node, entry.round).mu,
                                                      m_facts.plan.ClaimedRate(entry.node));
    m_store.Add(entry);
}

std::optional<double>
PrivacyRecorder::CloseRound(Round round)
{
    ReportHalted();
    if (!m_facts.mismatch.empty() && !m_facts.voidFrom)
    {
        m_facts.voidFrom = round;
    }
    double claimed = 0.0;
    double mostSpent = -1.0;
    double bound = 0.0;
    for (NodeId node = 0; node < m_facts.ledger.Nodes(); ++node)
    {
        const bool stands =
            m_facts.validity.ClaimVoid(node).empty() && m_facts.mismatch.count(node) == 0;
        if (!stands || m_facts.claims[node] > mostSpent)
        {
            mostSpent = stands ? m_facts.claims[node] : INFINITY;
            claimed = ClaimedEpsilon(m_facts, node);
        }
        bound = m_facts.budget == nullptr ? bound : std::max(bound, m_facts.budget->Bound(node));
    }
    m_facts.claimedRows.push_back(claimed);
    return m_facts.budget == nullptr ? std::nullopt
                                     : std::optional(m_facts.voidFrom ? INFINITY : bound);
}

void
PrivacyRecorder::ReportHalted()
{
    if (m_facts.budget == nullptr)
    {
        return;
    }
    std::map<Round, std::vector<NodeId>> byRound;
    for (const NodeId node : m_facts.budget->TakeHalted())
    {
        byRound[*m_facts.budget->HaltedIn(node)].push_back(node);
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
    const std::string limit = ShowNumber(m_facts.budget->Budget());
    const std::string spent = ShowNumber(m_facts.budget->Certified(nodes.front()).epsilon);
    const std::string detail = "the release of this round would exceed epsilon " + limit +
                               "; certified before it: " + spent;
    for (const NodeId node : nodes)
    {
        m_facts.validity.Report(Assumption::PRIVACY_BUDGET, round, node, detail);
    }
    constexpr std::size_t MOST = 5;
    const std::size_t all = m_facts.ledger.Nodes();
    const std::string who =
        nodes.size() == all ? "all " + std::to_string(all) + " nodes" : NameNodes(nodes, MOST);
    m_warnings.push_back("round " + std::to_string(round) + ": " + who +
                         " stopped learning at epsilon " + spent +
                         ", one more release would exceed stopAt " + limit);
}

void
PrivacyRecorder::Finish(const std::vector<bool>& mayLackReleases, bool complete)
{
    for (NodeId node = 0; node < m_facts.ledger.Nodes(); ++node)
    {
        EndAnnounced(node);
    }
    ReportHalted();
    WriteGuarantees(m_facts, m_store, mayLackReleases, complete);
}

} // namespace dpdl
