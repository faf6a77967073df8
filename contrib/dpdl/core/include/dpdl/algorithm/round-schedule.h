// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_ROUND_SCHEDULE_H
#define DPDL_ALGORITHM_ROUND_SCHEDULE_H

#include "dpdl/base/types.h"

#include <limits>

namespace dpdl
{

struct AlgorithmPreset;

/// Parameters of one round before the noise is calibrated.
struct RoundShape
{
    double clip{std::numeric_limits<double>::infinity()}; ///< C_k; infinity: no clipping
    double unit{0.0};     ///< reference of the noise multiplier: C_k, or a stated bound G
    double strength{1.0}; ///< mu_k up to a factor determined by calibration: sigma_k = unit / mu_k
    double stepSize{0.0}; ///< gamma_k, on the mean gradient
    bool learns{true};    ///< false: no node steps, and nothing is released
};

/**
 * @brief Clip bound, noise and step size of each round.
 *
 * A function of public numbers only, never of data, as the accountants require.
 */
class RoundSchedule
{
  public:
    virtual ~RoundSchedule() = default;

    /**
     * @brief Parameters of a round.
     * @param preset with the user's step size, clip bound and factors
     * @param round k < rounds
     * @param rounds K
     */
    virtual RoundShape At(const AlgorithmPreset& preset, Round round, Round rounds) const = 0;

    /// True if the schedule uses the preset's clipDecay and muGrowth.
    virtual bool HasGeometricFactors() const
    {
        return false;
    }
};

/**
 * @brief C_k = C_0 rho_c^(-k/K), mu_k = mu_0 rho_mu^(k/K), constant step (Dyn-D2P, Algorithm 1).
 *
 * With both factors 1 all parameters are constant.
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

#endif // DPDL_ALGORITHM_ROUND_SCHEDULE_H
