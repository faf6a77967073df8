// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "baseline.h"
#include "built-in-algorithms.h"
#include "dpdl/privacy/noise-covariance.h"
#include "dpdl/privacy/visible-noise-exposure.h"
#include "dpdl/topology/window-gram.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

// Algorithms whose noise is correlated over nodes. Nodes share secrets, from which they compute
// noise that partly cancels in the sum over the nodes.

namespace dpdl
{

namespace
{

constexpr const char* SHARED = "noise that nodes share";

/// Pairs of nodes that share secrets.
/// @param isComplete true: every pair of nodes; false: every pair with a link in at least one round
///        of the topology's period
std::vector<SecretPair>
SecretPairs(const GraphSequence& graph, bool isComplete)
{
    if (isComplete)
    {
        std::vector<SecretPair> pairs;
        for (NodeId node = 0; node < graph.Nodes(); ++node)
        {
            for (NodeId other = node + 1; other < graph.Nodes(); ++other)
            {
                pairs.emplace_back(node, other);
            }
        }
        return pairs;
    }
    std::set<SecretPair> joined;
    ForEachEdge(graph, 0, graph.Period(), [&joined](NodeId node, NodeId other) {
        joined.insert({std::min(node, other), std::max(node, other)});
    });
    return {joined.begin(), joined.end()};
}

NoiseMix
PairMix(const HyperParameters& hyper, const GraphSequence& graph)
{
    PairNoiseRule rule;
    rule.kappa = hyper["kappa"];
    rule.colluders = hyper.Whole("colluders");
    rule.isComplete = hyper.Whole("secrets") == 1;
    if (!rule.isComplete)
    {
        RequirePeriod(graph, SHARED, ", or hyper:secrets=1");
    }
    const std::vector<SecretPair> pairs = SecretPairs(graph, rule.isComplete);
    const PairNoiseScale scale = FitPairNoise(graph.Nodes(), pairs, rule);
    NoiseMix mix;
    mix.nodes = PairNoise(graph.Nodes(), pairs, scale.own, scale.pair);
    const auto sent = std::make_shared<const VisibleNoiseExposure>(mix.nodes, rule);
    mix.exposure = [sent](const std::vector<bool>& released, const std::vector<NodeId>& leaked) {
        return sent->Of(released, leaked);
    };
    mix.statement =
        "float32 noise of seeded generators, a part of it shared by pairs of nodes with "
        "opposite signs: what is certified holds where at most " +
        std::to_string(rule.colluders) +
        " nodes give their secrets away; a simulation of privacy only";
    mix.figures = {{"colluders", static_cast<double>(rule.colluders)},
                   {"noise_own", scale.own},
                   {"noise_pair", scale.pair}};
    return mix;
}

NoiseMix
OptimalMix(const GraphSequence& graph)
{
    RequirePeriod(graph, SHARED, "");
    NoiseMix mix;
    mix.nodes = OptimalNoise(WindowGram(graph), graph.Nodes());
    const auto sent = std::make_shared<const VisibleNoiseExposure>(mix.nodes);
    mix.exposure = [sent](const std::vector<bool>& released, const std::vector<NodeId>& leaked) {
        // If nodes leak their secrets, the exposure is unknown: the covariance does not determine
        // which secrets a node holds.
        return leaked.empty() ? sent->Of(released) : std::vector<double>();
    };
    mix.statement = "float32 noise of a seeded generator with a covariance over nodes: what is "
                    "certified holds where no node gives its secrets away; a simulation of privacy "
                    "only";
    mix.figures = {{"colluders", 0.0}};
    return mix;
}

void
AddPairNoise(Registry<Algorithm>& registry)
{
    constexpr double LEAST_KAPPA = 1e-3;
    constexpr double MOST_COLLUDERS = 1e6;
    AddAlgorithm(
        registry,
        {"decor",
         "gradient push; pairs of nodes add noise that cancels in the sum over nodes",
         "Allouah et al., ICML 2024 (arXiv:2405.01031); re-implementation",
         {{"adversary",
           "",
           "reads all messages and knows the secrets of the colluders; epsilon is certified "
           "against it alone"}}},
        {{{{"colluders", 0.0, 0.0, MOST_COLLUDERS, "c: nodes that may collude", true},
           {"kappa",
            1.0,
            LEAST_KAPPA,
            1e3,
            "the independent noise has the variance (1 + kappa) / m"},
           {"secrets",
            0.0,
            0.0,
            1.0,
            "0: neighbours share secrets, 1: all pairs of nodes do",
            true}}},
         [](const HyperParameters& hyper) {
             AlgorithmPreset preset = CorrelatedPreset();
             preset.sharesNoise = true;
             preset.correlate = [hyper](const GraphSequence& graph, Round /* rounds */) {
                 return PairMix(hyper, graph);
             };
             return preset;
         }});
}

void
AddOptimalNoise(Registry<Algorithm>& registry)
{
    AddAlgorithm(registry,
                 {"corn",
                  "gradient push; noise with the best covariance over nodes for the mixing",
                  "CorN-DSGD, arXiv:2501.14644; re-implementation",
                  {{"adversary",
                    "",
                    "reads all messages and knows no secret; epsilon is certified against it "
                    "alone"}}},
                 {{}, [](const HyperParameters& /* hyper */) {
                      AlgorithmPreset preset = CorrelatedPreset();
                      preset.sharesNoise = true;
                      preset.correlate = [](const GraphSequence& graph, Round /* rounds */) {
                          return OptimalMix(graph);
                      };
                      return preset;
                  }});
}

} // namespace

void
AddNoiseOverNodes(Registry<Algorithm>& registry)
{
    AddPairNoise(registry);
    AddOptimalNoise(registry);
}

} // namespace dpdl
