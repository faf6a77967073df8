// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "baseline.h"
#include "built-in-algorithms.h"
#include "dpdl/algorithm/round-schedule.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/privacy/noise-covariance.h"
#include "dpdl/privacy/toeplitz-noise.h"
#include "dpdl/topology/window-gram.h"

#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

namespace
{

constexpr const char* OVER_ROUNDS =
    "float32 noise of a seeded generator, a part of which is taken back in later rounds: "
    "reproducible, and a simulation of privacy only";

/// Who shares secrets: all pairs, or those that an edge joins in a round of the topology's period.
std::vector<SecretPair>
SecretPairs(const GraphSequence& graph, bool isComplete)
{
    std::set<SecretPair> pairs;
    for (NodeId node = 0; node < graph.Nodes(); ++node)
    {
        for (NodeId other = 0; isComplete && other < node; ++other)
        {
            pairs.insert({other, node});
        }
        for (Round round = 0; !isComplete && round < graph.Period(); ++round)
        {
            for (const NodeId other : graph.OutNeighbours(node, round))
            {
                pairs.insert({std::min(node, other), std::max(node, other)});
            }
        }
    }
    return {pairs.begin(), pairs.end()};
}

void
RequirePeriod(const GraphSequence& graph, const std::string& instead)
{
    if (graph.Period() == 0)
    {
        throw UsageError("option 'topology': noise that nodes share needs a topology that repeats; "
                         "expected one without random or moving edges" +
                         instead);
    }
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
        RequirePeriod(graph, ", or hyper:secrets=1");
    }
    const std::vector<SecretPair> pairs = SecretPairs(graph, rule.isComplete);
    const PairNoiseScale scale = FitPairNoise(graph.Nodes(), pairs, rule);
    NoiseMix mix;
    mix.nodes = PairNoise(graph.Nodes(), pairs, scale.own, scale.pair);
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
    RequirePeriod(graph, "");
    NoiseMix mix;
    mix.nodes = OptimalNoise(WindowGram(graph), graph.Nodes());
    mix.statement = "float32 noise of a seeded generator with a covariance over nodes: what is "
                    "certified holds where no node gives its secrets away; a simulation of privacy "
                    "only";
    mix.figures = {{"colluders", 0.0}};
    return mix;
}

/// Constant clip bound and step size; a release costs as much as a row sum of C says.
class RowSumSchedule : public RoundSchedule
{
  public:
    /// @param lambda of C_ts = lambda^(t - s)
    explicit RowSumSchedule(double lambda)
        : m_lambda(lambda)
    {
    }

    RoundShape At(const AlgorithmPreset& preset, Round round, Round /* rounds */) const override
    {
        RoundShape shape;
        shape.clip = preset.clip;
        shape.unit = preset.clip;
        shape.stepSize = preset.stepSize;
        shape.strength = RowSum(round);
        return shape;
    }

    /// Sum over s of C_ts.
    double RowSum(Round round) const
    {
        const double terms = static_cast<double>(round) + 1.0;
        return m_lambda == 1.0 ? terms : (1.0 - std::pow(m_lambda, terms)) / (1.0 - m_lambda);
    }

  private:
    double m_lambda; ///< share of the last normals that is taken back
};

NoiseMix
LagMix(double lambda, Round rounds)
{
    NoiseMix mix;
    mix.lags = {1.0, -lambda};
    const RowSumSchedule schedule(lambda);
    for (Round round = 0; round < rounds; ++round)
    {
        mix.strength.push_back(schedule.RowSum(round));
    }
    mix.statement = OVER_ROUNDS;
    return mix;
}

NoiseMix
BandMix(std::size_t bands, Round rounds)
{
    const std::vector<double> column = SquareRootColumn(bands);
    NoiseMix mix;
    mix.lags = InverseColumn(column, rounds);
    mix.strength.assign(rounds, ToeplitzSensitivity(column, rounds, 1, rounds));
    mix.statement = OVER_ROUNDS;
    return mix;
}

AlgorithmPreset
CorrelatedPreset()
{
    AlgorithmPreset preset = BaselinePreset(1.0, 1.0);
    preset.claim = MakeNoClaim("its paper's accountant is not reproduced; see doc/algorithms.md");
    preset.noiseSource = "philox";
    preset.flags = ReleaseFlag::CORRELATED_NOISE;
    return preset;
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
         "",
         "",
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
                  "",
                  "",
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

void
AddLambdaCgd(Registry<Algorithm>& registry)
{
    AddAlgorithm(
        registry,
        {"lambda-cgd",
         "gradient push; every round takes back a part of the last round's noise",
         "lambda-CGD, arXiv:2601.22334; re-implementation",
         "",
         "",
         {{"sampling", "", "amplifies nothing here: an example is supposed to be in every batch"}}},
        {{{{"lambda", 0.5, 0.0, 1.0, "share of the last normals that is taken back"}}},
         [](const HyperParameters& hyper) {
             const double lambda = hyper["lambda"];
             AlgorithmPreset preset = CorrelatedPreset();
             preset.isAmplified = lambda == 0.0;
             preset.schedule = std::make_shared<RowSumSchedule>(lambda);
             preset.correlate = [lambda](const GraphSequence& /* graph */, Round rounds) {
                 return LagMix(lambda, rounds);
             };
             return preset;
         }});
}

void
AddBandMf(Registry<Algorithm>& registry)
{
    constexpr double MOST_BANDS = 1e4;
    AddAlgorithm(
        registry,
        {"bandmf",
         "gradient push; banded noise over rounds, each batch from one of as many parts",
         "Choquette-Choo et al., NeurIPS 2023 (arXiv:2306.08153); re-implementation",
         "",
         "",
         {{"sampling",
           "",
           "a hash puts every example into one of `bands` parts; round t samples from part t mod "
           "bands at `bands` times the rate"}}},
        {{{{"bands", 4.0, 1.0, MOST_BANDS, "b: bands of C, the first of the square root", true}}},
         [](const HyperParameters& hyper) {
             const std::size_t bands = hyper.Whole("bands");
             AlgorithmPreset preset = CorrelatedPreset();
             preset.sampledParts = bands;
             preset.correlate = [bands](const GraphSequence& /* graph */, Round rounds) {
                 if (bands > rounds)
                 {
                     throw UsageError("hyper-parameter 'bands'",
                                      std::to_string(bands),
                                      "1 to " + std::to_string(rounds) + ", the rounds");
                 }
                 return BandMix(bands, rounds);
             };
             return preset;
         }});
}

} // namespace

void
AddCorrelatedNoise(Registry<Algorithm>& registry)
{
    AddPairNoise(registry);
    AddOptimalNoise(registry);
    AddLambdaCgd(registry);
    AddBandMf(registry);
}

} // namespace dpdl
