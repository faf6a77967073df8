// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DERIVE_SENT_CERTIFICATE_H
#define DPDL_DERIVE_SENT_CERTIFICATE_H

#include "dpdl/algorithm/learning-plan.h"
#include "dpdl/network/node-set.h"
#include "dpdl/privacy/ledger.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dpdl
{

/// Secrets that failures reveal.
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

#endif // DPDL_DERIVE_SENT_CERTIFICATE_H
