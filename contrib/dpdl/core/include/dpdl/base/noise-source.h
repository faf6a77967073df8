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

/// Smallest accepted delta of a guarantee. The noise of `philox` is at most 7.54 standard
/// deviations in absolute value. A true Gaussian variable exceeds this bound with probability
/// 4.7e-14, and delta must be larger.
constexpr double LEAST_DELTA = 1e-13;

/**
 * @brief Smallest noise standard deviation that hides the spacing of floating-point numbers: 2^10
 *        units in the last place of the largest number. Noise in a certified sum must have at least
 *        this standard deviation.
 * @param largest largest absolute value in the sum
 * @param digits binary digits of the significand: 24 in float32, 53 in double precision
 * @return standard deviation, in the unit of @p largest; infinity if @p largest is not finite
 */
double LeastNoise(double largest, int digits);

/// Scale of the noise of one release, in units of the released values.
struct NoiseScale
{
    /// Standard deviation of the noise on each value; for Laplace noise its scale b.
    double deviation{0.0};
    /// Values are rounded to multiples of this number before the noise is added; 0: no rounding.
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

    /// One line for the trace: distribution of the noise, and its protection against attacks.
    virtual std::string Statement() const = 0;

    /// Mechanism of the ledger entry: `gaussian`, `discrete-gaussian` or `laplace`.
    virtual std::string Mechanism() const = 0;

    /// Smallest fraction, over the nodes, of the planned standard deviation that comes from noise
    /// that no other node knows. 1: nodes share no noise. Below 1, the certified epsilon assumes
    /// that other nodes keep their secrets.
    virtual double OwnShare() const
    {
        return 1.0;
    }

    /// Sum of the absolute weights of the standard normal variables whose sum is one noise value,
    /// divided by the planned standard deviation; maximum over the nodes. The result is above 1 if
    /// releases share variables that cancel. 0: all noise is independent.
    virtual double Spread() const
    {
        return 0.0;
    }

    /**
     * @brief Bounds the privacy cost of a round's releases if some nodes made no release, or leaked
     *        their shared secrets.
     * @param released by node: true if the node made a release in the round
     * @param leaked nodes whose shared secrets are known to the attacker, ascending
     * @return by node, an upper bound on the ratio of mu^2 of the node's release to mu^2 of its
     *         planned release, with mu = sensitivity / noise standard deviation. 0: no release;
     *         above 1 only if secrets leaked. Empty: the source cannot compute the bound
     */
    virtual std::vector<double> Exposure(const std::vector<bool>& /* released */,
                                         const std::vector<NodeId>& /* leaked */) const
    {
        return {};
    }

    /**
     * @brief Chooses the noise for a given ratio mu of sensitivity to standard deviation.
     *
     * The sensitivity in the result is that of the vector after any rounding to a grid. The ratio
     * of this sensitivity to the deviation is at most @p mu.
     *
     * Rejects noise that would vanish: a deviation below 2^-100, which float32 cannot hold with
     * full precision, or below 2^-30 times the largest value. The largest value is the largest sum
     * plus the largest draws of noise that is shared with other releases. The limit 2^-30 is
     * stricter than LeastNoise() in double precision. Also rejects noise that overflows float32
     * together with the largest sum, and a clip norm below 2^-100, because the rounding error of a
     * clipped gradient could exceed such a clip norm.
     *
     * @param clip largest change of the sum by one example, finite, above 0; in the L1 norm for
     *        Laplace noise, otherwise in the L2 norm
     * @param mu ratio of sensitivity to deviation, finite, above 0
     * @param count number of values in the vector, at least 1
     * @param batch largest number of examples in the sum, at least 1
     * @return scale for AddNoise()
     * @throws UsageError naming the noise, if the source rejects it
     */
    NoiseScale Fit(double clip, double mu, std::size_t count, std::size_t batch = 1) const;

