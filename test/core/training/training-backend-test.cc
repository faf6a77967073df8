// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/training-backend.h"
#include "test-images.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

constexpr NodeId BACKEND_NODES = 5;
constexpr RandomSeed BACKEND_SEED{3, 2};

std::unique_ptr<TrainingBackend>
MakeBackend(unsigned workers, const std::string& model = "cnn-s")
{
    static const auto images = MakeTestImages(IMAGE, 100, 600);
    return std::make_unique<TrainingBackend>(
        MakeModel(model, IMAGE, 10),
        images,
        MakePartition("even", std::vector<double>(100), BACKEND_NODES, BACKEND_SEED),
        MakeSampler("poisson", 8, BACKEND_SEED),
        TrainingBackend::Options{"native", workers, BACKEND_SEED});
}

/// Rounds of a ring that averages neighbours; returns all states, results and evaluations.
std::vector<double>
Learn(TrainingBackend& backend, Round rounds, bool together)
{
    const std::vector<float> z = InitialParameters(backend.Model(), "default", BACKEND_SEED);
    std::vector<ParameterHandle> states(BACKEND_NODES);
    for (ParameterHandle& state : states)
    {
        state = backend.Pool().AcquireCopy(z.data());
    }
    std::vector<double> history;
    for (Round round = 0; round < rounds; ++round)
    {
        std::vector<std::shared_ptr<NodeJob>> jobs;
        for (NodeId node = 0; node < BACKEND_NODES; ++node)
        {
            auto job = std::make_shared<NodeJob>();
            job->node = node;
            job->round = round;
            job->mix = {{states[node], 0.6}, {states[(node + 1) % BACKEND_NODES], 0.4}};
            job->state = backend.Pool().Acquire();
            job->evaluate = round % 2 == 1 ? Evaluation::ALL : 0;
            job->update = {true, 0.5, 1.0, 0.3, 8.0};
            backend.Submit(job);
            jobs.push_back(job);
            if (!together)
            {
                backend.FinishAll();
            }
        }
        backend.FinishAll();
        for (NodeId node = 0; node < BACKEND_NODES; ++node)
        {
            EXPECT_TRUE(jobs[node]->done);
            EXPECT_LT(jobs[node]->mixError, 1e-6);
            states[node] = jobs[node]->state;
            history.push_back(jobs[node]->batch.lossSum);
            history.push_back(jobs[node]->evaluation.lossSum);
        }
    }
    for (const ParameterHandle& state : states)
    {
        history.insert(history.end(), state->Data(), state->Data() + state->Size());
    }
    return history;
}

TEST(TrainingBackend, NeitherWorkersNorCompanyChangeABit)
{
    const std::vector<double> expected = Learn(*MakeBackend(1), 4, true);
    EXPECT_EQ(expected, Learn(*MakeBackend(1), 4, false));
    EXPECT_EQ(expected, Learn(*MakeBackend(2), 4, true));
    EXPECT_EQ(expected, Learn(*MakeBackend(3), 4, true));
    EXPECT_EQ(expected, Learn(*MakeBackend(3), 4, false));
}

TEST(TrainingBackend, NeedsNoNewVectorsAfterTheFirstRounds)
{
    const auto backend = MakeBackend(2, "softmax-regression");
    Learn(*backend, 2, true);
    const std::size_t before = backend->Pool().Allocated();
    Learn(*backend, 10, true);
    EXPECT_EQ(backend->Pool().Allocated(), before);
    EXPECT_LE(before, 2 * BACKEND_NODES + 1);
}

// What a step does to a state: the replays of test/system.
TEST(TrainingBackend, CopiesAndEvaluatesTheStateBeforeTheStep)
{
    const auto backend = MakeBackend(1, "softmax-regression");
    const std::vector<float> z = InitialParameters(backend->Model(), "default", BACKEND_SEED);
    auto job = std::make_shared<NodeJob>();
    job->node = 2;
    job->round = 9;
    job->state = backend->Pool().AcquireCopy(z.data());
    job->copy = backend->Pool().Acquire();
    job->evaluate = Evaluation::ALL;
    job->update = {true, 0.25, 0.5, 2.0, 8.0};
    backend->Submit(job);
    backend->FinishAll();
    EXPECT_TRUE(std::equal(z.begin(), z.end(), job->copy->Data()));
    EXPECT_FALSE(std::equal(z.begin(), z.end(), job->state->Data()));
    const Evaluation expected = backend->EvaluateModel(job->copy, Evaluation::ALL);
    EXPECT_EQ(job->evaluation.size, 600U);
    EXPECT_EQ(job->evaluation.correct, expected.correct);
    EXPECT_EQ(job->evaluation.lossSum, expected.lossSum);
    EXPECT_EQ(job->mixError, 0.0);
    EXPECT_GT(backend->ComputeSeconds(), 0.0);
}

TEST(TrainingBackend, MixesWithoutAStep)
{
    const auto backend = MakeBackend(1, "softmax-regression");
    const std::vector<float> ones(backend->Model().ParameterCount(), 1.0F);
    const ParameterHandle source = backend->Pool().AcquireCopy(ones.data());
    auto job = std::make_shared<NodeJob>();
    job->mix = {{source, 0.5}, {source, 1.5}};
    job->state = backend->Pool().Acquire();
    backend->Submit(job);
    backend->FinishAll();
    EXPECT_EQ(job->state->Data()[7], 2.0F);
    EXPECT_EQ(job->batch.size, 0U);
    EXPECT_EQ(job->evaluation.size, 0U);
}

