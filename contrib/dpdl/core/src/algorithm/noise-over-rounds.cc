// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "baseline.h"
#include "built-in-algorithms.h"
#include "dpdl/algorithm/algorithm-preset.h"
#include "dpdl/base/errors.h"
#include "dpdl/privacy/toeplitz-noise.h"
#include "dpdl/topology/window-gram.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

// Algorithms whose noise is correlated over rounds: the noise of all rounds is C^-1 Z with
// independent standard normal Z and a lower-triangular Toeplitz matrix C [rounds, rounds].

namespace dpdl
{

namespace
{

constexpr const char* OVER_ROUNDS =
    "float32 noise of a seeded generator, a part of which is taken back in later rounds: "
    "reproducible, and a simulation of privacy only";

/// Row sum of C in round t: the sum over s <= t of C_ts = lambda^(t - s). The mu of the round's
/// release (mu-GDP) is proportional to this sum.
double
RowSum(double lambda, Round round)
{
    const double terms = static_cast<double>(round) + 1.0;
    return lambda == 1.0 ? terms : (1.0 - std::pow(lambda, terms)) / (1.0 - lambda);
}

/// Noise of lambda-CGD: the independent noise Z of each round, minus a fraction of the previous
/// round's Z. NoiseMix::strength is RowSum().
/// @param lambda the fraction, in [0, 1]
/// @param rounds number of rounds of the run
NoiseMix
LagMix(double lambda, Round rounds)
{
    NoiseMix mix;
    mix.lags = {1.0, -lambda};
    for (Round round = 0; round < rounds; ++round)
    {
        mix.strength.push_back(RowSum(lambda, round));
    }
    mix.statement = OVER_ROUNDS;
    return mix;
}

/// L2 norm of the column of C for a round, without the rows after the end of the run.
/// @param column nonzero entries of a column of C, from the diagonal on
double
ColumnNorm(const std::vector<double>& column, Round round, Round rounds)
{
    return ToeplitzSensitivity(column, std::min<std::size_t>(column.size(), rounds - round), 1, 1);
}

/// Noise C^-1 Z with a banded matrix C. NoiseMix::strength is the L2 norm of the first column of C
/// in all rounds.
/// @param column nonzero entries of a column of C, from the diagonal on
NoiseMix
BandMix(const std::vector<double>& column, Round rounds)
{
    NoiseMix mix;
    mix.lags = InverseColumn(column, rounds);
    mix.strength.assign(rounds, ColumnNorm(column, 0, rounds));
    mix.statement = OVER_ROUNDS;
    return mix;
}

/// Noise of BandMix() with a banded matrix C that FitBands() fits to the topology: under its
/// gossip, the noise causes a small error of the models. NoiseMix::strength is constant.
/// @param bands number of nonzero entries of a column of C
/// @throws UsageError if the topology has no period
NoiseMix
FittedMix(const GraphSequence& graph, std::size_t bands, Round rounds)
{
    RequirePeriod(graph, "noise that is fitted to a topology", ", or bandmf");
    return BandMix(FitBands(bands, NoiseResponse(graph, rounds)), rounds);
}

/// Noise of BandMix(), but NoiseMix::strength of each round is the L2 norm of the round's column of
/// the banded matrix C. The norm falls in the last rounds, because the end of the run cuts off
/// their columns.
NoiseMix
EndingBandMix(const std::vector<double>& column, Round rounds)
{
    NoiseMix mix = BandMix(column, rounds);
    const auto bands = static_cast<Round>(column.size());
    for (Round round = rounds - std::min(rounds, bands - 1); round < rounds; ++round)
    {
        mix.strength[round] = ColumnNorm(column, round, rounds);
    }
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
         {{"sampling", "", "amplifies nothing here: an example is supposed to be in every batch"}}},
        {{{{"lambda", 0.5, 0.0, 1.0, "share of the last normals that is taken back"}}},
         [](const HyperParameters& hyper) {
             const double lambda = hyper["lambda"];
             AlgorithmPreset preset = CorrelatedPreset();
             preset.isAmplified = lambda == 0.0;
             preset.schedule = [lambda](RoundShape& shape, Round round, Round /* rounds */) {
                 shape.strength = RowSum(lambda, round);
             };
             preset.correlate = [lambda](const GraphSequence& /* graph */, Round rounds) {
                 return LagMix(lambda, rounds);
             };
             return preset;
         }});
}

/// Registers an algorithm with a banded matrix C.
/// @param isFitted true: C is fitted to the topology; false: C has the first bands of the square
///        root of the matrix of prefix sums
void
AddBanded(Registry<Algorithm>& registry,
          AlgorithmInfo info,
          const HyperParameter& bands,
          bool isFitted)
{
    info.notes = {{"sampling",
                   "",
                   "a hash puts every example into one of `bands` parts; round t samples from "
                   "part t mod bands at `bands` times the rate"}};
    AddAlgorithm(registry,
                 info,
                 {{{bands}}, [isFitted](const HyperParameters& hyper) {
                      const std::size_t count = hyper.Whole("bands");
                      AlgorithmPreset preset = CorrelatedPreset();
                      preset.sampledParts = count;
                      if (!isFitted)
                      {
                          preset.refinesFactors = true;
                          preset.schedule = [column = SquareRootColumn(count)](RoundShape& shape,
                                                                               Round round,
                                                                               Round rounds) {
                              if (round + column.size() > rounds)
                              {
                                  shape.strength *= ColumnNorm(column, round, rounds) /
                                                    ColumnNorm(column, 0, rounds);
                              }
                          };
                      }
                      preset.correlate = [count, isFitted](const GraphSequence& graph,
                                                           Round rounds) {
                          DPDL_REFUSE_IF(count > rounds,
                                         "hyper-parameter 'bands'",
                                         std::to_string(count),
                                         "1 to " + std::to_string(rounds) + ", the rounds");
                          return isFitted ? FittedMix(graph, count, rounds)
                                          : EndingBandMix(SquareRootColumn(count), rounds);
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
               "Choquette-Choo et al., NeurIPS 2023 (arXiv:2306.08153); re-implementation"},
              {"bands", 4.0, 1.0, MOST_BANDS, "b: bands of C, the first of the square root", true},
              false);
}

void
AddMafalda(Registry<Algorithm>& registry)
{
    constexpr double MOST_BANDS = 32.0;
    AddBanded(
        registry,
        {"mafalda",
         "gradient push; banded noise over rounds with the least error in the gossip's models",
         "after MAFALDA-SGD, arXiv:2510.17480: bands, the same for all rounds and nodes"},
        {"bands", 4.0, 1.0, MOST_BANDS, "b: bands of C, fitted to the topology", true},
        true);
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
