// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DERIVE_RUN_GUARANTEES_H
#define DPDL_DERIVE_RUN_GUARANTEES_H

#include "dpdl/algorithm/learning-plan.h"
#include "dpdl/derive/privacy-budget.h"
#include "dpdl/derive/validity-monitor.h"
#include "dpdl/network/node-set.h"
#include "dpdl/privacy/ledger.h"
#include "dpdl/trace/trace-store.h"

#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dpdl
{

/// Secrets that failures of kind NODE_LEAK reveal to the adversary.
struct LeakedSecrets
{
    NodeSet nodes; ///< nodes whose shared secrets are known to the adversary
    /// Reason why the planned noise no longer hides releases, one line; "": it still hides them.
    std::string reason;

    /// True if only the independent noise of the node hides its releases; the ledger then has this
    /// noise.
    bool HideByOwnNoise(NodeId node) const
    {
        return reason.empty() && nodes.Contains(node);
    }
};

/// Recorded facts that determine the guarantees of a run.
struct PrivacyFacts
{
    const LearningPlan& plan;   ///< planned releases of all nodes
    PrivacyBudget* budget;      ///< stops nodes at their privacy budget; null: no budget
    ValidityMonitor& validity;  ///< determines which nodes' claims are still valid
    LeakedSecrets leaked;       ///< secrets that the adversary knows
    PrivacyLedger ledger;       ///< releases of each node
    std::vector<double> claims; ///< for each node: sum of Claim::Spent() over its releases
    /// Largest claimed epsilon of any node after each finished round.
    std::vector<double> claimedRows{};
    std::optional<Round> voidFrom{}; ///< first finished round after a mismatch; empty: no mismatch
    /// For nodes whose releases differ from the plan: the first difference, one line.
    std::map<NodeId, std::string> mismatch{};
    double inState{INFINITY}; ///< smallest NodeJob::noiseInState; infinity: not measured
    double largestState{0.0}; ///< largest NodeJob::largestState; 0: not measured
};

/// Epsilon that the algorithm's paper claims for a node's releases so far; infinite if there is no
/// claim or it is not valid.
double ClaimedEpsilon(const PrivacyFacts& facts, NodeId node);

/**
 * @brief Computes the guarantees of every node, of every round and of the run, and writes them to
 *        the store.
 *
 * The guarantee of a node is that of the accountant for its ledger. The rows of GuaranteeByRound
 * are from CertifiedCurve(), limited to the largest epsilon of any node; the last row has this
 * largest epsilon.
 * @param facts facts of the whole run
 * @param store receives the rows
 * @param mayLackReleases as in SentEpsilons()
 * @param complete false: the run was interrupted, so rounds may share a bound if epsilon grows by
 *        at most max(0.05, 2e-6 rounds) over them
 */
void WriteGuarantees(const PrivacyFacts& facts,
                     TraceStore& store,
                     const std::vector<bool>& mayLackReleases,
                     bool complete);

/// The largest certified epsilon of any node if every planned release is made.
double PlannedEpsilon(const LearningPlan& plan);

/// Largest number of evaluations by SentEpsilons() for nodes with the same plan (equal numbers of
/// examples and budgets).
inline constexpr std::size_t MOST_SENT_EPSILONS = 64;

/**
 * @brief Certified epsilon of each node, from the covariance of the noises that were actually
 *        drawn.
 *
 * The ledger has the planned noise of each release, for which all nodes are assumed to release in
 * every round. This function counts each release with NoiseSource::Exposure(), given the nodes that
 * released in the round and the nodes whose secrets are known. A release counts even if none of its
 * messages arrives. Exposure is the actual mu^2 of a release divided by the planned one. If more
 * than MOST_SENT_EPSILONS nodes have the same plan, nodes of similar exposure share one epsilon,
 * which holds for each of them: it takes the smallest effective noise of each of their releases.
 *
 * @param ledger releases of all nodes
 * @param plan plan of the run
 * @param mayLackReleases for each node: true if the ledger has all of its releases, and the rounds
 *        without a release do not depend on private data. All other nodes count as having released
 *        in every round.
 * @param leaked secrets that the adversary knows
 * @return upper bound on epsilon of each node; empty if NoiseSource::Exposure() is not supported
 */
std::vector<double> SentEpsilons(const PrivacyLedger& ledger,
                                 const LearningPlan& plan,
                                 const std::vector<bool>& mayLackReleases,
                                 const LeakedSecrets& leaked);

} // namespace dpdl

#endif // DPDL_DERIVE_RUN_GUARANTEES_H
