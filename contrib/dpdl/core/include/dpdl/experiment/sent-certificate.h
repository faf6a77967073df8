// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_SENT_CERTIFICATE_H
#define DPDL_EXPERIMENT_SENT_CERTIFICATE_H

#include "dpdl/algorithm/learning-plan.h"
#include "dpdl/privacy/ledger.h"

#include <optional>
#include <vector>

namespace dpdl
{

struct ResolvedRun;

/**
 * @brief By node, whether this process sees all of its releases, and nothing private decides when
 *        it makes none.
 */
std::vector<bool> MayBeSilent(const ResolvedRun& run);

/// The largest certified epsilon of any node if it made every release of the plan.
double PlannedEpsilon(const LearningPlan& plan);

/**
 * @brief The largest certified epsilon of any node, from the covariance of the noises that were
 *        drawn and sent.
 *
 * The ledger counts each release with the planned noise, as if all other nodes had released in the
 * same round. Here each counts with NoiseSource::Exposure() of who did. A release counts as seen
 * once its noise is drawn, whether or not its messages arrive. Nodes with the same terms get one
 * answer, of releases that are at least as exposed as those of each of them.
 *
 * @param ledger what the nodes released
 * @param plan of the run
 * @param mayBeSilent see MayBeSilent(); the others count as having released in every round
 * @return none if the noise source knows nothing but the plan
 */
std::optional<double> SentEpsilon(const PrivacyLedger& ledger,
                                  const LearningPlan& plan,
                                  const std::vector<bool>& mayBeSilent);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_SENT_CERTIFICATE_H
