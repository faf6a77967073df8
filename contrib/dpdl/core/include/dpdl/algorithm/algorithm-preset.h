// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_ALGORITHM_PRESET_H
#define DPDL_ALGORITHM_ALGORITHM_PRESET_H

#include "dpdl/algorithm/assumption.h"
#include "dpdl/base/registry.h"
#include "dpdl/privacy/release.h"

#include <vector>

namespace dpdl
{

/**
 * @brief A published algorithm as a composition of a clip rule, a noise rule and a step rule.
 *
 * In round k of K the per-sample clip bound is C_k = clip * clipDecay^(-k/K), the noise has
 * standard deviation C_k / mu_k on the sum of the clipped gradients, and
 * mu_k = mu_0 * noiseGrowth^(k/K); mu_0 is calibrated to the privacy budget. A factor of 1 makes
 * the rule constant.
 *
 * What voids or weakens the algorithm's privacy is declared here and nowhere else: the ledger, the
 * accountants and the validity monitor act on the declaration.
 */
struct AlgorithmPreset
{
    bool isPrivate{false};   ///< false: neither clip nor noise
    double stepSize{0.0};    ///< gamma, on the mean clipped gradient
    double clip{0.0};        ///< C_0, L2 norm of one sample's gradient
    double clipDecay{1.0};   ///< rho_c >= 1
    double noiseGrowth{1.0}; ///< rho_mu >= 1
    /// What every release of the algorithm carries, such as DATA_DEPENDENT_SCALE or BATCH_CLIP.
    ReleaseFlag flags{ReleaseFlag::NONE};
    /// What the paper's claim rests on besides the mechanism; where it fails the claim is infinite.
    std::vector<Assumption> claimRestsOn{};
};

/// All algorithms of the family, those not built yet as reserved names.
const Registry<AlgorithmPreset>& Algorithms();

} // namespace dpdl

#endif // DPDL_ALGORITHM_ALGORITHM_PRESET_H