TEST(TrainingBackend, ModelEvaluationIsTheSameForAllWorkers)
{
    const auto one = MakeBackend(1);
    const auto three = MakeBackend(3);
    const std::vector<float> z = InitialParameters(one->Model(), "default", BACKEND_SEED);
    const Evaluation a = one->EvaluateModel(one->Pool().AcquireCopy(z.data()), Evaluation::ALL);
    const Evaluation b = three->EvaluateModel(three->Pool().AcquireCopy(z.data()), Evaluation::ALL);
    EXPECT_EQ(a.lossSum, b.lossSum);
    EXPECT_EQ(a.correct, b.correct);
    EXPECT_EQ(a.size, 600U);
    EXPECT_DOUBLE_EQ(a.MeanLoss(), a.lossSum / 600.0);
}

TEST(TrainingBackend, DoesNotClipModelsWithBatchStatistics)
{
    ModelSpec model("batch-normalised", IMAGE, {Linear{784, 10}});
    model.hasBatchStatistics = true;
    TrainingBackend backend(
        model,
        MakeTestImages(IMAGE, 100, 1),
        MakePartition("even", std::vector<double>(100), BACKEND_NODES, BACKEND_SEED),
        MakeSampler("poisson", 8, BACKEND_SEED),
        {"native", 1, BACKEND_SEED});
    auto job = std::make_shared<NodeJob>();
    job->state = backend.Pool().Acquire();
    job->update.enabled = true;
    EXPECT_NO_THROW(backend.Submit(job));
    job->update.clip = 1.0;
    EXPECT_THROW(backend.Submit(job), UsageError);
}

/// The state that one step of divisor and step size 1 makes of zeros: minus the noisy sum.
std::vector<float>
StepFromZero(const std::shared_ptr<const NoiseSource>& noise, const NoiseScale& scale, double clip)
{
    TrainingBackend backend(
        MakeModel("softmax-regression", IMAGE, 10),
        MakeTestImages(IMAGE, 100, 1),
        MakePartition("even", std::vector<double>(100), BACKEND_NODES, BACKEND_SEED),
        MakeSampler("poisson", 8, BACKEND_SEED),
        {"native", 1, BACKEND_SEED, noise});
    const std::vector<float> zeros(backend.Model().ParameterCount(), 0.0F);
    auto job = std::make_shared<NodeJob>();
    job->node = 1;
    job->round = 6;
    job->state = backend.Pool().AcquireCopy(zeros.data());
    job->update = {true, 1.0, clip, scale.deviation, 1.0, scale.grid};
    backend.Submit(job);
    backend.FinishAll();
    return {job->state->Data(), job->state->Data() + job->state->Size()};
}

TEST(TrainingBackend, AddsTheNoiseOfItsSource)
{
    const NoiseScale silent;
    const std::vector<float> sum = StepFromZero(nullptr, silent, 0.5);
    for (const std::string& name : NoiseSources().Names())
    {
        const auto source = MakeNoiseSource(name, BACKEND_SEED);
        const NoiseScale scale = source->Fit(0.5, 0.25, sum.size());
        const std::vector<float> noisy = StepFromZero(source, scale, 0.5);
        EXPECT_EQ(noisy == StepFromZero(source, scale, 0.5), name != "system") << name;
        EXPECT_EQ(noisy == StepFromZero(nullptr, scale, 0.5), name == "philox") << name;
        double squares = 0.0;
        for (std::size_t i = 0; i < sum.size(); ++i)
        {
            const double noise = static_cast<double>(noisy[i]) - static_cast<double>(sum[i]);
            squares += noise * noise / (scale.deviation * scale.deviation);
            if (scale.grid > 0.0)
            {
                ASSERT_EQ(std::fmod(static_cast<double>(noisy[i]), scale.grid), 0.0) << i;
            }
        }
        const double n = static_cast<double>(sum.size());
        // Of Laplace noise the scale is given, whose second and fourth moments are 2 and 24.
        const bool isLaplace = name == "laplace";
        EXPECT_NEAR(squares / n,
                    isLaplace ? 2.0 : 1.0,
                    6.0 * std::sqrt((isLaplace ? 20.0 : 2.0) / n))
            << name;
    }
    // What only Fit() can provide has to be there.
    EXPECT_THROW(
        StepFromZero(MakeNoiseSource("discrete-gaussian", BACKEND_SEED), {1.0, 0.0, 1.0}, 0.5),
        Error);
}

TEST(TrainingBackend, RefusesPartsThatDoNotFit)
{
    const auto images = MakeTestImages(IMAGE, 100, 1);
    const auto make = [&](const ModelSpec& model, std::size_t nodes, const std::string& engine) {
        TrainingBackend(model,
                        images,
                        MakePartition("even", std::vector<double>(100), nodes, BACKEND_SEED),
                        MakeSampler("poisson", 8, BACKEND_SEED),
                        {engine, 1, BACKEND_SEED});
    };
    const ModelSpec model = MakeModel("softmax-regression", IMAGE, 10);
    EXPECT_NO_THROW(make(model, 5, "native"));
    EXPECT_THROW(make(MakeModel("softmax-regression", IMAGE, 9), 5, "native"), UsageError);
    EXPECT_THROW(make(MakeModel("softmax-regression", {1, 8, 8}, 10), 5, "native"), UsageError);
    EXPECT_THROW(make(model, 20, "native"), UsageError);
    EXPECT_THROW(make(model, 5, "jax"), UsageError);
    EXPECT_THROW(TrainingBackend(
                     model,
                     images,
                     MakePartition("even", std::vector<double>(100), BACKEND_NODES, BACKEND_SEED),
                     MakeSampler("poisson", 8, BACKEND_SEED),
                     {"native", 1, BACKEND_SEED, nullptr, "abacus"}),
                 UsageError);
}

} // namespace
} // namespace dpdl
