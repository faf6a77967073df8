// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_PLAN_SETTINGS_H
#define DPDL_ALGORITHM_PLAN_SETTINGS_H

#include "dpdl/algorithm/algorithm-preset.h"
#include "dpdl/base/noise-source.h"
#include "dpdl/base/random.h"
#include "dpdl/base/types.h"
#include "dpdl/data/sampler.h"
#include "dpdl/privacy/privacy-step.h"
#include "dpdl/privacy/published-claim.h"
#include "dpdl/privacy/release.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dpdl
{

/// What a plan depends on and nodes may differ in.
struct NodeTerms
{
    std::size_t localSamples{0}; ///< J
    double batchSize{0.0};       ///< expected batch size B, 1..J
    double samplingRate{1.0};    ///< B / J, or 1 for full batches
    double epsilon{1.0};         ///< target, > 0
};

/// Everything that decides a plan. Its own terms are those of all nodes unless `nodes` says more.
struct LearningPlanSettings : NodeTerms
{
    AlgorithmPreset algorithm;      ///< with the user's overrides applied
    Mode mode{Mode::SOUND};         ///< decides the calibration and the claim
    Round rounds{0};                ///< K >= 1
    double delta{1e-4};             ///< in (0, 1)
    bool noise{true};               ///< false: clip, but add no noise
    std::size_t parameters{1};      ///< d, the length of the model
    std::size_t shared{0};          ///< leading parameters that travel; 0: all
    std::vector<NodeTerms> nodes{}; ///< terms of each node; empty: all nodes are equal
    /// how batches are drawn: what the ledger says of it
    std::shared_ptr<const Sampler> sampler{MakeSampler("poisson", 1, {})};
    /// where noise comes from: decides what is added for a wanted mu
    std::shared_ptr<const NoiseSource> noiseSource{MakeNoiseSource("philox", {})};
    std::string accountant{"pld"};              ///< certified one that calibrates and certifies
    Adjacency adjacency{Adjacency::ADD_REMOVE}; ///< which datasets are neighbours
    /// true: nodes keep a part of the model that they train without protection, which carries data
    /// from batch to batch, so that sampling hides nothing
    bool ownPart{false};
    bool floatSums{false};                ///< gradients are summed in float32, as on a device
    ReleaseFlag flags{ReleaseFlag::NONE}; ///< of every release, apart from the algorithm's own
    RandomSeed seed{}; ///< of the run: decides which nodes step, if the algorithm draws clients
    /// told how many schedules are made, and of how many, before each; empty: nobody
    std::function<void(std::size_t done, std::size_t of)> watch{};
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_PLAN_SETTINGS_H
