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

/// Secrets that the adversary knows because of failures of kind NODE_LEAK.
struct LeakedSecrets
{
    NodeSet nodes; ///< nodes whose shared secrets are known to the adversary
    /// Reason why the planned noise does not hide the releases, one line; "": the noise hides the
    /// releases.
    std::string reason;

    /// True if only the node's independent noise hides its releases. The ledger then records this
    /// noise.
    bool HideByOwnNoise(NodeId node) const
    {
        return reason.empty() && nodes.Contains(node);
    }
};

/// Records of a run that determine its guarantees. The objects behind references and pointers must
/// outlive this object.
struct PrivacyFacts
{
    const LearningPlan& plan;   ///< planned releases of all nodes
    PrivacyBudget* budget;      ///< stops nodes at their privacy budget; nullptr: no budget
    ValidityMonitor& validity;  ///< reports the nodes whose claims are void
    LeakedSecrets leaked;       ///< secrets that the adversary knows
    PrivacyLedger ledger;       ///< releases of each node
    std::vector<double> claims; ///< by node: sum of Claim::Spent() over its releases
    /// By completed round: largest claimed epsilon of any node.
    std::vector<double> claimedRows{};
    /// First completed round after a release differed from the plan; empty: none differed.
    std::optional<Round> voidFrom{};
    /// First difference to the plan in one line, by node; nodes without a difference have no entry.
    std::map<NodeId, std::string> mismatch{};
    double inState{INFINITY}; ///< smallest NodeJob::noiseInState of the run; infinity: not measured
    double largestState{0.0}; ///< largest NodeJob::largestState of the run; 0: not measured
};

/// Epsilon that the algorithm's paper claims for a node's releases so far; infinity if there is no
/// claim or the claim is void.
double ClaimedEpsilon(const PrivacyFacts& facts, NodeId node);

/**
 * @brief Computes the guarantees of every node, of every round and of the run, and writes them to
 *        the store.
 *
 * The accountant computes the guarantee of a node from the node's ledger. The rows of
 * GuaranteeByRound come from CertifiedCurve(), capped at the largest epsilon of any node. The last
 * row has this largest epsilon.
 * @param facts facts of the whole run
 * @param store receives the rows
 * @param mayLackReleases by node: true if the ledger has all releases of the node, and the rounds
 *        without a release do not depend on private data
 * @param complete false: the run was interrupted. To save time, one bound may then cover several
 *        consecutive rounds, if epsilon grows by at most max(0.05, 2e-6 rounds) over them
 */
void WriteGuarantees(const PrivacyFacts& facts,
                     TraceStore& store,
                     const std::vector<bool>& mayLackReleases,
                     bool complete);

/// Largest certified epsilon of any node, if every planned release is made.
double PlannedEpsilon(const LearningPlan& plan);

/// Largest number of distinct epsilons that SentEpsilons() computes for nodes with the same plan.
inline constexpr std::size_t MOST_SENT_EPSILONS = 64;

/**
 * @brief Certified epsilon of each node, from the covariance of the noise that was actually drawn.
 *
 * The ledger has the planned noise standard deviation of each release, which assumes that all nodes
 * release in every round. This function scales mu^2 (mu: sensitivity / noise standard deviation) of
 * each release by NoiseSource::Exposure(), the ratio of actual to planned mu^2. The exposure
 * depends on the nodes that released in the round, and on the nodes whose secrets are known. A
 * release counts even if none of its messages arrives. If nodes with the same plan have more than
 * MOST_SENT_EPSILONS different exposures, nodes of similar exposure get the same epsilon, which is
 * an upper bound for each of these nodes.
 *
 * @param ledger releases of all nodes
 * @param plan plan of the run
 * @param mayLackReleases by node: true if the ledger has all releases of the node, and the rounds
 *        without a release do not depend on private data. False: the node counts as having released
 *        in every round
 * @param leaked secrets that the adversary knows
 * @return by node: upper bound on epsilon; empty if the noise source does not support Exposure()
 */
std::vector<double> SentEpsilons(const PrivacyLedger& ledger,
                                 const LearningPlan& plan,
                                 const std::vector<bool>& mayLackReleases,
                                 const LeakedSecrets& leaked);

} // namespace dpdl

#endif // DPDL_DERIVE_RUN_GUARANTEES_H
