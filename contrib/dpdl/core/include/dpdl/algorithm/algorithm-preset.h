// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_ALGORITHM_PRESET_H
#define DPDL_ALGORITHM_ALGORITHM_PRESET_H

#include "dpdl/base/registry.h"

namespace dpdl
{

/**
 * @brief A published algorithm as a composition of a clip rule, a noise rule and a step rule.
 *
 * In round k of K the per-sample clip bound is C_k = clip * clipDecay^(-k/K), the noise has
 * standard deviation C_k / mu_k on the sum of the clipped gradients, and
 * mu_k = mu_0 * noiseGrowth^(k/K); mu_0 is calibrated to the privacy budget. A factor of 1 makes
 * the rule constant.
 */
struct AlgorithmPreset
{
    bool isPrivate{false};   ///< false: neither clip nor noise
    double stepSize{0.0};    ///< gamma, on the mean clipped gradient
    double clip{0.0};        ///< C_0, L2 norm of one sample's gradient
    double clipDecay{1.0};   ///< rho_c >= 1
    double noiseGrowth{1.0}; ///< rho_mu >= 1
};

/// All algorithms of the family, those not built yet as reserved names.
const Registry<AlgorithmPreset>& Algorithms();

} // namespace dpdl

#endif // DPDL_ALGORITHM_ALGORITHM_PRESET_H
