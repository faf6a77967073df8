// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "mesh-excess.h"

#include "loss-cells.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

/// Cells of a grid for moments.
constexpr double PROBE_CELLS = 256.0;

/// How much a mesh raises the log moment of a composition.
double
ExcessOf(const LossMesh& mesh, double exponent, double tail)
{
    double excess = 0.0;
    for (const LossMesh::Probe& probe : mesh.probes)
    {
        const MeshCell& cell = (*mesh.cells)[probe.cell];
        const LossRange range = mesh.corners[cell.corners[3]]->Range(tail);
        LossTilt tilt;
        tilt.main = exponent;
        // One grid for all five: what it adds to their moments is about the same.
        LossDiscretiser grid((range.highest - range.lowest) / PROBE_CELLS, tilt);
        const auto momentOf = [&grid, tail](const DominatingPair& pair) {
            return grid.Discretise(pair, pair.Range(tail)).logMoment;
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
    // Probes are in cells that are evenly spread over all.
    const double cells = static_cast<double>(mesh.cells->size());
    return mesh.probes.empty() ? 0.0 : excess * cells / static_cast<double>(mesh.probes.size());
}

} // namespace

double
MeshExcess(const LossKinds& kinds, double exponent, double tail)
{
    double excess = 0.0;
    for (const LossMesh& mesh : kinds.meshes)
    {
        excess += ExcessOf(mesh, exponent, tail);
    }
    return excess;
}

} // namespace dpdl
