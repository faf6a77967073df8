// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_SENT_CERTIFICATE_H
#define DPDL_EXPERIMENT_SENT_CERTIFICATE_H

#include "dpdl/algorithm/learning-plan.h"
#include "dpdl/network/node-set.h"
#include "dpdl/privacy/ledger.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dpdl
{

struct ResolvedRun;

/**
 * @brief By node, whether this process sees all of its releases, and nothing private decides when
 *        it makes none.
 */
std::vector<bool> MayBeSilent(const ResolvedRun& run);

/// Secrets that failures let others know.
struct LeakedSecrets
{
    NodeSet nodes;      ///< who leaks what it shares, by its number
    std::string reason; ///< why the plan hides no release any more, one line; empty: it does

    /// True if the node's own noise is all that hides its releases, and the ledger says so.
    bool LeaveOwnNoise(NodeId node) const
    {
        return reason.empty() && nodes.Contains(node);
    }
};

/// The largest certified epsilon of any node if it made every release of the plan.
double PlannedEpsilon(const LearningPlan& plan);

/// Most different answers of SentEpsilons() for nodes with the same terms.
inline constexpr std::size_t MOST_SENT_EPSILONS = 64;

/**
 * @brief Certified epsilon of each node, from the covariance of the noises that were drawn and
 *        sent.
 *
 * The ledger counts each release with the planned noise, as if all other nodes had released in the
 * same round. Here each counts with NoiseSource::Exposure() of who did, and of whose secrets are
 * known. A release counts as seen once its noise is drawn, whether or not its messages arrive.
 * If more than MOST_SENT_EPSILONS nodes have the same terms, those that are about as exposed get
 * one answer, of releases that are at least as exposed as those of each of them.
 *
 * @param ledger what the nodes released
 * @param plan of the run
 * @param mayBeSilent see MayBeSilent(); the others count as having released in every round
 * @param leaked secrets that the adversary knows
 * @return upper bounds on epsilon by node; empty if the noise source knows nothing but the plan
 */
std::vector<double> SentEpsilons(const PrivacyLedger& ledger,
                                 const LearningPlan& plan,
                                 const std::vector<bool>& mayBeSilent,
                                 const LeakedSecrets& leaked);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_SENT_CERTIFICATE_H
