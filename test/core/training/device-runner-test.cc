// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "device-runner.h"
#include "device-timing.h"
#include "dpdl/base/errors.h"
#include "dpdl/training/cuda-device.h"
#include "dpdl/training/gradient-step.h"
#include "dpdl/training/torch-model.h"
#include "host-executor.h"
#include "test-images.h"
#include "torch-function.h"
#include "torch-parts.h"
#include "worker-runner.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <torch/nn/modules/linear.h>
#include <tuple>

namespace dpdl
{
namespace
{

constexpr NodeId DEVICE_NODES = 5;
constexpr RandomSeed DEVICE_SEED{3, 2};

/// Counts what goes over the bus, and can run out of memory.
class WatchedExecutor : public HostExecutor
{
  public:
    void* Allocate(std::size_t bytes) override
    {
        ++allocations;
        if (bytes > most)
        {
            throw cuda::DeviceError("CUDA: out of memory", true);
        }
        return HostExecutor::Allocate(bytes);
    }

    void Upload(void* device, const void* host, std::size_t bytes) override
    {
        transferred += bytes;
        HostExecutor::Upload(device, host, bytes);
    }

    void Download(void* host, const void* device, std::size_t bytes) override
    {
        transferred += bytes;
        HostExecutor::Download(host, device, bytes);
    }

    void ForEach(const cuda::IndexOp& op, std::size_t count) override
    {
        scored += std::holds_alternative<cuda::ScoreExamples>(op) ? count : 0;
        HostExecutor::ForEach(op, count);
    }

    std::size_t transferred{0};
    std::size_t scored{0}; ///< places for examples whose logits were scored
    std::size_t allocations{0};
    std::size_t most{std::size_t{1} << 40};
};

/// A user's model.
class TwoLayers : public TorchModule
{
  public:
    at::Tensor Forward(const at::Tensor& images) override
    {
        return m_last(m_first(images.flatten(1)).tanh());
    }

  private:
    torch::nn::Linear m_first{register_module("first", torch::nn::Linear(28 * 28, 20))};
    torch::nn::Linear m_last{register_module("last", torch::nn::Linear(20, 10))};
};

/// What both runners learn, and a runner of each kind.
struct Case
{
    using Engine = decltype(&MakeTensorClippingEngine);

    /// @param spec model
    /// @param maker makes the engine of LibTorch that computes its gradients; null: none does
    explicit Case(ModelSpec spec, Engine maker = nullptr)
        : model(std::move(spec)),
          engine(maker),
          pool(model.ParameterCount())
    {
    }

    explicit Case(const std::string& name)
        : Case(MakeModel(name, IMAGE, 10))
    {
    }

    static Case Recorded()
    {
        return Case(MakeVit("tiny", {4, 2, 2, 16, 24}, IMAGE, 10), MakeTensorClippingEngine);
    }

    static Case Module()
    {
        const auto make = [](ImageShape, std::uint32_t) { return std::make_shared<TwoLayers>(); };
        return Case(MakeTorchModel("own", IMAGE, 10, make), MakePerExampleLoopEngine);
    }

    RunnerSupplies Supplies()
    {
        return {&model, images.get(), &partition, sampler.get(), noise.get(), &pool};
    }

    std::unique_ptr<JobRunner> OnWorkers()
    {
        return std::make_unique<WorkerRunner>(Supplies(), engine ? "libtorch" : "native", 1);
    }

    std::unique_ptr<JobRunner> OnDevice()
    {
        auto own = engine ? engine(model, {at::kCPU, at::kCPU, false}) : nullptr;
        return std::make_unique<DeviceRunner>(Supplies(), DEVICE_SEED, executor, std::move(own));
    }

    ModelSpec model;
    Engine engine;
    ParameterPool pool;
    std::shared_ptr<Dataset> images{MakeTestImages(IMAGE, 100, 150)};
    Partition partition{MakePartition("even", std::vector<double>(100), DEVICE_NODES, DEVICE_SEED)};
    std::shared_ptr<const Sampler> sampler{MakeSampler("poisson", 8, DEVICE_SEED)};
    std::shared_ptr<const NoiseSource> noise{MakeNoiseSource("philox", DEVICE_SEED)};
    std::shared_ptr<WatchedExecutor> executor{std::make_shared<WatchedExecutor>()};
};

/// A ring that averages neighbours, in which node 0 leaves out every third step.
class Ring
{
  public:
    Ring(Case& test, JobRunner& runner)
        : m_runner(runner),
          m_pool(test.pool)
    {
        const std::vector<float> z = InitialParameters(test.model, "default", DEVICE_SEED);
        for (NodeId node = 0; node < DEVICE_NODES; ++node)
        {
            m_states.push_back(m_pool.AcquireCopy(z.data()));
        }
    }

