// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "device-round.h"
#include "gradient-runs.h"
#include "host-executor.h"
#include "random-chain.h"

namespace dpdl
{
namespace
{

/// States of some nodes on the host's device, each with its own parameters.
class HostStates
{
  public:
    HostStates(HostExecutor& executor, const ModelSpec& model, std::size_t nodes)
        : m_executor(executor),
          m_device(executor, nodes * model.ParameterCount())
    {
        for (std::size_t node = 0; node < nodes; ++node)
        {
            const auto seed = static_cast<std::uint32_t>(node + 1);
            m_host.push_back(InitialParameters(model, "default", {seed, 1}));
        }
        Send();
    }

    void Send()
    {
        const std::size_t d = m_host.front().size();
        for (std::size_t node = 0; node < m_host.size(); ++node)
        {
            m_executor.Upload(Data() + node * d, m_host[node].data(), d * sizeof(float));
        }
    }

    float* Data() const
    {
        return m_device.Data();
    }

    std::vector<float>& Host(std::size_t node)
    {
        return m_host[node];
    }

    std::vector<float> Row(const float* rows, std::size_t node) const
    {
        const std::size_t d = m_host.front().size();
        return {rows + node * d, rows + (node + 1) * d};
    }

  private:
    HostExecutor& m_executor;
    cuda::DeviceArray<float> m_device;
    std::vector<std::vector<float>> m_host;
};

double
Distance(const std::vector<float>& a, const std::vector<double>& b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        sum += std::pow(static_cast<double>(a[i]) - b[i], 2);
    }
    return std::sqrt(sum) / (1e-12 + Norm(b));
}

/// Batches of different sizes, one of them empty.
std::vector<DeviceStep>
MakeSteps(double clip)
{
    std::vector<DeviceStep> steps;
    std::uint32_t next = 0;
    for (const std::size_t size : {5U, 0U, 9U, 1U})
    {
        DeviceStep step;
        step.clip = clip;
        for (std::size_t i = 0; i < size; ++i)
        {
            step.examples.push_back(next++ * 7 % 20);
        }
        steps.push_back(step);
    }
    return steps;
}

/// The sums and results of a device round are those of the native engine, node by node.
void
ExpectNativeGradients(const ModelSpec& model, double clip)
{
    const auto images =
        MakeTestImages(model.Shapes().front(), 20, 70, static_cast<std::uint32_t>(model.Classes()));
    HostExecutor executor;
    DeviceRound round(model, *images, executor);
    const std::vector<DeviceStep> steps = MakeSteps(clip);
    HostStates states(executor, model, steps.size());
    for (int repeat = 0; repeat < 3; ++repeat)
    {
        const std::vector<BatchResult> results =
            round.Step(states.Data(), steps.data(), steps.size());
        for (std::size_t node = 0; node < steps.size(); ++node)
        {
            const auto& batch = steps[node].examples;
            const Gradient native =
                Compute("native", model, states.Host(node), images->train, batch, clip);
            EXPECT_LT(Distance(states.Row(round.Sums(), node), native.sum), 1e-5)
                << model.Name() << ", node " << node;
            EXPECT_EQ(results[node].size, native.result.size);
            EXPECT_EQ(results[node].clipped, native.result.clipped);
            EXPECT_NEAR(results[node].lossSum,
                        native.result.lossSum,
                        1e-5 * (1.0 + native.result.lossSum));
            EXPECT_NEAR(results[node].normSum,
                        native.result.normSum,
                        1e-5 * (1.0 + native.result.normSum));
        }
    }
    const std::vector<Evaluation> evaluations =
        round.Evaluate(states.Data(), steps.size(), Evaluation::ALL);
    for (std::size_t node = 0; node < steps.size(); ++node)
    {
        const Evaluation native =
            MakeGradientEngine("native", model)
                ->Evaluate(states.Host(node).data(), images->test, 0, images->test.Size());
        EXPECT_EQ(evaluations[node].correct, native.correct);
        EXPECT_EQ(evaluations[node].size, native.size);
        EXPECT_NEAR(evaluations[node].lossSum, native.lossSum, 1e-5 * native.lossSum);
    }
}

TEST(DeviceNetwork, GradientsAreThoseOfTheNativeEngine)
{
    for (const char* name : {"softmax-regression", "mlp", "cnn-s"})
    {
        const ModelSpec model = MakeModel(name, {1, 28, 28}, 10);
        ExpectNativeGradients(model, NO_CLIP);
        ExpectNativeGradients(model, 0.7);
    }
}

TEST(DeviceNetwork, GradientsOfRandomChainsAreThoseOfTheNativeEngine)
{
    for (std::uint32_t seed = 1; seed <= 60; ++seed)
    {
        ExpectNativeGradients(RandomChain(seed).Make(), seed % 2 == 0 ? 0.5 : NO_CLIP);
    }
}

/// An example whose gradient is not finite is left out, whatever it left behind on its way.
TEST(DeviceNetwork, LeavesOutWhatIsNotFinite)
{
    for (const char* name : {"mlp", "cnn-s"})
    {
        const ModelSpec model = MakeModel(name, {1, 28, 28}, 10);
        const auto images = MakeTestImages({1, 28, 28}, 20, 10);
        HostExecutor executor;
        DeviceRound round(model, *images, executor);
        const std::vector<DeviceStep> steps = MakeSteps(0.7);
        HostStates states(executor, model, steps.size());
        for (std::size_t node = 0; node < steps.size(); ++node)
        {
            const float bad = node == 2 ? std::numeric_limits<float>::quiet_NaN() : 3e38F;
            states.Host(node)[17 + node] = bad;
        }
        states.Send();
        const std::vector<BatchResult> results =
            round.Step(states.Data(), steps.data(), steps.size());
        for (std::size_t node = 0; node < steps.size(); ++node)
        {
            const auto& batch = steps[node].examples;
            const Gradient native =
                Compute("native", model, states.Host(node), images->train, batch, 0.7);
            EXPECT_LT(Distance(states.Row(round.Sums(), node), native.sum), 1e-5) << node;
            EXPECT_EQ(results[node].clipped, native.result.clipped);
        }
    }
}

} // namespace
} // namespace dpdl
