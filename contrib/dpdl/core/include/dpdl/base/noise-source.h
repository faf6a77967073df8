// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_NOISE_SOURCE_H
#define DPDL_BASE_NOISE_SOURCE_H

#include "dpdl/base/random.h"
#include "dpdl/base/registry.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dpdl
{

/// Smallest delta of a guarantee. The draws of `philox` are bounded by 7.54 standard deviations,
/// which a normal variable exceeds with probability 4.7e-14; delta must be above it.
constexpr double LEAST_DELTA = 1e-13;

/**
 * @brief Smallest standard deviation of noise that hides the spacing of floating-point numbers:
 *        2^10 units in the last place of the largest number. The noise on every certified sum must
 *        reach it.
 * @param largest largest absolute value in the sum
 * @param digits binary digits of the significand: 24 in float32, 53 in double precision
 * @return infinity if @p largest is not finite
 */
double LeastNoise(double largest, int digits);

/// Noise of one release as a source adds it, in the unit of the values.
struct NoiseScale
{
    double deviation{0.0}; ///< standard deviation of the noise on every value; Laplace: its scale b
    /// Values are rounded to multiples of this number before the noise; 0: no rounding.
    double grid{0.0};
    /// Largest change that one example makes to the vector before the noise: L1 norm for Laplace,
    /// otherwise L2 norm.
    double sensitivity{0.0};
};

/**
 * @brief Source of the noise of private releases.
 *
 * A source has no mutable state, so threads may share it.
 */
class NoiseSource
{
  public:
    virtual ~NoiseSource() = default;

    /// Name of the source in NoiseSources().
    virtual std::string Name() const = 0;

    /// One line for the trace: the distribution and its protection.
    virtual std::string Statement() const = 0;

    /// The mechanism that the ledger records: `gaussian`, `discrete-gaussian` or `laplace`.
    virtual std::string Mechanism() const = 0;

    /// Part of the noise that no other node knows, as a fraction of the planned standard deviation;
    /// the smallest of all nodes. 1: nodes share no noise. Below 1, the certificate assumes that
    /// other nodes keep their secrets.
    virtual double OwnShare() const
    {
        return 1.0;
    }

    /// Largest noise of a value, as a multiple of the planned standard deviation, if each of its
    /// normals is 1 or -1. It exceeds 1 if normals are shared with other releases, which cancel
    /// them. 0: the noise of every release is independent.
    virtual double Spread() const
    {
        return 0.0;
    }

    /**
     * @brief Bounds the exposure of the releases of a round in which nodes made no release, or leak
     *        their shared secrets.
     * @param released by node: true if it released in the round
     * @param leaked nodes with known secrets, ascending
     * @return by node, an upper bound on the ratio of mu^2 of its release to mu^2 of its planned
     *         release, with mu = sensitivity / noise. 0: no release; above 1 only if nodes leak.
     *         Empty: the source cannot compute it
     */
    virtual std::vector<double> Exposure(const std::vector<bool>& /* released */,
                                         const std::vector<NodeId>& /* leaked */) const
    {
        return {};
    }

    /**
     * @brief Chooses the noise for a given ratio mu of sensitivity to standard deviation.
     *
     * The sensitivity in the result is that of the vector to which the noise is added, after any
     * rounding to a grid. Its ratio to the deviation is at most @p mu.
     *
     * Rejects noise that would vanish: a deviation below 2^-100, which float32 cannot hold with
     * full precision, or below 2^-30 times the largest value. The largest value is the largest sum
     * plus the largest draws of noise that is shared with other releases; double precision must
     * still resolve the noise beside it. The limit is stricter than LeastNoise() in double
     * precision. Also rejects noise that float32 cannot hold together with the largest sum, and a
     * clip bound below 2^-100, which the rounding of a clipped gradient could exceed.
     *
     * @param clip bound on the change of the sum by one example, finite, above 0; in L1 for
     *        Laplace, else in L2
     * @param mu ratio of sensitivity to deviation, finite, above 0
     * @param count number of values in the vector, at least 1
     * @param batch largest number of examples in the sum, at least 1
     * @return scale for AddNoise()
     * @throws UsageError if the source cannot make such noise
     */
    NoiseScale Fit(double clip, double mu, std::size_t count, std::size_t batch = 1) const;

    /**
     * @brief Adds noise to a vector of a release, in double precision: the result is the real sum
     *        plus the noise, rounded once.
     * @param[in,out] values vector of length @p count
     * @param count length
     * @param scale result of Fit()
     * @param node sender of the release
     * @param round of the release; use each (node, round) for one release only
     */
    virtual void AddNoise(double* values,
                          std::size_t count,
                          const NoiseScale& scale,
                          NodeId node,
                          Round round) const = 0;

    /**
     * @brief values += factor * float(sum + noise), with the noise of AddNoise().
     * @param[in,out] values vector of length @p count
     * @param sum to which the noise is added, of length @p count
     * @param count length
     * @param scale result of Fit()
     * @param factor on the noisy sum
     * @param node sender of the release
     * @param round of the release; use each (node, round) for one release only
     */
    virtual void AddNoisyStep(float* values,
                              const double* sum,
                              std::size_t count,
                              const NoiseScale& scale,
                              float factor,
                              NodeId node,
                              Round round) const;

  private:
    /// Fit() without checks; by default the sensitivity is the clip bound, without a grid.
    virtual NoiseScale DoFit(double clip, double mu, std::size_t count) const;
};

/// Makes a noise source from the seed of a run.
using NoiseSourceFactory = std::function<std::shared_ptr<const NoiseSource>(RandomSeed seed)>;

/// All noise sources by name: philox, system, discrete-gaussian, laplace.
const Registry<NoiseSourceFactory>& NoiseSources();

/**
 * @brief Makes the noise source of a run.
 *
 *  - `philox`: RandomStream::AddNormal with the purpose NOISE. Reproducible float32 normals, which
 *    are scaled and added in double precision.
 *  - `system`: normals in double precision by Box-Muller, from 53-bit uniforms that the operating
 *    system's cryptographic generator gives. No run can be repeated.
 *  - `discrete-gaussian`: rounds the values to a grid and adds g times an exact draw of
 *    DiscreteGaussian with the bits of `philox`. The spacing of floating-point numbers has no
 *    effect (Mironov, CCS 2012), because the released vector is a function of integers.
 *  - `laplace`: a Laplace variable of scale b per value, by the inverse distribution function in
 *    double precision from the bits of `philox`. Its guarantee requires an L1 bound.
 *
 * For `discrete-gaussian` the grid g is the largest power of two that is at most 2^-10 times both
 * clip / sqrt(count) and clip / mu. The deviation is rounded up to an integer multiple of g.
 *
 * Sensitivity of a rounded sum to one example: let a and b = a + v be the sums of two neighbouring
 * datasets, |v| <= clip in L2, and Q the rounding of each of the d = count values to the nearest
 * multiple of g. Then |Q(x) - x| <= g / 2 gives |Q(b)_j - Q(a)_j| <= |v_j| + g for every j, and by
 * Minkowski's inequality |Q(b) - Q(a)| <= |v| + g sqrt(d) <= clip + g sqrt(d). The bound is reached
 * where every v_j lies just above the same multiple of g. This is the sensitivity that the ledger
 * records; by the choice of g it is above clip by less than 0.1 %. Values beyond 2^52 g are
 * clamped, which never increases their distance. a and b are computed sums, which include the
 * rounding errors of their additions: the caller of Fit() passes a clip bound that covers these
 * errors (SumRounding()). Division of a double by the power of two g is exact, so nothing else is
 * rounded before the noise.
 *
 * @param name a name of NoiseSources()
 * @param seed of the run
 * @throws UsageError if the name is unknown
 */
std::shared_ptr<const NoiseSource> MakeNoiseSource(const std::string& name, RandomSeed seed);

} // namespace dpdl

#endif // DPDL_BASE_NOISE_SOURCE_H
