// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "cuda/cuda-executor.h"
#include "device-round.h"
#include "device-states.h"
#include "host-executor.h"
#include "random-chain.h"
#include "test-images.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

/// An array on a device, with what it is on the host.
class SentValues
{
  public:
    SentValues(cuda::DeviceExecutor& executor, const std::vector<float>& values)
        : m_executor(executor),
          m_device(executor, values.size())
    {
        executor.Upload(Data(), values.data(), values.size() * sizeof(float));
    }

    float* Data() const
    {
        return m_device.Data();
    }

    std::vector<float> Get() const
    {
        std::vector<float> values(m_device.Size());
        m_executor.Download(values.data(), Data(), values.size() * sizeof(float));
        return values;
    }

  private:
    cuda::DeviceExecutor& m_executor;
    cuda::DeviceArray<float> m_device;
};

std::vector<float>
Normals(std::size_t count, std::uint32_t number)
{
    std::vector<float> values(count);
    RandomStream({5, 1}, RandomPurpose::TEST, 3, number).FillNormal(values.data(), count);
    return values;
}

double
Distance(const std::vector<float>& a, const std::vector<float>& b)
{
    double difference = 0.0;
    double size = 1e-30;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        difference += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
        size += std::pow(static_cast<double>(b[i]), 2);
    }
    return std::sqrt(difference / size);
}

/// What a batch of products gives; A, B and C have gaps between their matrices.
std::vector<float>
Products(cuda::DeviceExecutor& executor, bool transposeA, bool transposeB, float beta)
{
    constexpr std::size_t ROWS = 13;
    constexpr std::size_t COLUMNS = 21;
    constexpr std::size_t INNER = 37;
    constexpr std::size_t BATCH = 5;
    const SentValues a(executor, Normals(BATCH * (ROWS * INNER + 3), 1));
    const SentValues b(executor, Normals(BATCH * (INNER * COLUMNS + 5), 2));
    const SentValues c(executor, Normals(BATCH * (ROWS * COLUMNS + 7), 3));
    executor.Multiply({{a.Data(), transposeA ? ROWS : INNER, ROWS * INNER + 3, transposeA},
                       {b.Data(), transposeB ? INNER : COLUMNS, INNER * COLUMNS + 5, transposeB},
                       c.Data(),
                       ROWS * COLUMNS + 7,
                       ROWS,
                       COLUMNS,
                       INNER,
                       beta,
                       BATCH});
    return c.Get();
}

/// Three nodes' states after an update with noise, without, and without a step.
std::vector<float>
Update(cuda::DeviceExecutor& executor, std::size_t count)
{
    const SentValues z(executor, Normals(3 * count, 1));
    const SentValues sum(executor, Normals(3 * count, 2));
    const std::vector<cuda::UpdateRule> rules{{0.25F, 1.5F, {{7, 3}, {4, 5, 11}}},
                                              {0.25F, 0.0F, {{7, 3}, {4, 6, 11}}},
                                              {0.0F, 1.5F, {{7, 3}, {4, 7, 11}}}};
    const cuda::DeviceArray<cuda::UpdateRule> sent(executor, rules.size());
    executor.Upload(sent.Data(), rules.data(), rules.size() * sizeof(cuda::UpdateRule));
    executor.ForEach(cuda::UpdateStates{z.Data(), sum.Data(), sent.Data(), count},
                     3 * cuda::UpdateStates::CallsPerNode(count));
    return z.Get();
}

/// Rows of a ring and a row that stays, in two pieces that differ in their sources; the mean of
/// these, and the distance to it.
std::vector<float>
Mix(cuda::DeviceExecutor& executor, std::size_t count)
{
    constexpr std::size_t ROWS = 7;
    const SentValues from(executor, Normals(ROWS * count, 1));
    const SentValues to(executor, Normals((ROWS + 2) * count, 2));
    DeviceMix mix;
    for (std::size_t row = 0; row < ROWS; ++row)
    {
        const float* own = from.Data() + row * count;
        const float* next = from.Data() + (row + 1) % ROWS * count;
        mix.entries.push_back({own, 0.7, 0, count});
        mix.entries.push_back({next, 0.3, 0, count / 2});
        mix.entries.push_back({from.Data(), 0.2, count / 2, count});
        mix.EndRow();
    }
    mix.EndRow();
    DeviceMixer mixer(executor, count);
    mixer.Mix(mix, to.Data());
    for (const double error : mixer.Errors())
    {
        EXPECT_LT(error, 1e-6);
    }
    const double distance = mixer.Mean(mix, to.Data() + (ROWS + 1) * count);
    std::vector<float> values = to.Get();
    values.push_back(static_cast<float>(distance));
    return values;
}

