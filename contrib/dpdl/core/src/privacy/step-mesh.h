// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_STEP_MESH_H
#define DPDL_PRIVACY_STEP_MESH_H

#include "loss-kinds.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace dpdl
{

/// More pairs than this take the accountant seconds: it puts their steps on a mesh.
constexpr std::size_t MANY_PAIRS = 1500;

/// About how many pairs SortKinds() makes for one direction; stops at more than MANY_PAIRS.
std::size_t CountPairs(const StepCounts& steps);

/**
 * @brief Very many sampled steps by few pairs: a mesh over rate and mu.
 *
 * A step between mesh lines is replaced by a public random choice among the four corners of its
 * cell. The mixture has a privacy curve that is nowhere below that of the step, so that it is a
 * dominating pair of it. With h(a) the hockey-stick divergence of order a > 0:
 *
 * - Rate q, weights linear in q: the distributions of the step are those mixtures of the corners'
 *   distributions, and h is jointly convex.
 * - Shift m, weights linear in the total variation s(m) of two outputs at that distance, which is
 *   erf(m / sqrt 8) of Gaussian and 1 - exp(-m / 2) of Laplace noise: h is convex in s. A sampled
 *   step has the curve h(1 + q (a - 1)) = q h(a) of one without sampling, of the other direction
 *   h(1/a) = 1 - 1/a + h(a) / a, and a mirrored pair is given by a >= 1: all these keep convexity.
 *   For Gaussian noise with e = log a: dh/dm = phi(m/2 - e/m) > 0, (d^2h/dm^2) / (dh/dm) =
 *   e^2/m^3 - m/4, and m''/m'^2 = m/4 for m as a function of s, so that d^2h/ds^2 has the sign of
 *   e^2/m^3. For Laplace noise h = max(1 - sqrt(a) (1 - s), 0) for a >= 1.
 * - A replaced example with Poisson sampling, h the curve of (1 - q) N(0) + q N(m) against (1 - q)
 *   N(0) + q N(-m), s = erf(m / sqrt 2), the total variation at 2 m: with t where the loss is
 *   log a, the densities f of N(m) and g of a N(-m) there and k = (f - g) / (f + g), which is in
 *   [0, 1]: (d^2h/dm^2) / (dh/dm) = t^2/m - k t - m (1 - k^2) >= -m (1 - 3 k^2 / 4), and m''/m'^2 =
 *   m.
 *
 * What this adds is of second order in the width of a cell. Gaussian steps without sampling stay
 * what SortKinds() makes of them.
 *
 * @param steps with pairs by WhyNoPairs
 * @param adjacency which datasets are neighbours
 * @param mostCorners how many pairs there may be for one direction
 */
DirectedKinds MeshKinds(const StepCounts& steps, Adjacency adjacency, std::size_t mostCorners);

/// The same, with as many corners as pay off.
DirectedKinds MeshKinds(const StepCounts& steps, Adjacency adjacency);

/**
 * @brief Lines of a mesh over the values of one parameter, the smallest and the largest among them.
 *
 * They are equally far apart on a scale on which steps change about as much everywhere: a sampled
 * step counts by about rate^2 (exp(mu^2) - 1), and a rate near 1 by how far it is from there.
 */
class MeshLines
{
  public:
    /// @param low, @param high of the rates, @param distance of two lines on the scale
    static MeshLines OverRates(double low, double high, double distance);

    /// The same for mu.
    static MeshLines OverMus(double low, double high, double distance);

    /// Number of lines.
    std::size_t Size() const
    {
        return m_values.size();
    }

    /// The value of a line; the last one's beyond.
    double At(std::size_t line) const
    {
        return m_values[std::min(line, m_values.size() - 1)];
    }

    /// The line at or below a value; never the last one of several.
    std::size_t Below(double value) const
    {
        const auto above = std::upper_bound(m_values.begin(), m_values.end(), value);
        const auto line = static_cast<std::size_t>(above - m_values.begin());
        return std::min(line, std::max<std::size_t>(m_values.size() - 1, 1)) - 1;
    }

  private:
    /// @param scaleOf scale of a value, @param valueAt the inverse
    MeshLines(double low,
              double high,
              double distance,
              double (*scaleOf)(double),
              double (*valueAt)(double));

    std::vector<double> m_values;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_STEP_MESH_H
