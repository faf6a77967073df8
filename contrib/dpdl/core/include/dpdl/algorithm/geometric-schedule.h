// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_GEOMETRIC_SCHEDULE_H
#define DPDL_ALGORITHM_GEOMETRIC_SCHEDULE_H

#include "dpdl/algorithm/round-schedule.h"

namespace dpdl
{

/**
 * @brief C_k = C_0 rho_c^(-k/K), mu_k = mu_0 rho_mu^(k/K), constant step (Dyn-D2P, Algorithm 1).
 *
 * With both factors 1 everything is constant.
 */
class GeometricSchedule : public RoundSchedule
{
  public:
    RoundShape At(const AlgorithmPreset& preset, Round round, Round rounds) const override;

    bool HasGeometricFactors() const override
    {
        return true;
    }
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_GEOMETRIC_SCHEDULE_H