/// States of three nodes after some steps with the same memory; from the second one on a step is
/// recorded.
std::vector<float>
Learn(cuda::DeviceExecutor& executor, const ModelSpec& model, std::uint32_t rounds)
{
    const auto classes = static_cast<std::uint32_t>(model.Classes());
    const auto images = MakeTestImages(model.Shapes().front(), 40, 90, classes);
    std::vector<float> z;
    std::vector<DeviceStep> steps(3);
    for (std::uint32_t node = 0; node < steps.size(); ++node)
    {
        const std::vector<float> start = InitialParameters(model, "default", {node + 1, 1});
        z.insert(z.end(), start.begin(), start.end());
        steps[node].clip = 0.8;
        steps[node].rule = {0.05F, 0.1F, {{1, 1}, {4, node, 0}}};
    }
    const SentValues states(executor, z);
    DeviceRound round(model, *images, executor);
    for (std::uint32_t number = 0; number < rounds; ++number)
    {
        for (std::uint32_t node = 0; node < steps.size(); ++node)
        {
            steps[node].examples.clear();
            for (std::uint32_t i = 0; i < 3 * node + number; ++i)
            {
                steps[node].examples.push_back((7 * i + 11 * number + node) % 40);
            }
            steps[node].rule.stream.counter[2] = number;
        }
        round.Step(states.Data(), steps.data(), steps.size());
    }
    std::vector<float> result = states.Get();
    for (const Evaluation& evaluation :
         round.Evaluate(states.Data(), steps.size(), Evaluation::ALL))
    {
        result.push_back(static_cast<float>(evaluation.lossSum));
    }
    return result;
}

/// Also runs on the host: this file can be tested without a device.
class ExecutorTest : public testing::TestWithParam<std::string>
{
  protected:
    void SetUp() override
    {
        if (GetParam() == "host")
        {
            m_executor = std::make_unique<HostExecutor>();
            return;
        }
        const std::string why = cuda::WhyNoDevice();
        if (!why.empty())
        {
            GTEST_SKIP() << "needs a CUDA device, but: " << why;
        }
        m_executor = cuda::MakeCudaExecutor();
    }

    std::unique_ptr<cuda::DeviceExecutor> m_executor;
    HostExecutor m_host;
};

TEST_P(ExecutorTest, MultipliesAsTheHostDoes)
{
    for (const bool transposeA : {false, true})
    {
        for (const bool transposeB : {false, true})
        {
            for (const float beta : {0.0F, 1.0F})
            {
                EXPECT_LT(Distance(Products(*m_executor, transposeA, transposeB, beta),
                                   Products(m_host, transposeA, transposeB, beta)),
                          1e-6);
            }
        }
    }
}

TEST_P(ExecutorTest, UpdatesAsTheHostDoes)
{
    for (const std::size_t count : {1U, 63U, 64U, 65U, 1000U, 100003U})
    {
        EXPECT_LT(Distance(Update(*m_executor, count), Update(m_host, count)), 1e-6);
    }
}

TEST_P(ExecutorTest, MixesAsTheHostDoes)
{
    for (const std::size_t count : {1U, 255U, 256U, 257U, 10007U})
    {
        EXPECT_LT(Distance(Mix(*m_executor, count), Mix(m_host, count)), 1e-6);
    }
}

TEST_P(ExecutorTest, LearnsAsTheHostDoes)
{
    std::vector<ModelSpec> models;
    for (const char* name : {"softmax-regression", "mlp", "cnn-s"})
    {
        models.push_back(MakeModel(name, {1, 28, 28}, 10));
    }
    for (std::uint32_t seed = 1; seed <= 40; ++seed)
    {
        models.push_back(RandomChain(seed).Make());
    }
    for (const ModelSpec& model : models)
    {
        EXPECT_LT(Distance(Learn(*m_executor, model, 1), Learn(m_host, model, 1)), 1e-5)
            << model.Name();
        EXPECT_LT(Distance(Learn(*m_executor, model, 4), Learn(m_host, model, 4)), 1e-4)
            << model.Name();
    }
}

INSTANTIATE_TEST_SUITE_P(Executors,
                         ExecutorTest,
                         testing::Values("host", "cuda"),
                         [](const auto& info) { return info.param; });

TEST(CudaExecutor, SaysWhyThereIsNoDevice)
{
    const std::string why = cuda::WhyNoDevice();
    if (why.empty())
    {
        GTEST_SKIP() << "needs a machine without a CUDA device";
    }
    EXPECT_EQ(why.find('\n'), std::string::npos);
    EXPECT_THROW(cuda::MakeCudaExecutor(), cuda::DeviceError);
}

TEST(CudaExecutor, SaysThatMemoryRanOut)
{
    if (!cuda::WhyNoDevice().empty())
    {
        GTEST_SKIP() << "needs a CUDA device, but: " << cuda::WhyNoDevice();
    }
    const auto executor = cuda::MakeCudaExecutor();
    try
    {
        executor->Allocate(std::size_t{1} << 50);
        FAIL() << "no error";
    }
    catch (const cuda::DeviceError& error)
    {
        EXPECT_TRUE(error.IsOutOfMemory()) << error.what();
    }
    EXPECT_LT(
        Distance(Products(*executor, false, false, 0.0F), Products(*executor, false, false, 0.0F)),
        1e-9);
}

} // namespace
} // namespace dpdl
