// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "pld-kinds.h"

#include "sampled-gaussian.h"

#include <cmath>
#include <map>
#include <tuple>

namespace dpdl
{

namespace
{

/// A family is interpolated between NODES values of mu, the Chebyshev nodes. The interpolation
/// error is measured at CHECKS other values of mu.
constexpr int NODES = 20;
constexpr int CHECKS = 5;

/// Key of a group of steps that differ only in mu: sampling, rate, muReplace / muAddRemove.
using GroupKey = std::tuple<Amplification, double, double>;
using Groups = std::map<GroupKey, std::map<double, double>>;

PrivacyStep
StepOfGroup(const GroupKey& key, double mu)
{
    PrivacyStep step;
    double muReplace = 0.0;
    std::tie(step.sampling, step.rate, muReplace) = key;
    step.muAddRemove = mu;
    step.muReplace = muReplace * mu;
    return step;
}

void
AddKind(DirectedKinds& result, const DirectedPairs& pairs, double count)
{
    result.remove.kinds.push_back({pairs.remove, count});
    result.add.kinds.push_back({pairs.add, count});
    result.symmetric = result.symmetric && pairs.remove == pairs.add;
}

void
AddFamily(DirectedKinds& result, const GroupKey& key, const MuPiece& piece, Adjacency adjacency)
{
    PldFamily remove;
    PldFamily add;
    remove.count = add.count = piece.count;
    for (const MuNode& node : piece.nodes)
    {
        const DirectedPairs pairs = PairsOf(StepOfGroup(key, node.mu), adjacency);
        remove.nodes.push_back({pairs.remove, node.weight});
        add.nodes.push_back({pairs.add, node.weight});
        result.symmetric = result.symmetric && pairs.remove == pairs.add;
    }
    for (const double mu : HeldOut(piece, CHECKS))
    {
        const DirectedPairs pairs = PairsOf(StepOfGroup(key, mu), adjacency);
        const std::vector<double> weights = InterpolationWeights(piece, mu);
        remove.checks.push_back({pairs.remove, weights});
        add.checks.push_back({pairs.add, weights});
    }
    const DirectedPairs pairs = PairsOf(StepOfGroup(key, piece.high), adjacency);
    remove.strongest = pairs.remove;
    add.strongest = pairs.add;
    result.remove.families.push_back(std::move(remove));
    result.add.families.push_back(std::move(add));
}

} // namespace

std::vector<PldKind>
PldKinds::Sketch() const
{
    std::vector<PldKind> all = kinds;
    for (const PldFamily& family : families)
    {
        all.insert(all.end(), family.nodes.begin(), family.nodes.end());
    }
    for (const PldMesh& mesh : meshes)
    {
        all.insert(all.end(), mesh.sketch.begin(), mesh.sketch.end());
    }
    return all;
}

DirectedKinds
SortKinds(const StepCounts& steps, Adjacency adjacency, bool families)
{
    DirectedKinds result;
    Groups groups;
    double fullSquare = 0.0;
    for (const auto& [step, times] : steps)
    {
        const auto count = static_cast<double>(times);
        const double shift = step.Shift(adjacency);
        if (shift == 0.0 || step.rate == 0.0 || times == 0)
        {
            continue;
        }
        if (step.noise != NoiseKind::GAUSSIAN)
        {
            AddKind(result, PairsOf(step, adjacency), count);
        }
        else if (step.sampling == Amplification::NONE)
        {
            fullSquare += count * shift * shift;
        }
        else
        {
            groups[{step.sampling, step.rate, step.muReplace / step.muAddRemove}]
                  [step.muAddRemove] += count;
        }
        result.remove.steps += count;
    }
    if (fullSquare > 0.0)
    {
        const double mu = std::sqrt(fullSquare);
        AddKind(result, PairsOf(StepOfGroup({Amplification::NONE, 1.0, 1.0}, mu), adjacency), 1.0);
    }
    for (const auto& [key, counts] : groups)
    {
        for (const MuPiece& piece : PiecesOver(counts, NODES, families ? 2 * CHECKS : 1 << 30))
        {
            if (piece.interpolated)
            {
                AddFamily(result, key, piece, adjacency);
                continue;
            }
            for (const MuNode& node : piece.nodes)
            {
                AddKind(result, PairsOf(StepOfGroup(key, node.mu), adjacency), node.weight);
            }
        }
    }
    result.add.steps = result.remove.steps;
    return result;
}

} // namespace dpdl
