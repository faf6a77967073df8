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

/// Least delta of a guarantee: a normal is beyond all that a source draws with probability 4.7e-14.
constexpr double LEAST_DELTA = 1e-13;

/**
 * @brief The least deviation of noise that hides what numbers of a format would show: 2^10 units in
 *        the last place of the largest of them. The rule for every sum that a certificate rests on.
 * @param largest value of the sum, at least 0
 * @param digits of the format's significand: 24 in float32, 53 in double precision
 * @return infinity if @p largest is not finite
 */
double LeastNoise(double largest, int digits);

/// The noise of one release as a source adds it, in the unit of the values.
struct NoiseScale
{
    double deviation{0.0}; ///< standard deviation on every value; Laplace: the scale b
    double grid{0.0};      ///< values are rounded to its multiples before; 0: they are not
    /// largest move of what the noise is added to, by one example; L1 for Laplace, else L2
    double sensitivity{0.0};
};

/**
 * @brief Source of the noise of private releases.
 *
 * A source has no visible state, so threads may share it.
 */
class NoiseSource
{
  public:
    virtual ~NoiseSource() = default;

    /// Its name in NoiseSources().
    virtual std::string Name() const = 0;

    /// One line on the distribution and the protection that it gives, for the trace.
    virtual std::string Statement() const = 0;

    /// The mechanism that the ledger records: `gaussian`, `discrete-gaussian` or `laplace`.
    virtual std::string Mechanism() const = 0;

    /// The part of a release's noise, by deviation, that is hidden from all other nodes; 1: all of
    /// it. What is certified of less than 1 supposes that others keep their secrets.
    virtual double OwnShare() const
    {
        return 1.0;
    }

    /// The largest noise of a value whose normals are all 1, by deviation, if some of them are
    /// shared with other releases, which takes them off again; 0: none are.
    virtual double Spread() const
    {
        return 0.0;
    }

    /**
     * @brief Exposure of the releases of a round if only some nodes made theirs, or
     *        some leak the secrets that they share.
     * @param released by node, who released in the round
     * @param leaked nodes whose secrets are known, in ascending order
     * @return by node, an upper bound on mu^2 of its release relative to the plan: 0 if it
     *         released nothing, above 1 only if nodes leak; empty if nothing but the plan is known
     */
    virtual std::vector<double> Exposure(const std::vector<bool>& /* released */,
                                         const std::vector<NodeId>& /* leaked */) const
    {
        return {};
    }

    /**
     * @brief Chooses the noise that hides one example as well as asked for.
     *
     * The sensitivity of the result is that of the vector that the noise is really added to, and
     * sensitivity / deviation is at most @p mu.
     *
     * Noise that would vanish is refused: a deviation below 2^-100, which float32 cannot hold with
     * all its digits, or below 2^-30 times the largest value, which double precision must still
     * distinguish apart: the largest sum, and the largest draws of noise that other releases share.
     * That is more than LeastNoise() in double precision. So is noise that float32 cannot hold
     * together with the largest sum, and a clip bound below 2^-100, which the rounding of a clipped
     * gradient could exceed.
     *
     * @param clip bound on how far one example moves the sum, finite, above 0; in L1 for Laplace,
     *        else in L2
     * @param mu wanted ratio of sensitivity to deviation, finite, above 0
     * @param count number of values in the vector, at least 1
     * @param batch largest number of examples in the sum, at least 1
     * @return what AddNoise() uses as it is
     * @throws UsageError if the source cannot make such noise
     */
    NoiseScale Fit(double clip, double mu, std::size_t count, std::size_t batch = 1) const;

    /**
     * @brief Adds noise to a vector of a release, in double precision: the result is a function of
     *        the sum and the noise as real numbers, rounded once.
     * @param[in,out] values vector of length @p count
     * @param count how many
     * @param scale of Fit()
     * @param node who releases
     * @param round when; a (node, round) is used for one release only
     */
    virtual void AddNoise(double* values,
                          std::size_t count,
                          const NoiseScale& scale,
                          NodeId node,
                          Round round) const = 0;

    /**
     * @brief values += factor * float(sum + noise), with the noise of AddNoise().
     * @param[in,out] values vector of length @p count
     * @param sum what the noise is added to, of length @p count
     * @param count how many
     * @param scale of Fit()
     * @param factor what the noisy sum is multiplied with
     * @param node who releases
     * @param round when; a (node, round) is used for one release only
     */
    virtual void AddNoisyStep(float* values,
                              const double* sum,
                              std::size_t count,
                              const NoiseScale& scale,
                              float factor,
                              NodeId node,
                              Round round) const;

  private:
    /// Fit(), whatever the numbers; by default the sensitivity is the clip bound, without a grid.
    virtual NoiseScale DoFit(double clip, double mu, std::size_t count) const;
};

/// Makes a source for a run.
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
 *    DiscreteGaussian, whose bits are those of `philox`. Nothing depends on how floating-point
 *    numbers are spaced (Mironov, CCS 2012), since the released vector is a function of integers.
 *  - `laplace`: a Laplace variable of scale b for every value, by the inverse distribution function
 *    in double precision from the bits of `philox`. Its privacy is that of an L1 bound.
 *
 * For `discrete-gaussian` the grid g is the largest power of two that is at most 2^-10 times both
 * clip / sqrt(count) and clip / mu. A whole number of g is the deviation, rounded up.
 *
 * Sensitivity of a rounded sum to one example: let a and b = a + v be the sums of two neighbouring
 * datasets, |v| <= clip in L2, and Q the rounding of each of the d = count values to the nearest
 * multiple of g. Then |Q(x) - x| <= g / 2 gives |Q(b)_j - Q(a)_j| <= |v_j| + g for every j, and by
 * Minkowski's inequality |Q(b) - Q(a)| <= |v| + g sqrt(d) <= clip + g sqrt(d). The bound is reached
 * where every v_j lies just above the same multiple of g. This is the sensitivity that the ledger
 * records; by the choice of g it is above clip by less than 0.1 %. Values beyond 2^52 g are cut off
 * at that size, which brings any two of them closer if anything. a and b are the sums in the
 * computer, with the rounding of their own addition: the caller of Fit() gives a clip that holds
 * for these (SumRounding()). Q takes them as they are, since dividing a double by the power of two
 * g is exact: nothing else is rounded before the noise.
 *
 * @param name a name of NoiseSources()
 * @param seed of the run
 * @throws UsageError if the name is unknown
 */
std::shared_ptr<const NoiseSource> MakeNoiseSource(const std::string& name, RandomSeed seed);

} // namespace dpdl

#endif // DPDL_BASE_NOISE_SOURCE_H
