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

/// Nodes whose secrets the adversary knows because of failures of kind NODE_LEAK. The secrets
/// determine the noise that a node shares with other nodes.
struct LeakedSecrets
{
    NodeSet nodes; ///< nodes whose secrets the adversary knows
    /// Reason why no epsilon can be certified, one line: more nodes leak than the noise was
    /// calibrated for. "": not more nodes leak.
    std::string reason;

    /// True if only the noise that @p node shares with no other node hides its releases. The ledger
    /// then records only this noise. Always false if `reason` is not empty, because no epsilon is
    /// certified.
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
    /// Element k: largest claimed epsilon of any node after k + 1 completed rounds; may be
    /// infinite.
    std::vector<double> claimedRows{};
    /// First round, from 0, at whose end `mismatch` was not empty; empty: no such round. No epsilon
    /// is certified for this and later rounds.
    std::optional<Round> voidFrom{};
    /// By node: reason why the node has neither a claimed nor a certified epsilon, one line. An
    /// example is the first release that differed from the plan. Nodes without a reason have no
    /// entry.
    std::map<NodeId, std::string> mismatch{};
    /// Smallest noise standard deviation in the state of any node (NodeJob::noiseInState), over all
    /// steps with noise. Infinity: there was no such step; 0: a step did not measure it.
    double inState{INFINITY};
    /// Upper bound on the absolute values in the state of any node (NodeJob::largestState), over
    /// all steps with noise. 0: there was no such step; infinity: a step did not measure it.
    double largestState{0.0};
};

/// Epsilon at the plan's delta that the algorithm's paper claims for a node's releases so far;
/// infinity if there is no claim or the claim is void.
double ClaimedEpsilon(const PrivacyFacts& facts, NodeId node);

/**
 * @brief Computes the guarantees of every node, of every round and of the run, and writes them to
 *        the store.
 *
 * The accountant computes the guarantee of a node from the node's ledger. Each row of
 * GuaranteeByRound has an upper bound on the certified epsilon of every node, from
 * CertifiedCurve(). For releases that depend on earlier releases, the bound is the epsilon of the
 * nodes' privacy filters. No bound exceeds the largest certified epsilon of any node at the end of
 * the run, and the last row has exactly this epsilon.
 * @param facts records of the whole run
 * @param store receives the rows
 * @param mayLackReleases by node: true if the ledger has all releases of the node, and the rounds
 *        without a release do not depend on private data
 * @param complete false: the run was interrupted. To save time, consecutive rounds over which
 *        epsilon grows by a fraction of at most max(0.05, 2e-6 K) then share one bound, with K
 *        completed rounds; true: by a fraction of at most SHARED_ROWS
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
 * each release by its exposure: an upper bound on the ratio of actual to planned mu^2, from
 * NoiseSource::Exposure(). The exposure depends on the nodes that released in the round, and on the
 * nodes whose secrets are known. A release counts even if none of its messages arrives. If more
 * than MOST_SENT_EPSILONS nodes have the same plan, nodes with a similar sum of mu^2 get the same
 * epsilon, which is an upper bound for each of these nodes.
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
