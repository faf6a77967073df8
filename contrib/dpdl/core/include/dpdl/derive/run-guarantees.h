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

/// Secrets of nodes that failures of kind NODE_LEAK reveal to the adversary.
struct LeakedSecrets
{
    NodeSet nodes; ///< nodes that leak their shared secrets
    /// One line: reason why the plan no longer hides releases; empty: the plan hides them.
    std::string reason;

    /// True if only the node's separate noise hides its releases, and the ledger records this.
    bool HideByOwnNoise(NodeId node) const
    {
        return reason.empty() && nodes.Contains(node);
    }
};

/// Recorded facts that decide the guarantees of a run.
struct PrivacyFacts
{
    const LearningPlan& plan;          ///< planned releases of all nodes
    PrivacyBudget* budget;             ///< stops nodes at their budget; nullptr: no budget
    ValidityMonitor& validity;         ///< claims that are still valid
    LeakedSecrets leaked;              ///< secrets that the adversary knows
    PrivacyLedger ledger;              ///< releases of each node
    std::vector<double> claims;        ///< by node: sum of Claim::Spent() of its releases
    std::vector<double> claimedRows{}; ///< largest claimed epsilon, by closed round
    std::optional<Round> voidFrom{};   ///< first closed round after any mismatch; empty: none
    std::map<NodeId, std::string> mismatch{}; ///< first difference from the plan, by node
    double inState{INFINITY}; ///< least NodeJob::noiseInState of the run; infinity: not measured
    double largestState{0.0}; ///< largest NodeJob::largestState of the run; 0: not measured
};

/// Epsilon that the algorithm's paper claims for a node's releases so far; infinite if the claim is
/// void, or there is none.
double ClaimedEpsilon(const PrivacyFacts& facts, NodeId node);

/**
 * @brief Concludes the guarantees of every node, of every round and of the run, and writes them.
 *
 * The guarantee of a node is the accountant's for its ledger, and the rows of GuaranteeByRound come
 * from CertifiedCurve(). The last row has the largest of the accountant's answers, and no earlier
 * row exceeds it.
 * @param facts of the whole run
 * @param store receives the rows
 * @param mayLackReleases see SentEpsilons()
 * @param complete false: the run was interrupted; rows within 5 % share a bound, or within two
 *        in a million for each round if that is more
 */
void WriteGuarantees(const PrivacyFacts& facts,
                     TraceStore& store,
                     const std::vector<bool>& mayLackReleases,
                     bool complete);

/// The largest certified epsilon of any node if it made every release of the plan.
double PlannedEpsilon(const LearningPlan& plan);

/// Largest number of different answers of SentEpsilons() for nodes with equal numbers of examples
/// and budgets.
inline constexpr std::size_t MOST_SENT_EPSILONS = 64;

/**
 * @brief Certified epsilon of each node, from the covariance of the noises that were drawn and
 *        sent.
 *
 * The ledger counts each release with the planned noise, as if all other nodes had released in the
 * same round. Here each release counts with NoiseSource::Exposure(), given the nodes that released
 * and the nodes whose secrets are known. A release counts as seen once its noise is drawn, whether
 * or not its messages arrive. If more than MOST_SENT_EPSILONS nodes have equal numbers of examples
 * and budgets, nodes with similar exposure get one epsilon, computed from the largest exposure of
 * any of them.
 *
 * @param ledger releases of the nodes
 * @param plan of the run
 * @param mayLackReleases by node, true if all of its releases are in the ledger, and no private
 * data determine in which rounds it makes none; other nodes count as having released in every round
 * @param leaked secrets that the adversary knows
 * @return upper bounds on epsilon by node; empty without NoiseSource::Exposure()
 */
std::vector<double> SentEpsilons(const PrivacyLedger& ledger,
                                 const LearningPlan& plan,
                                 const std::vector<bool>& mayLackReleases,
                                 const LeakedSecrets& leaked);

} // namespace dpdl

#endif // DPDL_DERIVE_RUN_GUARANTEES_H
