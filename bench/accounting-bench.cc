// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// What accounting costs: bounds for thousands of steps, and what a node spends per round.

#include "dpdl/privacy/pld.h"
#include "dpdl/privacy/rdp-odometer.h"
#include "dpdl/privacy/rdp.h"

#include <benchmark/benchmark.h>
#include <cmath>
#include <vector>

namespace
{

using namespace dpdl;

constexpr double DELTA = 1e-5;

/// A noise multiplier from 1 up, different for every step.
double
Mu(int step)
{
    return 1.0 / (1.0 + 0.001 * step);
}

void
RdpThousandNoiseLevels(benchmark::State& state)
{
    double epsilon = 0.0;
    for (auto _ : state)
    {
        RdpComposition composition;
        for (int k = 0; k < 1000; ++k)
        {
            composition.Add(0.01, Mu(k));
        }
        epsilon = composition.Optimise(DELTA).epsilon;
    }
    state.counters["epsilon"] = epsilon;
}

BENCHMARK(RdpThousandNoiseLevels)->Unit(benchmark::kMillisecond);

/// Times Bound() and shows what it gave.
void
Time(benchmark::State& state, const PldComposition& composition, double delta)
{
    PldBound bound;
    for (auto _ : state)
    {
        bound = composition.Bound(delta);
    }
    state.counters["epsilon"] = bound.epsilon;
    state.counters["error"] = bound.epsilon - bound.lower;
}

void
PldOneStepTenThousandTimes(benchmark::State& state)
{
    PldComposition composition;
    composition.Add(0.01, 0.25, 10000);
    Time(state, composition, DELTA);
}

BENCHMARK(PldOneStepTenThousandTimes)->Unit(benchmark::kMillisecond);

void
PldThousandNoiseLevels(benchmark::State& state)
{
    PldComposition composition;
    for (int k = 0; k < 1000; ++k)
    {
        composition.Add(0.01, Mu(k));
    }
    Time(state, composition, DELTA);
}

BENCHMARK(PldThousandNoiseLevels)->Unit(benchmark::kMillisecond);

/// Nothing can be interpolated: every step has a rate of its own.
void
PldThousandRatesAndNoiseLevels(benchmark::State& state)
{
    PldComposition composition;
    for (int k = 0; k < 1000; ++k)
    {
        composition.Add(0.005 + 1e-5 * k, Mu(k * 7919 % 1000));
    }
    Time(state, composition, DELTA);
}

BENCHMARK(PldThousandRatesAndNoiseLevels)->Unit(benchmark::kMillisecond);

/// Dyn-D2P with claim 1: mu grows by a factor over 3500 steps. Arguments: that factor.
void
PldDynD2p(benchmark::State& state)
{
    const double first = state.range(0) == 2 ? 1.353113824654987 : 0.295356588511620;
    PldComposition composition;
    for (int k = 0; k < 3500; ++k)
    {
        composition.Add(1.0 / 2500,
                        first * std::pow(static_cast<double>(state.range(0)), k / 3500.0));
    }
    Time(state, composition, 1e-4);
}

BENCHMARK(PldDynD2p)->Arg(2)->Arg(10)->Unit(benchmark::kMillisecond);

/// One node of one round among so many: add a release, ask for epsilon. Arguments: nodes.
void
OdometerNodeRound(benchmark::State& state)
{
    Release::Fields fields;
    fields.mechanism = "gaussian";
    fields.sampler = "poisson";
    fields.rate = 0.01;
    fields.sensitivity = 1.0;
    const auto curves = std::make_shared<RdpCurves>();
    std::vector<RdpOdometer> odometers(static_cast<std::size_t>(state.range(0)),
                                       RdpOdometer(curves));
    int round = 0;
    for (auto _ : state)
    {
        fields.noise = 1.0 / Mu(round++ % 1000);
        const Release release(fields);
        for (RdpOdometer& odometer : odometers)
        {
            odometer.Add(release);
            benchmark::DoNotOptimize(odometer.Epsilon(DELTA));
        }
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

BENCHMARK(OdometerNodeRound)->Arg(1000)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
