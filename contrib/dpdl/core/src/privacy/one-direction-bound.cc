// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "one-direction-bound.h"

#include "pld-cells.h"
#include "pld-kinds.h"

#include <algorithm>
#include <cmath>
#include <limits>

// Computes bounds of epsilon for one direction. A saddle-point estimate chooses the grid and the
// tilting. The privacy loss is composed on successively finer grids until the bounds are close
// enough.

namespace dpdl
{

namespace
{

/// Number of grid cells for the log moments of the pairs at a mesh cell's corners and centre.
constexpr double PROBE_CELLS = 256.0;

/// Estimated increase of the composition's log moment log E_P[e^(c loss)] because one mesh replaces
/// its steps by mixtures of corners; not proven.
/// @param exponent exponent c of the moment, > 0
/// @param tail probability of the privacy losses that are ignored at either end
double
ExcessOf(const PldMesh& mesh, double exponent, double tail)
{
    double excess = 0.0;
    for (const PldMesh::Probe& probe : mesh.probes)
    {
        const MeshCell& cell = (*mesh.cells)[probe.cell];
        const PldRange range = mesh.corners[cell.corners[3]]->Range(tail);
        PldTilt tilt;
        tilt.main = exponent;
        // All five pairs (four corners and the centre) use one grid, so discretisation changes
        // their moments about equally.
        PldDiscretiser grid((range.highest - range.lowest) / PROBE_CELLS, tilt);
        const auto momentOf = [&grid, tail](const DominatingPair& pair) {
            return grid.Discretise(pair, pair.Range(tail)).statistics.logMoment;
        };
        const double exact = momentOf(*probe.pair);
        const std::array<double, 4> weights = MeshCell::Weights(probe.rate, probe.shift);
        double mixed = 0.0;
        for (std::size_t i = 0; i < weights.size(); ++i)
        {
            mixed += weights[i] * std::exp(momentOf(*mesh.corners[cell.corners[i]]) - exact);
        }
        excess += cell.count * cell.inside * std::max(std::log(mixed), 0.0);
    }
    // Only some cells of the mesh have a probe. The probes are evenly spread over the cells, so the
    // sum over the probes is scaled up to all cells.
    const double cells = static_cast<double>(mesh.cells->size());
    return mesh.probes.empty() ? 0.0 : excess * cells / static_cast<double>(mesh.probes.size());
}

/**
 * @brief Sum of ExcessOf() over all meshes.
 * @param kinds steps of the composition in one direction
 * @param exponent exponent of the moment, > 0
 * @param tail probability of the privacy losses that are ignored at either end
 */
double
MeshExcess(const PldKinds& kinds, double exponent, double tail)
{
    double excess = 0.0;
    for (const PldMesh& mesh : kinds.meshes)
    {
        excess += ExcessOf(mesh, exponent, tail);
    }
    return excess;
}

constexpr double LARGEST_FIRST_GRID = 1 << 14;
constexpr double LARGEST_GRID = 1 << 21;
constexpr double LARGEST_MESH_GRID = 1 << 18;
constexpr int MOST_GRIDS = 8;
/// Largest grid index. At larger indices, double precision does not resolve neighbouring cells.
constexpr double FARTHEST_CELL = 0x1p50;

} // namespace

OneDirectionBound::OneDirectionBound(const PldKinds& kinds, double delta)
    : m_kinds(kinds),
      m_delta(delta),
      m_estimate(kinds, delta),
      m_plan(m_estimate.Plan(m_estimate.Epsilon(), false)),
      m_bounds{std::numeric_limits<double>::infinity(), 0.0}
{
}

EpsilonBounds
OneDirectionBound::Evaluate(std::size_t size) const
{
    const double h = m_plan.Width() / static_cast<double>(size - 4);
    const PldRange& window = m_plan.window;
    const double farthest = FARTHEST_CELL * h;
    if (!(-window.lowest < farthest && window.highest < farthest))
    {
        return {std::numeric_limits<double>::infinity(), 0.0};
    }
    PldSpectrum spectrum(size, h, m_plan.tilt, m_estimate.Tail());
    for (const PldKind& kind : m_kinds.kinds)
    {
        spectrum.Multiply(kind);
    }
    for (const PldFamily& family : m_kinds.families)
    {
        spectrum.Multiply(family);
    }
    for (const PldMesh& mesh : m_kinds.meshes)
    {
        spectrum.Multiply(mesh);
    }
    return ComposedPld(spectrum, h, m_plan.tilt, window).Bounds(m_delta);
}

double
OneDirectionBound::FirstCells(double distance) const
{
    // Rounding privacy losses to cells of width h adds a variance of at most h^2 / 4 per step.
    const double c = m_estimate.Saddle();
    const double h = std::sqrt(6.0 * distance / (m_kinds.steps * (1.0 + c)));
    return std::clamp(0.2 * m_plan.Width() / h, SMALLEST_TRANSFORM, LARGEST_FIRST_GRID);
}

const EpsilonBounds&
OneDirectionBound::Refine(double relative, double enough)
{
    const auto wanted = [relative](double epsilon) {
        return std::max(relative * epsilon, SHARP_ENOUGH);
    };
    // A mesh has hundreds of dominating pairs to discretise and transform, so with meshes the grid
    // is limited to fewer cells.
    const bool few = m_kinds.meshes.empty();
    const double largest = few ? LARGEST_GRID : LARGEST_MESH_GRID;
    const double largestStep = few ? 4.0 : 2.5;
    double cells = m_cells > 0.0 ? m_cells : FirstCells(wanted(Estimate()));
    for (int i = 0; i < MOST_GRIDS && cells <= largest; ++i)
    {
        if (m_cells > 0.0)
        {
            const double excess = (m_bounds.upper - m_bounds.lower) / wanted(m_bounds.lower);
            if (excess <= 1.0 || m_bounds.upper <= enough)
            {
                break;
            }
            const double width = m_plan.Width();
            if (!std::isfinite(m_bounds.upper))
            {
                m_plan.Widen();
            }
            else if (m_bounds.lower > 0.0 || i > 1)
            {
                m_plan = m_estimate.Plan(m_bounds.lower, true);
            }
            const double finer = std::clamp(1.05 * std::sqrt(excess), 1.2, largestStep);
            cells = m_cells * m_plan.Width() / width * finer;
        }
        const std::size_t size = TransformSize(std::clamp(cells, SMALLEST_TRANSFORM, largest));
        m_cells = static_cast<double>(size);
        m_width = m_plan.Width() / static_cast<double>(size - 4);
        const EpsilonBounds bounds = Evaluate(size);
        m_bounds.upper = std::min(m_bounds.upper, bounds.upper);
        m_bounds.lower = std::max(m_bounds.lower, bounds.lower);
        if (m_bounds.lower > m_bounds.upper)
        {
            // The estimated lower bound exceeds the upper bound, so the estimate is not valid for
            // these steps.
            m_bounds.lower = 0.0;
            break;
        }
    }
    return m_bounds;
}

double
OneDirectionBound::Grouping() const
{
    const double saddle = m_estimate.Saddle();
    return MeshExcess(m_kinds, saddle, m_estimate.Tail()) / saddle;
}

} // namespace dpdl
