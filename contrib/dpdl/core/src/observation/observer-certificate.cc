// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/observation/observer-certificate.h"

#include "dpdl/base/noise-source.h"
#include "seen-states.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

// Certifies what an observer can learn of a node: applies the theorem with the smallest epsilon
// whose conditions the run satisfies.

namespace dpdl
{

namespace
{

/// An epsilon replaces a larger epsilon only if it is smaller by more than this fraction.
constexpr double ROUNDING = 1e-9;

/// Flags of releases that depend on other releases. A theorem that counts only some of a node's
/// releases does not hold for releases with these flags.
constexpr ReleaseFlag TIED = ReleaseFlag::CORRELATED_NOISE | ReleaseFlag::DATA_DEPENDENT_SCALE |
                             ReleaseFlag::ADAPTIVE_SCHEDULE | ReleaseFlag::SEED_REUSE |
                             ReleaseFlag::TRUSTED_SERVER;

bool
AnyFlag(const ObservedRun& run, ReleaseFlag flags)
{
    return std::any_of(run.releases.begin(), run.releases.end(), [flags](const auto& releases) {
        return std::any_of(releases.begin(), releases.end(), [flags](const Release& release) {
            return HasFlag(release.flags, flags);
        });
    });
}

/// True if the observer may know the secrets of more nodes (its nodes, and nodes that leak secrets)
/// than the number of colluders that the guarantee allows.
bool
KnowsTooManySecrets(const ObservedRun& run, const Observer& observer)
{
    const std::size_t own = observer.kind == ObserverKind::NODES ? observer.nodes.size() : 0;
    return run.colluders.has_value() && static_cast<double>(own + run.leakers) > *run.colluders;
}

/// Releases of a node up to the round of its last message that reached any node.
std::vector<Release>
HeardReleases(const ObservedRun& run, NodeId node)
{
    std::optional<Round> last;
    for (const Delivery& message : run.deliveries)
    {
        const bool isHeard = HasArrived(message) || message.usedInRound.has_value();
        if (message.source == node && isHeard && message.fate != DeliveryFate::REFUNDED)
        {
            last = std::max(last.value_or(0), message.round);
        }
    }
    std::vector<Release> heard;
    for (const Release& release : run.releases[node])
    {
        if (last.has_value() && release.round <= *last)
        {
            heard.push_back(release);
        }
    }
    return heard;
}

/// Rounds in which at least one node releases, in ascending order. A phase (PhaseKnowledge) begins
/// with one of these rounds and ends before the next.
std::vector<Round>
StepRounds(const ObservedRun& run)
{
    std::set<Round> rounds;
    for (const std::vector<Release>& releases : run.releases)
    {
        for (const Release& release : releases)
        {
            rounds.insert(release.round);
        }
    }
    return {rounds.begin(), rounds.end()};
}

/// True if the sampler draws the batches of different rounds independently.
bool
HasIndependentBatches(const ObservedRun& run)
{
    return std::all_of(run.releases.begin(), run.releases.end(), [](const auto& releases) {
        return std::all_of(releases.begin(), releases.end(), [](const Release& release) {
            const std::string& sampler = release.sampler;
            return sampler == "poisson" || sampler == "fixed" || sampler == "full";
        });
    });
}

/// True if every message that was mixed was mixed in the phase in which it was sent. A phase
/// (PhaseKnowledge) begins with one of the rounds @p starts, in which nodes release, and ends
/// before the next.
bool
EndsWithItsPhase(const ObservedRun& run, const std::vector<Round>& starts)
{
    const auto phaseOf = [&](Round round) {
        return std::upper_bound(starts.begin(), starts.end(), round) - starts.begin();
    };
    return std::all_of(run.deliveries.begin(), run.deliveries.end(), [&](const Delivery& message) {
        return phaseOf(message.round) == phaseOf(message.usedInRound.value_or(message.round));
    });
}

/// True if the proof of PhaseKnowledge covers the gossip of the run. Plain gossip is always
/// covered. Accelerated gossip is covered if every node releases in each of the rounds @p starts,
/// the first rounds of the phases, and every message is mixed in the round in which it was sent.
bool
HasWholePhases(const ObservedRun& run, const std::vector<Round>& starts)
{
    const bool allStep =
        std::all_of(run.releases.begin(), run.releases.end(), [&](const auto& releases) {
            return releases.size() == starts.size();
        });
    return run.momentum == 1.0 ||
           (allStep && std::all_of(run.deliveries.begin(), run.deliveries.end(), [](const auto& m) {
                return m.usedInRound == m.round;
            }));
}

/// Certificate "all-states" for an observer who sees every state: the epsilon of the run's
/// guarantee. The epsilon is infinite if the observer knows too many secrets or the run relies on a
/// trusted server.
ObserverCertificate
OfAllStates(const ObservedRun& run,
            const Observer& observer,
            const std::vector<Release>& all,
            AccountantCache& accountant)
{
    ObserverCertificate proven{"all-states",
                               "holds against an observer who sees every state",
                               all.size(),
                               accountant.Of(all)};
    if (KnowsTooManySecrets(run, observer))
    {
        proven.guarantee.epsilon = std::numeric_limits<double>::infinity();
        proven.guarantee.reason =
            run.leakers == 0
                ? "the guarantee allows for fewer colluders than this observer has nodes"
                : "the guarantee allows for fewer colluders than nodes that leak and observe";
    }
    if (AnyFlag(run, ReleaseFlag::TRUSTED_SERVER))
    {
        proven.guarantee.epsilon = std::numeric_limits<double>::infinity();
        proven.guarantee.reason =
            "the guarantee is for those who see only what the trusted server sends";
    }
    if (!std::isfinite(proven.guarantee.epsilon))
    {
        proven.statement = "none";
        proven.reason = proven.guarantee.reason;
    }
    return proven;
}

void
TakeIfBetter(ObserverCertificate& best,
             const std::string& statement,
             const std::string& reason,
             const std::vector<Release>& releases,
             AccountantCache& accountant)
{
    const Guarantee guarantee = accountant.Of(releases);
    if (guarantee.epsilon < best.guarantee.epsilon * (1.0 - ROUNDING))
    {
        best = {statement, reason, releases.size(), guarantee};
    }
}

} // namespace

PhaseKnowledge::PhaseKnowledge(const ObservedRun& run, const Observer& observer)
{
    const std::vector<Round> starts = StepRounds(run);
    const bool everyRound = starts.size() > 1 && starts.size() == run.rounds;
    if (starts.empty() || everyRound || run.crashed || AnyFlag(run, TIED) ||
        !HasIndependentBatches(run) || !EndsWithItsPhase(run, starts) ||
        !HasWholePhases(run, starts))
    {
        return;
    }
    // A state contains a weighted sum of the independent noises of n nodes, with weights that sum
    // to 1. The sum's standard deviation is at least 1 / sqrt(n) times the smallest of the noises'
    // standard deviations.
    const double root = std::sqrt(static_cast<double>(run.releases.size()));
    const double noise = run.noiseInState / root;
    // With accelerated gossip, weights may be negative. The weights of a state are a row of a
    // polynomial of the mixing matrix W, whose eigenvalues are in [-1, 1]. So the absolute values
    // of the weights sum to at most sqrt(n).
    const double overshoot = run.momentum == 1.0 ? 1.0 : (2.0 * run.momentum - 1.0) * root;
    if (!(noise >= LeastNoise(run.largestState * overshoot, std::numeric_limits<float>::digits)))
    {
        m_isRounded = true;
        return;
    }
    m_phases = starts.size();
    ObservedRun phase = run;
    for (std::size_t i = 0; i < starts.size(); ++i)
    {
        const bool last = i + 1 == starts.size();
        phase.firstRound = starts[i];
        phase.rounds = last ? run.rounds : starts[i + 1];
        phase.endIsKnown = !last;
        const NetworkObserver seer(phase, observer);
        // By Wedin's theorem, the error of a singular vector is at most the rounding error divided
        // by s, where s is the ratio of its singular value to the largest singular value.
        const double rounding = static_cast<double>(run.rounds + run.releases.size()) *
                                std::numeric_limits<double>::epsilon() /
                                seer.Knowledge().Conditioning();
        const bool mayMiss = seer.MayMissDirections();
        for (const TargetView& view : seer.Views())
        {
            if (view.reason.empty())
            {
                const double seen =
                    view.meanStep > 0.0 ? std::min(1.0, view.meanStep + rounding) : 0.0;
                m_seen[{starts[i], view.target}] = mayMiss ? 1.0 : seen;
            }
        }
    }
}

std::optional<std::vector<Release>>
PhaseKnowledge::Hidden(const std::vector<Release>& releases) const
{
    std::vector<Release> hidden;
    for (const Release& release : releases)
    {
        const auto seen = m_seen.find({release.round, release.node});
        if (seen == m_seen.end())
        {
            return {};
        }
        if (seen->second > 0.0)
        {
            Release fields = release;
            fields.noise /= std::sqrt(seen->second);
            hidden.emplace_back(fields);
        }
    }
    return hidden;
}

ObserverCertificate
CertifyFor(const ObservedRun& run,
           const PhaseKnowledge& phases,
           const Observer& observer,
           NodeId target,
           AccountantCache& accountant)
{
    const std::vector<Release>& all = run.releases[target];
    ObserverCertificate best = OfAllStates(run, observer, all, accountant);
    if (KnowsTooManySecrets(run, observer) || AnyFlag(run, TIED))
    {
        return best;
    }
    // If step times depend on private batches, they also determine which message of a node is the
    // last. The theorem "suffix" does not apply to such runs.
    if (!observer.IsAt(target) && !run.isTimed)
    {
        TakeIfBetter(best,
                     "suffix",
                     "nothing that was released later has reached anyone",
                     HeardReleases(run, target),
                     accountant);
    }
    const auto hidden = phases.Hidden(all);
    if (phases.Phases() > 0 && hidden.has_value())
    {
        const bool one = phases.Phases() == 1;
        TakeIfBetter(best,
                     one ? "one-input" : "phases",
                     one ? "every node has one noisy input, and all else is linear in these"
                         : "every phase starts from states that count as seen, and is linear",
                     *hidden,
                     accountant);
    }
    if (phases.IsRounded())
    {
        best.reason += "; sums of the nodes' noises are not known to survive float32";
    }
    return best;
}

} // namespace dpdl
