// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_ROUND_SCHEDULE_H
#define DPDL_ALGORITHM_ROUND_SCHEDULE_H

#include "dpdl/base/types.h"

#include <limits>

namespace dpdl
{

struct AlgorithmPreset;

/// The numbers of one round before the noise is calibrated.
struct RoundShape
{
    double clip{std::numeric_limits<double>::infinity()}; ///< C_k; infinity: nothing is clipped
    double unit{0.0};     ///< what the noise is a multiple of: C_k, or a stated bound G
    double strength{1.0}; ///< mu_k but for a factor that calibration finds: sigma_k = unit / mu_k
    double stepSize{0.0}; ///< gamma_k, on the mean gradient
    bool learns{true};    ///< false: no node steps, and nothing is released
};

/**
 * @brief Clip bound, noise and step size of each round.
 *
 * A function of public numbers only, never of data: accountants rely on this.
 */
class RoundSchedule
{
  public:
    virtual ~RoundSchedule() = default;

    /**
     * @brief The numbers of a round.
     * @param preset with the user's step size, clip bound and factors
     * @param round k < rounds
     * @param rounds K
     */
    virtual RoundShape At(const AlgorithmPreset& preset, Round round, Round rounds) const = 0;

    /// True if the preset's clipDecay and muGrowth count.
    virtual bool HasGeometricFactors() const
    {
        return false;
    }
};

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

#endif // DPDL_ALGORITHM_ROUND_SCHEDULE_H
