// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "baseline.h"
#include "built-in-algorithms.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace dpdl
{

namespace
{

constexpr double MOST_FRAGMENTS = 10000.0;

/// Preset of private gossip with constant clip norm and noise standard deviation. In every round
/// each node sends its model to nodes drawn at random, and averages its model and the arrived
/// models with equal weights.
AlgorithmPreset
EpidemicPreset(const HyperParameters& hyper)
{
    AlgorithmPreset preset = BaselinePreset(1.0, 2.0, NO_PRIVATE_PAPER);
    preset.lossPolicy = LossPolicy::RENORMALISE;
    preset.topology = [asked = hyper.Whole("out")](std::size_t nodes) {
        const auto usual = static_cast<std::size_t>(std::ceil(std::log2(nodes)));
        const std::size_t out = asked > 0 ? asked : std::clamp<std::size_t>(usual, 1, nodes - 1);
        return "random-out:" + std::to_string(out);
    };
    return preset;
}

AlgorithmPreset
DivSharePreset(const HyperParameters& hyper)
{
    AlgorithmPreset preset = EpidemicPreset(hyper);
    preset.chunks = hyper.Whole("fragments");
    return preset;
}

HyperParameter
Out()
{
    const char* const meaning = "nodes that one sends to; 0: log2 of their number, rounded up";
    return {"out", 0.0, 0.0, 1e6, meaning, true};
}

std::vector<ParameterInfo>
OwnRules()
{
    return {{"topology", "random-out", "drawn by public coins; the user's topology is not used"},
            {"lossPolicy", "renormalise", "receivers take the mean of what arrived and their own"}};
}

} // namespace

void
AddRandomTargets(Registry<Algorithm>& registry)
{
    AddAlgorithm(registry,
                 {"epidemic",
                  "models go to random nodes, which take the plain mean of what arrives",
                  "de Vos et al., NeurIPS 2023 (arXiv:2310.01972), EL-Local, with a clip per "
                  "example and noise",
                  OwnRules()},
                 {{{Out()}}, EpidemicPreset});
    AddAlgorithm(
        registry,
        {"divshare",
         "each fragment of a model goes to random nodes of its own",
         "Biswas et al., arXiv:2410.12918, with a clip per example and noise",
         OwnRules()},
        {{{{"fragments", 10.0, 1.0, MOST_FRAGMENTS, "1 / Omega, into which a model is cut", true},
           Out()}},
         DivSharePreset});
    AddAlgorithm(registry,
                 {"ad-psgd",
                  "nodes average in random pairs while they compute, without waiting",
                  "Lian et al., ICML 2018 (arXiv:1710.06952), Algorithm 1, with a clip per example "
                  "and noise",
                  {{"topology", "pairwise", "the user's topology is not used"},
                   {"lossPolicy", "running-sum", "so that what a pair exchanges is never lost"}}},
                 {{}, [](const HyperParameters&) {
                      AlgorithmPreset preset = BaselinePreset(1.0, 2.0, NO_PRIVATE_PAPER);
                      preset.order = GossipOrder::SEND_FIRST;
                      preset.topology = [](std::size_t) { return std::string("pairwise"); };
                      preset.lossPolicy = LossPolicy::RUNNING_SUM;
                      return preset;
                  }});
}

} // namespace dpdl
