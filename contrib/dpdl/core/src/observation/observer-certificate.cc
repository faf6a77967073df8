// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/observation/observer-certificate.h"

#include "seen-states.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace dpdl
{

namespace
{

/// Relative difference below which two theorems say the same.
constexpr double ROUNDING = 1e-9;

/// Releases that tell of other ones: their noise is shared with them or was computed from them.
constexpr ReleaseFlag TIED = ReleaseFlag::CORRELATED_NOISE | ReleaseFlag::DATA_DEPENDENT_SCALE |
                             ReleaseFlag::ADAPTIVE_SCHEDULE | ReleaseFlag::SEED_REUSE;

bool
AnyTied(const ObservedRun& run)
{
    return std::any_of(run.releases.begin(), run.releases.end(), [](const auto& releases) {
        return std::any_of(releases.begin(), releases.end(), [](const Release& release) {
            return HasFlag(release.Flags(), TIED);
        });
    });
}

/// True if the observer's nodes hold more secrets than the guarantee allows for.
bool
KnowsTooManySecrets(const ObservedRun& run, const Observer& observer)
{
    return observer.kind == ObserverKind::NODES && run.colluders.has_value() &&
           static_cast<double>(observer.nodes.size()) > *run.colluders;
}

/// The releases of a node that anyone can have received a part of.
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
        if (last.has_value() && release.Round() <= *last)
        {
            heard.push_back(release);
        }
    }
    return heard;
}

/// True if every node releases at its initial model or not at all.
bool
HasOneInputEach(const ObservedRun& run)
{
    return std::all_of(run.releases.begin(), run.releases.end(), [](const auto& releases) {
        return releases.size() <= 1 && (releases.empty() || releases.front().Round() == 0);
    });
}

/// The one release of a node as an observer sees it: under the noise of others' as well.
std::vector<Release>
HiddenRelease(const Release& release, double part)
{
    if (part <= 0.0)
    {
        return {};
    }
    Release::Fields fields = release.Get();
    fields.noise /= std::sqrt(part);
    return {Release(fields)};
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

ObserverCertificate
CertifyFor(const ObservedRun& run,
           const NetworkObserver* watched,
           const Observer& observer,
           NodeId target,
           AccountantCache& accountant)
{
    const std::vector<Release>& all = run.releases[target];
    ObserverCertificate best{"all-states",
                             "holds against an observer who sees every state",
                             all.size(),
                             accountant.Of(all)};
    if (KnowsTooManySecrets(run, observer))
    {
        best.guarantee.epsilon = std::numeric_limits<double>::infinity();
        best.guarantee.reason =
            "the guarantee allows for fewer colluders than this observer has nodes";
    }
    if (!std::isfinite(best.guarantee.epsilon))
    {
        best.statement = "none";
        best.reason = best.guarantee.reason;
    }
    if (KnowsTooManySecrets(run, observer) || AnyTied(run))
    {
        return best;
    }
    if (!observer.IsAt(target))
    {
        TakeIfBetter(best,
                     "suffix",
                     "nothing that was released later has reached anyone",
                     HeardReleases(run, target),
                     accountant);
    }
    if (watched == nullptr || !HasOneInputEach(run) || all.empty())
    {
        return best;
    }
    const TargetView view = watched->View(target);
    if (view.reason.empty())
    {
        TakeIfBetter(best,
                     "one-input",
                     "every node has one noisy input, and all else is linear in these",
                     HiddenRelease(all.front(), view.meanStep),
                     accountant);
    }
    return best;
}

} // namespace dpdl