    /**
     * @brief Adds noise to the vector of a release, in double precision. If the grid of @p scale is
     *        above 0, the values are first rounded to multiples of the grid.
     * @param[in,out] values vector of length @p count
     * @param count length
     * @param scale result of Fit()
     * @param node sender of the release
     * @param round round of the release; use each (node, round) for one release only
     */
    virtual void AddNoise(double* values,
                          std::size_t count,
                          const NoiseScale& scale,
                          NodeId node,
                          Round round) const = 0;

    /**
     * @brief Computes values += factor * float(sum + noise), with the noise that AddNoise() adds.
     * @param[in,out] values vector of length @p count
     * @param sum vector to which the noise is added, of length @p count
     * @param count length
     * @param scale result of Fit()
     * @param factor factor on the noisy sum, such as minus the step size over the batch size
     * @param node sender of the release
     * @param round round of the release; use each (node, round) for one release only
     */
    virtual void AddNoisyStep(float* values,
                              const double* sum,
                              std::size_t count,
                              const NoiseScale& scale,
                              float factor,
                              NodeId node,
                              Round round) const;

  private:
    /// Fit() without its checks. By default the sensitivity is @p clip, and values are not rounded.
    virtual NoiseScale DoFit(double clip, double mu, std::size_t count) const;
};

/// Factory of a noise source. The argument is the seed of the run.
using NoiseSourceFactory = std::function<std::shared_ptr<const NoiseSource>(RandomSeed seed)>;

/// Registry of the factories of all noise sources: philox, system, discrete-gaussian, laplace.
const Registry<NoiseSourceFactory>& NoiseSources();

/**
 * @brief Makes the noise source of a run.
 *
 *  - `philox`: Gaussian noise of RandomStream::AddNormal() with the purpose NOISE. The noise is
 *    reproducible. It is scaled and added in double precision.
 *  - `system`: Gaussian noise in double precision by Box-Muller, from 53-bit uniforms of the
 *    operating system's cryptographic generator. Runs are not reproducible.
 *  - `discrete-gaussian`: rounds the values to a grid and adds g times an exact draw of
 *    DiscreteGaussian with the bits of `philox`. The spacing of floating-point numbers has no
 *    effect (Mironov, CCS 2012), because the released vector is a function of integers.
 *  - `laplace`: a Laplace variable of scale b per value, by the inverse distribution function in
 *    double precision from the bits of `philox`. Its guarantee requires an L1 clip norm.
 *
 * For `discrete-gaussian` the grid g is the largest power of two that is at most 2^-10 times both
 * clip / sqrt(count) and clip / mu, with the arguments of Fit(). The deviation is rounded up to an
 * integer multiple of g.
 *
 * Sensitivity of a rounded sum to one example: let a and b = a + v be the sums of two neighbouring
 * datasets, |v| <= clip in L2, and Q the rounding of each of the d = count values to the nearest
 * multiple of g. Then |Q(x) - x| <= g / 2 gives |Q(b)_j - Q(a)_j| <= |v_j| + g for every j, and by
 * Minkowski's inequality |Q(b) - Q(a)| <= |v| + g sqrt(d) <= clip + g sqrt(d). The ledger records
 * the sensitivity clip + g sqrt(d). By the choice of g, this sensitivity exceeds clip by less than
 * 0.1 %. Values beyond 2^52 g are clamped, which never increases their distance. The sums a and b
 * include the rounding errors of their additions, so the caller of Fit() passes a clip norm that
 * covers these errors (SumRounding()). Division of a double by the power of two g is exact, so
 * there is no other rounding before the noise.
 *
 * @param name a name of NoiseSources()
 * @param seed seed of the run
 * @throws UsageError if the name is unknown
 */
std::shared_ptr<const NoiseSource> MakeNoiseSource(const std::string& name, RandomSeed seed);

} // namespace dpdl

#endif // DPDL_BASE_NOISE_SOURCE_H