    std::vector<std::shared_ptr<NodeJob>> Round(dpdl::Round round, bool evaluate)
    {
        std::vector<std::shared_ptr<NodeJob>> jobs;
        for (NodeId node = 0; node < DEVICE_NODES; ++node)
        {
            auto job = std::make_shared<NodeJob>();
            job->node = node;
            job->round = round;
            if (round > 0)
            {
                job->mix = {{m_states[node], 0.6}, {m_states[(node + 1) % DEVICE_NODES], 0.4}};
            }
            else
            {
                job->state = m_states[node];
            }
            // Nodes at different rounds ask for different numbers of examples.
            job->evaluate = !evaluate ? 0 : node % 2 == 0 ? Evaluation::ALL : 70;
            job->copy = evaluate ? m_pool.Acquire() : nullptr;
            if (round > node)
            {
                job->averaged = round - node;
                job->average = m_averages[node];
            }
            job->update = {node > 0 || round % 3 > 0, 0.1, 1.0, 0.3, 8.0};
            job->update.isSummed = isSummed;
            m_runner.Submit(job);
            jobs.push_back(job);
        }
        m_states.clear();
        for (const auto& job : jobs)
        {
            m_runner.Finish(job);
            m_states.push_back(job->state);
            m_averages[job->node] = job->average;
        }
        return jobs;
    }

    const std::vector<ParameterHandle>& States() const
    {
        return m_states;
    }

    bool isSummed{false}; ///< no step follows any of its jobs

