// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "baseline.h"
#include "built-in-algorithms.h"
#include "dpdl/algorithm/algorithm-preset.h"
#include "dpdl/base/errors.h"
#include "dpdl/privacy/toeplitz-noise.h"
#include "dpdl/topology/window-gram.h"

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

// Algorithms whose noise is correlated over rounds: the noise is C^-1 Z with a lower-triangular
// Toeplitz matrix C.

namespace dpdl
{

namespace
{

constexpr const char* OVER_ROUNDS =
    "float32 noise of a seeded generator, a part of which is taken back in later rounds: "
    "reproducible, and a simulation of privacy only";

/// Constant clip bound and step size; the row sums of C determine the cost of each release.
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

    /// Row sum of C: sum over s of C_ts.
    double RowSum(Round round) const
    {
        const double terms = static_cast<double>(round) + 1.0;
        return m_lambda == 1.0 ? terms : (1.0 - std::pow(m_lambda, terms)) / (1.0 - m_lambda);
    }

  private:
    double m_lambda; ///< lambda, the fraction of the previous normals that is subtracted
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

/// Noise C^-1 Z. @param column the nonzero first entries of a column of C
NoiseMix
BandMix(const std::vector<double>& column, Round rounds)
{
    NoiseMix mix;
    mix.lags = InverseColumn(column, rounds);
    mix.strength.assign(rounds, ToeplitzSensitivity(column, rounds, 1, rounds));
    mix.statement = OVER_ROUNDS;
    return mix;
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

/// The first column of C, for a topology and the rounds, in which the banded algorithms differ.
using MakeBands =
    std::function<std::vector<double>(const GraphSequence& graph, std::size_t bands, Round rounds)>;

void
AddBanded(Registry<Algorithm>& registry,
          AlgorithmInfo info,
          const HyperParameter& bands,
          const MakeBands& makeBands)
{
    info.notes = {{"sampling",
                   "",
                   "a hash puts every example into one of `bands` parts; round t samples from "
                   "part t mod bands at `bands` times the rate"}};
    AddAlgorithm(registry,
                 info,
                 {{{bands}}, [makeBands](const HyperParameters& hyper) {
                      const std::size_t count = hyper.Whole("bands");
                      AlgorithmPreset preset = CorrelatedPreset();
                      preset.sampledParts = count;
                      preset.correlate = [count, makeBands](const GraphSequence& graph,
                                                            Round rounds) {
                          if (count > rounds)
                          {
                              throw UsageError("hyper-parameter 'bands'",
                                               std::to_string(count),
                                               "1 to " + std::to_string(rounds) + ", the rounds");
                          }
                          return BandMix(makeBands(graph, count, rounds), rounds);
                      };
                      return preset;
                  }});
}

void
AddBandMf(Registry<Algorithm>& registry)
{
    constexpr double MOST_BANDS = 1e4;
    AddBanded(registry,
              {"bandmf",
               "gradient push; banded noise over rounds, each batch from one of as many parts",
               "Choquette-Choo et al., NeurIPS 2023 (arXiv:2306.08153); re-implementation",
               "",
               "",
               {}},
              {"bands", 4.0, 1.0, MOST_BANDS, "b: bands of C, the first of the square root", true},
              [](const GraphSequence& /* graph */, std::size_t bands, Round /* rounds */) {
                  return SquareRootColumn(bands);
              });
}

void
AddMafalda(Registry<Algorithm>& registry)
{
    constexpr double MOST_BANDS = 32.0;
    AddBanded(
        registry,
        {"mafalda",
         "gradient push; banded noise over rounds with the least error in the gossip's models",
         "after MAFALDA-SGD, arXiv:2510.17480: bands, the same for all rounds and nodes",
         "",
         "",
         {}},
        {"bands", 4.0, 1.0, MOST_BANDS, "b: bands of C, fitted to the topology", true},
        [](const GraphSequence& graph, std::size_t bands, Round rounds) {
            RequirePeriod(graph, "noise that is fitted to a topology", ", or bandmf");
            return FitBands(bands, NoiseResponse(graph, rounds));
        });
}

} // namespace

void
AddNoiseOverRounds(Registry<Algorithm>& registry)
{
    AddLambdaCgd(registry);
    AddBandMf(registry);
    AddMafalda(registry);
}

} // namespace dpdl
