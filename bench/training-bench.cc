// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// What one node costs: a private gradient step, an evaluation, a mixing step, the noise.

#include "dpdl/base/random.h"
#include "dpdl/training/gossip.h"
#include "dpdl/training/gradient-engine.h"
#include "dpdl/training/training-backend.h"

#include <benchmark/benchmark.h>
#include <limits>

namespace
{

using namespace dpdl;

constexpr RandomSeed SEED{1, 1};
const std::vector<std::string> MODELS{"cnn-s", "softmax-regression", "mlp", "cnn-m"};

/// Random images: what is in them does not matter for the time.
std::shared_ptr<const Dataset>
MakeImages(std::size_t train, std::size_t test, ImageShape shape = {1, 28, 28})
{
    auto dataset = std::make_shared<Dataset>();
    dataset->name = "random";
    dataset->shape = shape;
    dataset->classes = 10;
    std::uint64_t word = 0;
    const RandomStream stream(SEED, RandomPurpose::TEST, 0, 0);
    for (Split* split : {&dataset->train, &dataset->test})
    {
        const std::size_t count = split == &dataset->train ? train : test;
        for (std::size_t i = 0; i < count; ++i)
        {
            split->labels.push_back(static_cast<std::uint8_t>(stream.Integer(word++, 10)));
        }
        for (std::size_t i = 0; i < count * dataset->shape.Size(); ++i)
        {
            split->pixels.push_back(static_cast<std::uint8_t>(stream.Word(word++)));
        }
    }
    return dataset;
}

/// Clipped gradients with noise, of batches of some size.
void
TimeGradients(benchmark::State& state,
              const std::string& engineName,
              const std::string& name,
              const Dataset& dataset,
              std::size_t batch,
              double clip)
{
    const ModelSpec model = MakeModel(name, dataset.shape, dataset.classes);
    const auto engine = MakeGradientEngine(engineName, model);
    std::vector<float> z = InitialParameters(model, "default", SEED);
    std::vector<float> gradient(z.size());
    std::vector<std::uint32_t> examples(batch);
    for (std::size_t i = 0; i < examples.size(); ++i)
    {
        examples[i] = static_cast<std::uint32_t>(i * 37 % dataset.train.Size());
    }
    Round round = 0;
    for (auto _ : state)
    {
        engine->ClippedGradientSum(z.data(),
                                   {&dataset.train, examples.data(), examples.size()},
                                   clip,
                                   gradient.data());
        const RandomStream noise(SEED, RandomPurpose::NOISE, 0, round++);
        noise.AddNormal(gradient.data(), gradient.size(), 1e-3F);
        benchmark::DoNotOptimize(gradient.data());
    }
    state.SetLabel(name + " " + engineName);
}

/// Arguments: model, batch size.
void
GradientStep(benchmark::State& state)
{
    const auto dataset = MakeImages(1024, 1);
    const auto& name = MODELS[static_cast<std::size_t>(state.range(0))];
    const auto batch = static_cast<std::size_t>(state.range(1));
    TimeGradients(state, "native", name, *dataset, batch, 1.0);
}

BENCHMARK(GradientStep)
    ->Args({0, 8})
    ->Args({0, 64})
    ->Args({0, 1024})
    ->Args({1, 64})
    ->Args({2, 64})
    ->Args({3, 64})
    ->Unit(benchmark::kMicrosecond);

/// A batch of 16 colour images. Arguments: network, engine.
void
NetworkGradient(benchmark::State& state)
{
    const std::vector<std::string> networks{"resnet-18", "vit-s", "resnet-18-bn"};
    const std::vector<std::string> engines{"libtorch", "libtorch-loop"};
    const auto dataset = MakeImages(64, 1, {3, 32, 32});
    const auto& name = networks[static_cast<std::size_t>(state.range(0))];
    const bool clips = name != "resnet-18-bn";
    TimeGradients(state,
                  engines[static_cast<std::size_t>(state.range(1))],
                  name,
                  *dataset,
                  16,
                  clips ? 1.0 : std::numeric_limits<double>::infinity());
}

// The third network has batch normalisation and is not clipped: what a plain gradient costs.
BENCHMARK(NetworkGradient)
    ->Args({0, 0})
    ->Args({0, 1})
    ->Args({1, 0})
    ->Args({1, 1})
    ->Args({2, 0})
    ->Unit(benchmark::kMillisecond);

/// Arguments: model.
void
EvaluateTwoThousandImages(benchmark::State& state)
{
    const auto dataset = MakeImages(1, 2000);
    const auto& name = MODELS[static_cast<std::size_t>(state.range(0))];
    const ModelSpec model = MakeModel(name, dataset->shape, dataset->classes);
    const auto engine = MakeGradientEngine("native", model);
    const std::vector<float> z = InitialParameters(model, "default", SEED);
    for (auto _ : state)
    {
        benchmark::DoNotOptimize(engine->Evaluate(z.data(), dataset->test, 0, 2000));
    }
    state.SetLabel(name);
}

BENCHMARK(EvaluateTwoThousandImages)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

/// Arguments: dimension, terms.
void
Mix(benchmark::State& state)
{
    ParameterPool pool(static_cast<std::size_t>(state.range(0)));
    const std::vector<float> ones(pool.Dimension(), 1.0F);
    std::vector<MixTerm> terms;
    for (std::int64_t i = 0; i < state.range(1); ++i)
    {
        terms.push_back({pool.AcquireCopy(ones.data()), 1.0 / static_cast<double>(state.range(1))});
    }
    const ParameterHandle out = pool.Acquire();
    for (auto _ : state)
    {
        MixParameters(terms, *out);
        benchmark::DoNotOptimize(out->Data());
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

BENCHMARK(Mix)->Args({26010, 2})->Args({26010, 5})->Args({1000000, 2})->Args({1000000, 5});

void
FillNormal(benchmark::State& state)
{
    std::vector<float> values(static_cast<std::size_t>(state.range(0)));
    const RandomStream stream(SEED, RandomPurpose::TEST, 0, 0);
    for (auto _ : state)
    {
        stream.FillNormal(values.data(), values.size());
        benchmark::DoNotOptimize(values.data());
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

BENCHMARK(FillNormal)->Arg(26010)->Arg(1000000);

void
AddNormal(benchmark::State& state)
{
    std::vector<float> values(static_cast<std::size_t>(state.range(0)));
    const RandomStream stream(SEED, RandomPurpose::TEST, 0, 0);
    for (auto _ : state)
    {
        stream.AddNormal(values.data(), values.size(), 1e-3F);
        benchmark::DoNotOptimize(values.data());
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

BENCHMARK(AddNormal)->Arg(26010)->Arg(1000000);

/// A round of 20 nodes; arguments: workers.
void
RoundOfTwentyNodes(benchmark::State& state)
{
    const auto dataset = MakeImages(20 * 640, 1);
    TrainingBackend backend(MakeModel("cnn-s", dataset->shape, dataset->classes),
                            dataset,
                            MakePartition("even", dataset->train.labels, 20, SEED),
                            MakeSampler("poisson", 64, SEED),
                            {"native", static_cast<unsigned>(state.range(0)), SEED});
    const std::vector<float> z = InitialParameters(backend.Model(), "default", SEED);
    std::vector<ParameterHandle> states(20);
    for (ParameterHandle& handle : states)
    {
        handle = backend.Pool().AcquireCopy(z.data());
    }
    Round round = 0;
    for (auto _ : state)
    {
        std::vector<ParameterHandle> next(20);
        for (NodeId node = 0; node < 20; ++node)
        {
            auto job = std::make_shared<NodeJob>();
            job->node = node;
            job->round = round;
            job->mix = {{states[node], 0.5}, {states[(node + 1) % 20], 0.5}};
            job->state = next[node] = backend.Pool().Acquire();
            job->update = {true, 0.1, 1.0, 1.0, 64.0};
            backend.Submit(job);
        }
        backend.FinishAll();
        states.swap(next);
        ++round;
    }
}

BENCHMARK(RoundOfTwentyNodes)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace

BENCHMARK_MAIN();