  private:
    JobRunner& m_runner;
    ParameterPool& m_pool;
    std::vector<ParameterHandle> m_states;
    /// Means of z^k: node i begins with k = i + 1, so that groups have jobs with and without.
    std::vector<ParameterHandle> m_averages{DEVICE_NODES};
};

void
ExpectSameJob(const NodeJob& device, const NodeJob& host, double tolerance)
{
    EXPECT_TRUE(device.done);
    EXPECT_LT(device.mixError, 1e-6);
    EXPECT_EQ(device.mixError > 0.0, host.mixError > 0.0);
    EXPECT_EQ(device.batch.size, host.batch.size);
    EXPECT_NEAR(device.batch.lossSum, host.batch.lossSum, tolerance * (1 + host.batch.lossSum));
    EXPECT_NEAR(device.batch.normSum, host.batch.normSum, tolerance * (1 + host.batch.normSum));
    EXPECT_EQ(device.evaluation.size, host.evaluation.size);
    EXPECT_NEAR(device.evaluation.lossSum,
                host.evaluation.lossSum,
                tolerance * (1 + host.evaluation.lossSum));
    EXPECT_LT(RelativeDistance(*device.state, *host.state), tolerance);
    ASSERT_EQ(device.average == nullptr, host.average == nullptr);
    if (host.average)
    {
        EXPECT_LT(RelativeDistance(*device.average, *host.average), tolerance);
    }
    if (host.copy)
    {
        EXPECT_LT(RelativeDistance(*device.copy, *host.copy), tolerance);
    }
}

void
ExpectSameRelease(const NodeJob& device, const NodeJob& host)
{
    ASSERT_EQ(device.releases.size(), host.releases.size());
    if (device.releases.empty())
    {
        EXPECT_FALSE(device.update.enabled);
        return;
    }
    const Release& a = device.releases.front();
    const Release& b = host.releases.front();
    EXPECT_EQ(std::tie(a.mechanism, a.values, a.round, a.stream, a.sampler, a.rate, a.epoch),
              std::tie(b.mechanism, b.values, b.round, b.stream, b.sampler, b.rate, b.epoch));
    EXPECT_EQ(a.noise, static_cast<float>(b.noise));
    EXPECT_GE(a.sensitivity, b.sensitivity) << "sums in float32 are no tighter";
    EXPECT_TRUE(HasFlag(a.flags, ReleaseFlag::BATCH_DEPENDENT_GRADIENT));
    EXPECT_EQ(device.noiseInState > 0.0, device.update.isSummed);
    EXPECT_NEAR(device.noiseInState, host.noiseInState, 1e-6 * host.noiseInState);
    EXPECT_EQ(std::isfinite(device.largestState), device.update.isSummed);
    EXPECT_TRUE(device.largestState == host.largestState ||
                std::fabs(device.largestState - host.largestState) < 0.01 * host.largestState);
}

/// A round of the device's program is that of the workers to 1e-5, and fifty are to 1e-3.
void
ExpectSameRounds(Case test, Round rounds)
{
    const auto workers = test.OnWorkers();
    const auto device = test.OnDevice();
    Ring expected(test, *workers);
    Ring found(test, *device);
    for (Round round = 0; round < rounds; ++round)
    {
        const bool evaluate = round % 20 == 1 || round + 1 == rounds;
        expected.isSummed = found.isSummed = round % 2 == 1;
        const auto hostJobs = expected.Round(round, evaluate);
        const auto deviceJobs = found.Round(round, evaluate);
        for (NodeId node = 0; node < DEVICE_NODES; ++node)
        {
            ExpectSameJob(*deviceJobs[node], *hostJobs[node], round == 0 ? 1e-5 : 1e-3);
            ExpectSameRelease(*deviceJobs[node], *hostJobs[node]);
            if (test.engine && deviceJobs[node]->update.enabled)
            {
                EXPECT_EQ(deviceJobs[node]->releases.front().sensitivity,
                          hostJobs[node]->releases.front().sensitivity);
            }
        }
    }
}

TEST(DeviceRunner, RoundsAreThoseOfTheWorkers)
{
    ExpectSameRounds(Case("softmax-regression"), 4);
    ExpectSameRounds(Case("mlp"), 50);
    ExpectSameRounds(Case("cnn-s"), 6);
    ExpectSameRounds(Case::Recorded(), 6);
    ExpectSameRounds(Case(MakeModel("cnn-xs", IMAGE, 10), MakeTensorClippingEngine), 2);
    ExpectSameRounds(Case::Module(), 50);
}

void
ExpectNoStateOnTheBus(Case test)
{
    const auto device = test.OnDevice();
    Ring ring(test, *device);
    for (Round round = 0; round < 20; ++round)
    {
        ring.Round(round, round == 10);
        device->EvaluateMean(ring.States(), 100);
    }
    test.executor->transferred = 0;
    test.executor->allocations = 0;
    ring.Round(20, true);
    ring.Round(21, false);
    device->EvaluateMean(ring.States(), 100);
    EXPECT_LT(test.executor->transferred, test.model.ParameterCount() * sizeof(float));
    EXPECT_EQ(test.executor->allocations, 0U);
}

TEST(DeviceRunner, ASteadyRoundKeepsTheStatesOnTheDevice)
{
    ExpectNoStateOnTheBus(Case("mlp"));
    ExpectNoStateOnTheBus(Case::Recorded());
    ExpectNoStateOnTheBus(Case::Module());
}

TEST(DeviceRunner, StatesOutliveTheRunner)
{
    Case test("softmax-regression");
    auto device = test.OnDevice();
    auto workers = test.OnWorkers();
    Ring ring(test, *device);
    Ring expected(test, *workers);
    ring.Round(0, false);
    expected.Round(0, false);
    device.reset();
    EXPECT_LT(RelativeDistance(*ring.States()[2], *expected.States()[2]), 1e-5);
}

TEST(DeviceRunner, WritesToAStateReachTheDevice)
{
    Case test("softmax-regression");
    const auto device = test.OnDevice();
    Ring ring(test, *device);
    ring.Round(0, false);
    const ParameterHandle& state = ring.States()[1];
    EXPECT_NE(state->Remote(), nullptr);
    std::fill_n(state->Data(), state->Size(), 2.0F);
    EXPECT_EQ(state->Remote(), nullptr);
    auto job = std::make_shared<NodeJob>();
    job->mix = {{state, 0.5}};
    device->Submit(job);
    device->Finish(job);
    EXPECT_FLOAT_EQ(std::as_const(*job->state).Data()[7], 1.0F);
}

TEST(DeviceRunner, EvaluatesModelsAndTheirMean)
{
    Case test("cnn-s");
    const auto device = test.OnDevice();
    const auto workers = test.OnWorkers();
    Ring ring(test, *device);
    ring.Round(0, false);
    ring.Round(1, false);
    const std::vector<ParameterHandle> pair{ring.States()[1], ring.States()[3]};
    const auto found = device->EvaluateMean(pair, 120);
    ASSERT_TRUE(found.has_value());
    std::vector<float> mean;
    double squares = 0.0;
    for (std::size_t i = 0; i < test.model.ParameterCount(); ++i)
    {
        const double value = std::as_const(*pair[0]).Data()[i];
        const double middle = (value + std::as_const(*pair[1]).Data()[i]) / 2.0;
        mean.push_back(static_cast<float>(middle));
        squares += (value - middle) * (value - middle);
    }
    EXPECT_NEAR(found->distance, std::sqrt(squares), 1e-12);
    const Evaluation expected = workers->EvaluateModel(mean.data(), 120);
    for (const Evaluation& one : {found->evaluation, device->EvaluateModel(mean.data(), 120)})
    {
        EXPECT_EQ(one.correct, expected.correct);
        EXPECT_EQ(one.size, expected.size);
        EXPECT_NEAR(one.lossSum, expected.lossSum, 1e-5 * expected.lossSum);
    }
}

TEST(DeviceRunner, EqualNodesAreSentAndEvaluatedOnce)
{
    Case test("mlp");
    const auto device = test.OnDevice();
    Ring ring(test, *device);
    test.executor->transferred = 0;
    const auto jobs = ring.Round(0, true);
    EXPECT_LT(test.executor->transferred, 2 * test.model.ParameterCount() * sizeof(float));
    EXPECT_LT(test.executor->scored, DEVICE_NODES * 100U);
    EXPECT_EQ(jobs[4]->evaluation.lossSum, jobs[0]->evaluation.lossSum);
}

TEST(DeviceRunner, AParameterThatIsNotFiniteMakesTheLossNaN)
{
    Case test("mlp");
    const auto device = test.OnDevice();
    Ring ring(test, *device);
    ring.Round(0, false);
    ring.States()[1]->Data()[5] = -std::numeric_limits<float>::infinity();
    const auto jobs = ring.Round(1, true);
    for (NodeId node = 0; node < DEVICE_NODES; ++node)
    {
        EXPECT_EQ(std::isnan(jobs[node]->evaluation.lossSum), node <= 1) << node;
    }
}

TEST(DeviceRunner, AWithdrawnJobDoesNotRun)
{
    Case test("softmax-regression");
    const auto device = test.OnDevice();
    auto job = std::make_shared<NodeJob>();
    job->state = test.pool.Acquire();
    device->Submit(job);
    device->Withdraw(job);
    device->Finish(job);
    EXPECT_FALSE(job->done);
}

TEST(DeviceRunner, RefusesWhatItCannotDo)
{
    Case test("softmax-regression");
    const auto device = test.OnDevice();
    const FusedStep fused(2, 0.5);
    auto job = std::make_shared<NodeJob>();
    job->state = test.pool.Acquire();
    job->update = {true, 0.1, 1.0, 0.3, 8.0};
    job->update.step = &fused;
    EXPECT_THROW(device->Submit(job), UsageError);
    job->update.step = nullptr;
    job->increment = test.pool.Acquire();
    EXPECT_THROW(device->Submit(job), UsageError);
    test.noise = MakeNoiseSource("system", DEVICE_SEED);
    EXPECT_THROW(test.OnDevice(), UsageError);
}

TEST(DeviceRunner, ABackendNeedsADevice)
{
    if (WhyNoCudaDevice().empty())
    {
        GTEST_SKIP() << "needs a machine without a CUDA device";
    }
    Case test("softmax-regression");
    TrainingBackend::Options options;
    options.device = "cuda";
    const auto make = [&](const ModelSpec& model) {
        TrainingBackend(model, test.images, test.partition, test.sampler, options);
    };
    EXPECT_THROW(make(test.model), UsageError);
    EXPECT_THROW(make(MakeModel("vit-s", IMAGE, 10)), UsageError);
    options.device = "gpu";
    EXPECT_THROW(make(test.model), UsageError);
}

TEST(DeviceRunner, SaysWhatToChangeWhereMemoryRunsOut)
{
    Case test("mlp");
    const auto device = test.OnDevice();
    Ring ring(test, *device);
    test.executor->most = 1000;
    try
    {
        ring.Round(0, false);
        FAIL() << "no error";
    }
    catch (const Error& error)
    {
        const std::string text = error.what();
        EXPECT_NE(text.find("out of memory"), std::string::npos) << text;
        EXPECT_NE(text.find("--device=cpu"), std::string::npos) << text;
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    }
}

} // namespace
} // namespace dpdl
