// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_STEP_MESH_H
#define DPDL_PRIVACY_STEP_MESH_H

#include "pld-kinds.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace dpdl
{

/// With more dominating pairs than this, the accountant would take seconds, so a mesh represents
/// the steps.
constexpr std::size_t MANY_PAIRS = 1500;

/// Approximate number of dominating pairs of SortKinds() in one direction. A result above
/// MANY_PAIRS may be too small, because the count stops above MANY_PAIRS.
std::size_t CountPairs(const StepCounts& steps);

/**
 * @brief Represents a large number of sampled steps by few dominating pairs, on a mesh over
 *        sampling rate and mu.
 *
 * A step is replaced by a public random choice among the four corners of its mesh cell. The privacy
 * curve of the choice is nowhere below that of the step, so it dominates the step. The proof, with
 * the hockey-stick divergence h(a) of order a > 0:
 *
 * - Sampling rate q, weights linear in q: the distributions of the step are mixtures of the
 *   corners' distributions with these weights, and h is jointly convex.
 * - Shift m, weights linear in s(m), the total variation distance of two outputs at distance m:
 *   s is erf(m / sqrt 8) for Gaussian noise and 1 - exp(-m / 2) for Laplace noise. h is convex in
 *   s. Three operations keep this convexity. Sampling gives h(1 + q (a - 1)) = q h_0(a), where h_0
 *   is the divergence without sampling. Exchange of the two distributions gives
 *   h(1/a) = 1 - 1/a + h(a) / a. Mirroring uses only the values for a >= 1.
 *   For Gaussian noise with e = log a: dh/dm = phi(m/2 - e/m) > 0, (d^2h/dm^2) / (dh/dm) =
 *   e^2/m^3 - m/4, and m''/m'^2 = m/4 for m as a function of s. So d^2h/ds^2 has the sign of
 *   e^2/m^3. For Laplace noise h = max(1 - sqrt(a) (1 - s), 0) for a >= 1.
 * - A replaced example with Poisson sampling: h is the divergence of (1 - q) N(0) + q N(m) from
 *   (1 - q) N(0) + q N(-m), and s = erf(m / sqrt 2) is the total variation distance at 2 m. Let
 *   t be the point where the privacy loss is log a. Let f and g be the densities there of N(m) and
 *   of a N(-m), and k = (f - g) / (f + g), which is in [0, 1]. Then (d^2h/dm^2) / (dh/dm) =
 *   t^2/m - k t - m (1 - k^2) >= -m (1 - 3 k^2 / 4), and m''/m'^2 = m.
 *
 * The mesh raises epsilon by an amount of second order in the cell width. Unsampled Gaussian steps
 * are handled by SortKinds().
 *
 * @param steps steps that WhyNoPairs() accepts
 * @param adjacency neighbouring relation of datasets
 * @param mostCorners largest number of mesh corners; exceeded only if the coarsest mesh has more
 */
DirectedKinds MeshKinds(const StepCounts& steps, Adjacency adjacency, std::size_t mostCorners);

/// Calls MeshKinds() with one corner per three different steps, but at least 800 and at most 1600
/// corners.
DirectedKinds MeshKinds(const StepCounts& steps, Adjacency adjacency);

/**
 * @brief Rounds the mu of a sampled step up to a multiple of @p distance on the scale of MeshLines.
 *        The result dominates the step, because the divergence of two noisy outputs increases with
 *        their distance.
 * @param step a step with muAddRemove > 0; muReplace is multiplied by the same factor. Unsampled
 *        steps are unchanged.
 * @param distance distance of neighbouring values on the scale, > 0; for mu below 1 about the
 *        relative distance
 */
PrivacyStep WithMuRoundedUp(const PrivacyStep& step, double distance);

/**
 * @brief Mesh lines over the values of one parameter. The smallest and the largest value are lines.
 *
 * The lines are equidistant on a scale on which the effect of a step on epsilon changes evenly:
 * log(rate / (1 - rate)) for sampling rates and log(exp(mu^2) - 1) / 2 for mu. The effect is about
 * rate^2 (exp(mu^2) - 1).
 */
class MeshLines
{
  public:
    /**
     * @param low smallest rate
     * @param high largest rate
     * @param distance distance between two lines on the scale of rates, > 0
     */
    static MeshLines OverRates(double low, double high, double distance);

    /**
     * @param low smallest mu
     * @param high largest mu
     * @param distance distance between two lines on the scale of mu, > 0
     */
    static MeshLines OverMus(double low, double high, double distance);

    /// Number of mesh lines.
    std::size_t Size() const
    {
        return m_values.size();
    }

    /// Rate or mu of the line with index @p line; the last line if the index is larger.
    double At(std::size_t line) const
    {
        return m_values[std::min(line, m_values.size() - 1)];
    }

    /// Index of the last line at or below @p value. If there are several lines, at most the index
    /// of the last line but one.
    std::size_t Below(double value) const
    {
        const auto above = std::upper_bound(m_values.begin(), m_values.end(), value);
        const auto line = static_cast<std::size_t>(above - m_values.begin());
        return std::min(line, std::max<std::size_t>(m_values.size() - 1, 1)) - 1;
    }

  private:
    /**
     * @param scaleOf maps a value to the scale
     * @param valueAt inverse of @p scaleOf
     */
    MeshLines(double low,
              double high,
              double distance,
              double (*scaleOf)(double),
              double (*valueAt)(double));

    std::vector<double> m_values;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_STEP_MESH_H
