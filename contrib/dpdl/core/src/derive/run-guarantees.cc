// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/derive/run-guarantees.h"

#include "dpdl/privacy/certified-curve.h"

#include <algorithm>

// Computes the claimed and certified epsilons of a run, by round and by node, from PrivacyFacts.

namespace dpdl
{

namespace
{

/// True if the noise depends on earlier releases, so only privacy filters can bound epsilon.
bool
IsAdaptive(const PrivacyFacts& facts)
{
    return HasFlag(facts.plan.Settings().flags, ReleaseFlag::ADAPTIVE_SCHEDULE) &&
           facts.budget != nullptr;
}

/// Certified guarantee of a node. If IsAdaptive() and no noise was used twice, the guarantee comes
/// from the privacy filter of the node, otherwise from its ledger entries. Epsilon is infinite if
/// PrivacyFacts::mismatch has an entry for the node.
Guarantee
OfLedger(const PrivacyFacts& facts, NodeId node)
{
    const auto mismatch = facts.mismatch.find(node);
    if (mismatch == facts.mismatch.end() && IsAdaptive(facts))
    {
        bool isReused = false;
        facts.ledger.ForEach(node, [&isReused](const Release& release) {
            isReused = isReused || HasFlag(release.flags, ReleaseFlag::SEED_REUSE);
        });
        if (!isReused)
        {
            return facts.budget->Certified(node);
        }
    }
    Guarantee guarantee = facts.plan.Guarantees()->Of(facts.ledger.TallyOf(node));
    if (mismatch != facts.mismatch.end())
    {
        guarantee.epsilon = INFINITY;
        guarantee.reason = mismatch->second;
    }
    return guarantee;
}

/// Guarantee of every node by OfLedger(). Nodes with equal releases are evaluated once.
std::vector<Guarantee>
OfAll(const PrivacyFacts& facts)
{
    const std::vector<NodeId> alike = facts.ledger.Alike();
    std::vector<Guarantee> all;
    for (NodeId node = 0; node < facts.ledger.Nodes(); ++node)
    {
        // The reason for an infinite epsilon names the node, so a node without a finite epsilon
        // does not share the result of another node.
        const bool isKnown = alike[node] != node && all[alike[node]].reason.empty() &&
                             facts.mismatch.count(node) == 0 && !IsAdaptive(facts);
        all.push_back(isKnown ? all[alike[node]] : OfLedger(facts, node));
    }
    return all;
}

/// Element k: upper bound on the certified epsilon of every node after k + 1 rounds. The parameter
/// @p all has the guarantees at the end of the run.
std::vector<double>
CertifiedRows(const PrivacyFacts& facts, const std::vector<Guarantee>& all, bool complete)
{
    const auto rounds = static_cast<Round>(facts.claimedRows.size());
    // An interrupted run must end quickly, so more rounds share a bound. A resumed run computes all
    // bounds again.
    const double shared = complete ? SHARED_ROWS : std::max(5e-2, 2e-6 * rounds);
    if (facts.leaked.reason.empty() && !IsAdaptive(facts))
    {
        return CertifiedCurve(facts.ledger, *facts.plan.Guarantees(), rounds, shared);
    }
    // A privacy filter certifies one epsilon, its whole budget, for any number of releases. So
    // every round from the first release of a node on has this epsilon.
    std::vector<double> rows(rounds, facts.leaked.reason.empty() ? 0.0 : INFINITY);
    for (NodeId node = 0; node < facts.ledger.Nodes() && facts.leaked.reason.empty(); ++node)
    {
        Round first = rounds;
        facts.ledger.ForEach(node, [&first](const Release& release) {
            first = std::min(first, release.round);
        });
        const double epsilon = all[node].epsilon;
        std::for_each(rows.begin() + first, rows.end(), [epsilon](double& row) {
            row = std::max(row, epsilon);
        });
    }
    return rows;
}

/// Writes the rows of GuaranteeByRound.
/// @param certified upper bounds from CertifiedRows()
/// @param largest largest certified epsilon of any node at the end of the run
void
WriteRows(const PrivacyFacts& facts,
          TraceStore& store,
          const std::vector<double>& certified,
          double largest)
{
    for (Round row = 0; row < certified.size(); ++row)
    {
        // `largest` bounds the epsilon of all releases, so it also bounds that of the releases up
        // to any earlier round.
        const bool isLast = row + 1 == certified.size();
        const double epsilon = isLast ? largest : std::min(certified[row], largest);
        const bool isVoid = facts.voidFrom && row >= *facts.voidFrom;
        store.Add(GuaranteeByRound{row + 1, facts.claimedRows[row], isVoid ? INFINITY : epsilon});
    }
}

/// Reason for the infinite claimed epsilon of a node, one line; "": it is finite.
std::string
ClaimReason(const PrivacyFacts& facts, NodeId node)
{
    const AlgorithmPreset& algorithm = facts.plan.Settings().algorithm;
    const std::string reason =
        algorithm.isPrivate ? algorithm.claim.reason : "the algorithm claims no privacy";
    if (reason.empty() && facts.mismatch.count(node) > 0)
    {
        return facts.mismatch.at(node);
    }
    return reason.empty() ? facts.validity.ClaimVoid(node) : reason;
}

/// By node: the smaller of the epsilon for the recorded noise (@p all) and the epsilon for the
/// noise that was drawn (SentEpsilons()). Empty if nodes share no noise. If too many nodes leak, or
/// the epsilon for the recorded noise is infinite for one node, it counts as infinite for all
/// nodes.
std::vector<double>
AsSent(const PrivacyFacts& facts,
       const std::vector<Guarantee>& all,
       const std::vector<bool>& mayLackReleases)
{
    if (facts.plan.Settings().noiseSource->OwnShare() >= 1.0)
    {
        return {};
    }
    std::vector<double> epsilons;
    for (const Guarantee& guarantee : all)
    {
        epsilons.push_back(guarantee.epsilon);
    }
    const bool isKnown = std::all_of(epsilons.begin(), epsilons.end(), [](double epsilon) {
        return std::isfinite(epsilon);
    });
    if (!isKnown || !facts.leaked.reason.empty())
    {
        std::fill(epsilons.begin(), epsilons.end(), INFINITY);
    }
    const std::vector<double> sent =
        isKnown ? SentEpsilons(facts.ledger, facts.plan, mayLackReleases, facts.leaked)
                : std::vector<double>();
    // The guarantee for the recorded noise and the guarantee for the messages as sent are both
    // valid upper bounds.
    for (NodeId node = 0; node < sent.size(); ++node)
    {
        epsilons[node] = std::min(epsilons[node], sent[node]);
    }
    return epsilons;
}

/// Largest epsilon of any node if all other nodes reveal their secrets. Only the noise that a node
/// shares with no other node then protects it.
double
WithoutSecrets(const PrivacyFacts& facts)
{
    const double share = facts.plan.Settings().noiseSource->OwnShare();
    double largest = 0.0;
    const std::vector<NodeId> alike = facts.ledger.Alike();
    for (NodeId node = 0; node < facts.ledger.Nodes(); ++node)
    {
        if (alike[node] != node)
        {
            continue;
        }
        ReleaseTally releases;
        facts.ledger.ForEach(node, [&](const Release& release) {
            Release fields = release;
            fields.noise *= facts.leaked.HideByOwnNoise(node) ? 1.0 : share;
            releases.Add(fields);
        });
        largest = std::max(largest, facts.plan.Guarantees()->Of(releases).epsilon);
    }
    return largest;
}

} // namespace

double
ClaimedEpsilon(const PrivacyFacts& facts, NodeId node)
{
    if (!facts.plan.Settings().algorithm.isPrivate || !facts.validity.ClaimVoid(node).empty() ||
        facts.mismatch.count(node) > 0)
    {
        return INFINITY;
    }
    return facts.plan.Settings().algorithm.claim.Epsilon(facts.claims[node],
                                                         facts.plan.Settings().delta);
}

void
WriteGuarantees(const PrivacyFacts& facts,
                TraceStore& store,
                const std::vector<bool>& mayLackReleases,
                bool complete)
{
    std::vector<Guarantee> all = OfAll(facts);
    const std::vector<double> sent = AsSent(facts, all, mayLackReleases);
    const std::vector<double> rows = CertifiedRows(facts, all, complete);
    std::size_t halted = 0;
    double largest = 0.0;
    for (NodeId node = 0; node < facts.ledger.Nodes(); ++node)
    {
        Guarantee& certified = all[node];
        if (!facts.leaked.reason.empty())
        {
            certified.epsilon = INFINITY;
            certified.reason = certified.reason.empty() ? facts.leaked.reason : certified.reason;
        }
        GuaranteeByNode row;
        row.node = node;
        row.claimed = ClaimedEpsilon(facts, node);
        row.certified = certified.epsilon;
        row.delta = facts.plan.Settings().delta;
        row.adjacency = certified.adjacency;
        row.reason = certified.reason;
        row.accountant = certified.accountant;
        row.claimReason = ClaimReason(facts, node);
        row.budget = facts.plan.Of(node).Budget();
        row.asSent = sent.empty() ? std::nullopt : std::optional(sent[node]);
        if (facts.budget != nullptr && facts.budget->HaltedIn(node))
        {
            row.stoppedInRound = facts.budget->HaltedIn(node);
            ++halted;
        }
        store.Add(row);
        largest = std::max(largest, row.certified);
    }
    WriteRows(facts, store, rows, largest);
    store.SetSummary("nodes_stopped", halted);
    if (std::isfinite(facts.inState) && std::isfinite(facts.largestState))
    {
        store.SetSummary("noise_in_state", facts.inState);
        store.SetSummary("largest_state", facts.largestState);
    }
    if (!sent.empty())
    {
        store.SetSummary("epsilon_without_secrets", WithoutSecrets(facts));
        store.SetSummary("epsilon_planned", PlannedEpsilon(facts.plan));
        store.SetSummary("epsilon_as_sent", *std::max_element(sent.begin(), sent.end()));
    }
}

} // namespace dpdl
