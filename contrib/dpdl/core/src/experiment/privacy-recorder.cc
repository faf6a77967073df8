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

constexpr double INF = std::numeric_limits<double>::infinity();

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
    Release::Fields fields = release.Get();
    if (m_leaked.LeaveOwnNoise(fields.node))
    {
        fields.noise *= m_plan.Settings().noiseSource->OwnShare();
    }
    const Release entry = m_ledger.Append(Release(std::move(fields)));
    m_claims[entry.Node()] +=
        m_plan.Settings().algorithm.claim.Spent(m_plan.At(entry.Node(), entry.Round()).mu,
                                                m_plan.ClaimedRate(entry.Node()));
    Write(entry);
}

void
PrivacyRecorder::Write(const Release& release)
{
    const Release::Fields& fields = release.Get();
    const std::string flags = ToString(release.Flags());
    ReleaseEntry row;
    row.node = fields.node;
    row.round = fields.round;
    row.mechanism = fields.mechanism;
    row.sampler = fields.sampler;
    row.rate = fields.rate;
    row.sensitivity = fields.sensitivity;
    row.noise = fields.noise;
    row.noiseMultiplier = release.NoiseMultiplier();
    row.flags = flags;
    m_store.Add(row);
}

std::vector<double>
PrivacyRecorder::CertifiedRows() const
{
    const auto rounds = static_cast<Round>(m_claimedRows.size());
    if (m_leaked.reason.empty() && !IsAdaptive())
    {
        return CertifiedCurve(m_ledger, *m_plan.Guarantees(), rounds);
    }
    // A filter certifies its whole budget from the first release on.
    std::vector<double> rows(rounds, m_leaked.reason.empty() ? 0.0 : INF);
    for (NodeId node = 0; node < m_ledger.Nodes() && m_leaked.reason.empty(); ++node)
    {
        Round first = rounds;
        m_ledger.ForEach(node, [&first](const Release& release) {
            first = std::min(first, release.Round());
        });
        const double epsilon = OfLedger(node).epsilon;
        std::for_each(rows.begin() + first, rows.end(), [epsilon](double& row) {
            row = std::max(row, epsilon);
        });
    }
    return rows;
}

void
PrivacyRecorder::WriteRows(double largest)
{
    const std::vector<double> certified = CertifiedRows();
    for (Round row = 0; row < certified.size(); ++row)
    {
        // A bound for all releases also holds for the earlier ones.
        const bool isLast = row + 1 == certified.size();
        const double epsilon = isLast ? largest : std::min(certified[row], largest);
        const bool isVoid = m_voidFrom && row >= *m_voidFrom;
        m_store.Add(GuaranteeByRound{row + 1, m_claimedRows[row], isVoid ? INF : epsilon});
    }
}

double
PrivacyRecorder::Claimed(NodeId node) const
{
    if (!m_plan.Settings().algorithm.isPrivate || !m_monitor.ClaimVoid(node).empty() ||
        m_mismatch.count(node) > 0)
    {
        return INF;
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
            mostSpent = stands ? m_claims[node] : INF;
            claimed = Claimed(node);
        }
        bound = m_guard == nullptr ? bound : std::max(bound, m_guard->Bound(node));
    }
    m_claimedRows.push_back(claimed);
    return m_guard == nullptr ? std::nullopt : std::optional(m_voidFrom ? INF : bound);
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
        guarantee.epsilon = INF;
        guarantee.reason = guarantee.reason.empty() ? m_leaked.reason : guarantee.reason;
    }
    return guarantee;
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
        guarantee.epsilon = INF;
        guarantee.reason = mismatch->second;
        return guarantee;
    }
    if (IsAdaptive())
    {
        const std::vector<Release> releases = m_ledger.ForNode(node);
        const bool reused =
            std::any_of(releases.begin(), releases.end(), [](const Release& release) {
                return HasFlag(release.Flags(), ReleaseFlag::SEED_REUSE);
            });
        return reused ? m_plan.Guarantees()->Of(releases) : m_guard->Certified(node);
    }
    return m_plan.Guarantees()->Of(m_ledger.TallyOf(node));
}

void
PrivacyRecorder::Finish(const std::vector<bool>& mayBeSilent)
{
    for (NodeId node = 0; node < m_ledger.Nodes(); ++node)
    {
        EndAnnounced(node);
    }
    ReportHalted();
    const std::vector<double> sent = AsSent(mayBeSilent);
    std::size_t halted = 0;
    double largest = 0.0;
    for (NodeId node = 0; node < m_ledger.Nodes(); ++node)
    {
        const Guarantee certified = Evaluate(node);
        const std::string claimReason = ClaimReason(node);
        GuaranteeByNode row;
        row.node = node;
        row.claimed = Claimed(node);
        row.certified = certified.epsilon;
        row.delta = m_plan.Settings().delta;
        row.adjacency = certified.adjacency;
        row.reason = certified.reason;
        row.accountant = certified.accountant;
        row.claimReason = claimReason;
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
    WriteRows(largest);
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
PrivacyRecorder::AsSent(const std::vector<bool>& mayBeSilent)
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
        std::fill(epsilons.begin(), epsilons.end(), INF);
    }
    const std::vector<double> sent =
        isKnown ? SentEpsilons(m_ledger, m_plan, mayBeSilent, m_leaked) : std::vector<double>();
    // If both are finite, both are valid, each with its own numerical slack.
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
            Release::Fields fields = release.Get();
            fields.noise *= m_leaked.LeaveOwnNoise(node) ? 1.0 : share;
            releases.Add(Release(fields));
        });
        largest = std::max(largest, m_plan.Guarantees()->Of(releases).epsilon);
    }
    return largest;
}

} // namespace dpdl
