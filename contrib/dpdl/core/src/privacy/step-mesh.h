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

/// Number of dominating pairs above which a mesh represents the steps. Without a mesh, the
/// accountant would take seconds.
constexpr std::size_t MANY_PAIRS = 1500;

/// Approximate number of dominating pairs that SortKinds() makes for each of the directions REMOVE
/// and ADD. Every different step counts as one pair, except that unsampled Gaussian steps do not
/// count and that the steps of a PldFamily count as 30 pairs, a few more than SortKinds() makes.
/// The count stops at MANY_PAIRS + 1.
std::size_t CountPairs(const StepCounts& steps);

/**
 * @brief Represents a large number of sampled steps by few dominating pairs, on a mesh over
 *        sampling rate and mu.
 *
 * Each step is replaced by a public random choice among the four corners of its mesh cell. The
 * weights of the choice are linear in the sampling rate and in the total variation distance of the
 * two outputs that are compared. The choice dominates the step: its privacy curve is nowhere below
 * that of the step. doc/privacy.md has the proof (section "Very many different steps").
 *
 * The mesh raises epsilon by an amount of second order in the cell width. Unsampled Gaussian steps
 * are handled by SortKinds().
 *
 * @param steps steps for which WhyNoPairs() returns ""
 * @param adjacency neighbouring relation of datasets
 * @param mostCorners largest number of mesh corners; exceeded only if the coarsest mesh has more
 * @return the steps of both directions, in meshes except for unsampled Gaussian steps
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
 * @param distance distance of neighbouring values on the scale, > 0. For mu below 1 it is about the
 *        relative difference of neighbouring mu
 */
PrivacyStep WithMuRoundedUp(const PrivacyStep& step, double distance);

/**
 * @brief Mesh lines over the values of one parameter. The smallest and the largest value are lines.
 *
 * The lines are equidistant on a logarithmic scale: log(rate / (1 - rate)) for sampling rates and
 * log(exp(mu^2) - 1) / 2 for mu. A step of small rate changes epsilon by an amount about
 * proportional to rate^2 (exp(mu^2) - 1). So equal distances on a scale change this amount by about
 * equal factors.
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
