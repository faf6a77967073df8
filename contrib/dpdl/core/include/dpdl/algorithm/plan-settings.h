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
#include "dpdl/privacy/release.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dpdl
{

/// Inputs of a plan in which nodes may differ.
struct NodeTerms
{
    std::size_t localSamples{0}; ///< number of examples J
    double batchSize{0.0};       ///< expected batch size B, 1..J
    double samplingRate{1.0};    ///< B / J, or 1 for full batches
    double epsilon{1.0};         ///< target epsilon, > 0
};

/// All inputs of a plan. Its own terms apply to all nodes unless `nodes` is set.
struct LearningPlanSettings : NodeTerms
{
    AlgorithmPreset algorithm;      ///< with the user's overrides applied
    Mode mode{Mode::SOUND};         ///< determines the calibration and the claim
    Round rounds{0};                ///< K >= 1
    double delta{1e-4};             ///< in (0, 1)
    bool noise{true};               ///< false: clip, but add no noise
    std::size_t parameters{1};      ///< d, the length of the model
    std::size_t shared{0};          ///< leading parameters that are shared; 0: all
    std::vector<NodeTerms> nodes{}; ///< terms of each node; empty: all nodes are equal
    /// draws the batches, and describes the sampling to the ledger
    std::shared_ptr<const Sampler> sampler{MakeSampler("poisson", 1, {})};
    /// draws the noise, and determines its scale for a given mu
    std::shared_ptr<const NoiseSource> noiseSource{MakeNoiseSource("philox", {})};
    std::string accountant{"pld"}; ///< certified accountant for calibration and certificates
    Adjacency adjacency{Adjacency::ADD_REMOVE}; ///< neighbouring relation of datasets
    /// True: nodes train a local part of the model without protection. It carries data from batch
    /// to batch, so sampling amplifies nothing.
    bool ownPart{false};
    bool floatSums{false};                ///< gradients are summed in float32, as on a device
    ReleaseFlag flags{ReleaseFlag::NONE}; ///< flags of every release, added to the algorithm's
    RandomSeed seed{}; ///< seed of the run: determines which nodes step, if the algorithm draws
                       ///< clients
    /// Progress callback, called before each schedule with the number done and the total; empty:
    /// none.
    std::function<void(std::size_t done, std::size_t of)> watch{};
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_PLAN_SETTINGS_H
