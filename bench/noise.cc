// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * Noise: what a step adds and the update with it, against LibTorch's generators that only fill a
 * tensor. One thread, processor time.
 */

#include "dpdl/base/noise-source.h"
#include "dpdl/training/parameters.h"
#include "harness/bandwidth.h"
#include "harness/run-bench.h"

#include <torch/torch.h>

namespace
{

using namespace dpdl;

constexpr RandomSeed SEED{1, 1};

/// Ways to make d random numbers, each on its own memory.
class NoiseCase
{
  public:
    NoiseCase(const BenchRequest& request, std::size_t dimension)
        : m_dimension(dimension),
          m_pool(dimension),
          m_gradient(dimension, 0.0),
          m_tensor(torch::zeros({static_cast<std::int64_t>(dimension)})),
          m_normals(dimension),
          m_bandwidth(2 * sizeof(float) * dimension),
          m_benchmark(request.Rules(4.0))
    {
        m_state = m_pool.AcquireCopy(m_normals.data());
    }

    void Report(BenchReport& report)
    {
        const std::size_t update = m_benchmark.Add([this]() { Update(*m_normal); });
        const std::size_t add = m_benchmark.Add([this]() { AddNoise(*m_normal); });
        const std::size_t laplace = m_benchmark.Add([this]() { AddNoise(*m_laplace); });
        const std::size_t fill = m_benchmark.Add([this]() { Fill(); });
        const std::size_t scaled = m_benchmark.Add([this]() { m_bandwidth.AddScaled(); });
        const std::size_t torchNormal = m_benchmark.Add([this]() { m_tensor.normal_(); });
        const std::size_t torchExponential = m_benchmark.Add([this]() { m_tensor.exponential_(); });
        m_benchmark.Run();
        BenchRow& row = AddRow(report, "normal noise and update", update);
        AddFloors(row, fill, scaled);
        row.AddPeer("LibTorch normal_", m_benchmark.Seconds(torchNormal), NormalGoal());
        BenchRow& alone = AddRow(report, "normal noise added", add);
        AddFloors(alone, fill, scaled);
        alone.AddPeer("LibTorch normal_", m_benchmark.Seconds(torchNormal));
        BenchRow& other = AddRow(report, "Laplace noise added", laplace);
        AddFloors(other, fill, scaled);
        other.AddPeer("LibTorch exponential_", m_benchmark.Seconds(torchExponential), 8.0);
    }

  private:
    BenchRow& AddRow(BenchReport& report, const std::string& what, std::size_t work) const
    {
        return report.AddRow(what + ", d = " + std::to_string(m_dimension),
                             {"M/s", static_cast<double>(m_dimension) / 1e6, true},
                             m_benchmark.Seconds(work));
    }

    void AddFloors(BenchRow& row, std::size_t fill, std::size_t scaled) const
    {
        row.AddFloor("normals alone, into a buffer", m_benchmark.Seconds(fill));
        row.AddFloor("memory alone: y += a x", m_benchmark.Seconds(scaled));
    }

    /// What the issue of speed asks for depends on the vector instructions.
    static double NormalGoal()
    {
#if defined(__x86_64__)
        if (__builtin_cpu_supports("avx512f") != 0)
        {
            return 4.0;
        }
        return __builtin_cpu_supports("avx2") != 0 ? 2.0 : 0.0;
#else
        return 0.0;
#endif
    }

    void AddNoise(const NoiseSource& source)
    {
        source.AddNoise(m_gradient.data(), m_dimension, {1.0, 0.0, 1.0}, 0, m_round++);
    }

    void Update(const NoiseSource& source)
    {
        source.AddNoisyStep(m_state->Data(),
                            m_gradient.data(),
                            m_dimension,
                            {1.0, 0.0, 1.0},
                            -1e-3F,
                            0,
                            m_round++);
    }

    void Fill()
    {
        const RandomStream stream(SEED, RandomPurpose::TEST, 0, m_round++);
        stream.FillNormal(m_normals.data(), m_dimension);
    }

    std::size_t m_dimension;        ///< d
    ParameterPool m_pool;           ///< where the state is from
    ParameterHandle m_state;        ///< what is updated
    std::vector<double> m_gradient; ///< what noise is added to
    torch::Tensor m_tensor;         ///< LibTorch's
    std::vector<float> m_normals;   ///< numbers without a use
    BandwidthWork m_bandwidth;      ///< what memory can do
    std::shared_ptr<const NoiseSource> m_normal{MakeNoiseSource("philox", SEED)};
    std::shared_ptr<const NoiseSource> m_laplace{MakeNoiseSource("laplace", SEED)};
    dpdl::Round m_round{0};           ///< streams used
    InterleavedBenchmark m_benchmark; ///< all, round-robin
};

void
MeasureNoise(const BenchRequest& request, BenchReport& report)
{
    torch::set_num_threads(1);
    for (const std::size_t dimension : {std::size_t{26010}, std::size_t{1000000}})
    {
        NoiseCase noise(request, dimension);
        noise.Report(report);
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    return RunBench({"noise",
                     "Random numbers a second: the noise of a step and its update, against "
                     "LibTorch's generators.",
                     {},
                     MeasureNoise},
                    {argv + 1, argv + argc});
}
