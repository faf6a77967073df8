// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * The arithmetic of a round of gossip: every node takes a weighted sum of some nodes' models. One
 * thread, processor time. The floor reads each model once and writes each result once, 8 n d bytes,
 * at the bandwidth of a copy of as many bytes that was measured in the same repetition.
 */

#include "dpdl/training/gossip.h"

#include "harness/bandwidth.h"
#include "harness/run-bench.h"

#include <torch/torch.h>

namespace
{

using namespace dpdl;

/// A round.
struct Case
{
    std::size_t nodes;     ///< n
    std::size_t dimension; ///< d
    std::size_t terms;     ///< models that a node sums, its own included
    double floor;          ///< largest ratio to the floor; infinity: none asked for
    double torchGoal;      ///< least times as fast as LibTorch; 0: none asked for
    bool large;            ///< needs some gigabytes
};

constexpr double NONE = std::numeric_limits<double>::infinity();
/// The floor of a size that a cache holds is no goal: there the copy is bound by instructions.
const std::vector<Case> CASES{
    {20, 24324, 2, NONE, 0.0, false},
    {20, 24324, 5, NONE, 0.0, false},
    {1000, 24324, 2, 3.5, 0.0, false},
    {1000, 24324, 10, 3.5, 2.0, false},
    {20, 1663370, 2, 2.0, 0.0, false},
    {20, 1663370, 5, 2.0, 2.0, false},
    {100, 1000000, 7, NONE, 2.0, true},
    {1000, 262144, 10, 3.5, 2.0, true},
};
/// Bytes of a copy that no cache holds: larger ones are not copied faster.
constexpr std::size_t COPY_BYTES = std::size_t{256} << 20;

/// The models of all nodes before and after a round.
class GossipCase
{
  public:
    explicit GossipCase(const Case& which)
        : m_case(which),
          m_pool(which.dimension),
          m_copy(std::min(COPY_BYTES, 2 * sizeof(float) * which.nodes * which.dimension))
    {
        const std::vector<float> ones(which.dimension, 1.0F);
        for (std::size_t node = 0; node < which.nodes; ++node)
        {
            m_before.push_back(m_pool.AcquireCopy(ones.data()));
            m_after.push_back(m_pool.AcquireCopy(ones.data()));
        }
        SetTerms();
    }

    void Report(const BenchRequest& request, BenchReport& report)
    {
        InterleavedBenchmark benchmark(request.Rules(6.0));
        const std::size_t ours = benchmark.Add([this]() { m_mix.Mix(m_rows); });
        const std::size_t rows = benchmark.Add([this]() { MixNodeByNode(); });
        const std::size_t copy = benchmark.Add([this]() { m_copy.Copy(); });
        const std::size_t stream = benchmark.Add([this]() { m_copy.StreamCopy(); });
        const std::size_t torchAdd = benchmark.Add([this]() { MixWithTorch(); });
        benchmark.Run();
        BenchRow& row = report.AddRow("n = " + std::to_string(m_case.nodes) +
                                          ", d = " + std::to_string(m_case.dimension) + ", " +
                                          std::to_string(m_case.terms) + " terms",
                                      Milliseconds(),
                                      benchmark.Seconds(ours));
        const Measurement& plain = benchmark.Seconds(copy);
        const Measurement& around = benchmark.Seconds(stream);
        const Measurement& fastest = plain.Median() < around.Median() ? plain : around;
        const double bytes = 2.0 * sizeof(float) * static_cast<double>(m_case.nodes) *
                             static_cast<double>(m_case.dimension);
        row.AddFloor("floor: 8 n d bytes at the rate of a copy",
                     Sum(Measurement({0.0}), fastest, bytes / m_copy.CopyBytes()),
                     m_case.floor);
        row.AddVariant("node by node", benchmark.Seconds(rows));
        row.AddPeer("LibTorch mul_out, add_", benchmark.Seconds(torchAdd), m_case.torchGoal);
    }

  private:
    /// Neighbours that are spread over the nodes, as on an exponential graph.
    std::size_t Source(std::size_t node, std::size_t term) const
    {
        return (node + (term == 0 ? 0 : (std::size_t{1} << (term - 1)))) % m_case.nodes;
    }

    void SetTerms()
    {
        m_terms.resize(m_case.nodes);
        for (std::size_t node = 0; node < m_case.nodes; ++node)
        {
            m_terms[node].resize(m_case.terms);
            for (std::size_t term = 0; term < m_case.terms; ++term)
            {
                m_terms[node][term].source = m_before[Source(node, term)];
                m_terms[node][term].coefficient = 1.0 / static_cast<double>(m_case.terms);
            }
            m_rows.push_back({&m_terms[node], m_after[node].get()});
        }
    }

    void MixNodeByNode()
    {
        for (std::size_t node = 0; node < m_case.nodes; ++node)
        {
            MixParameters(m_terms[node], *m_after[node]);
        }
    }

    torch::Tensor View(const ParameterHandle& handle) const
    {
        return torch::from_blob(handle->Data(), {static_cast<std::int64_t>(m_case.dimension)});
    }

    void MixWithTorch()
    {
        const double coefficient = 1.0 / static_cast<double>(m_case.terms);
        const torch::Scalar scalar(coefficient);
        for (std::size_t node = 0; node < m_case.nodes; ++node)
        {
            torch::Tensor out = View(m_after[node]);
            at::mul_out(out, View(m_before[node]), torch::scalar_tensor(coefficient));
            for (std::size_t term = 1; term < m_case.terms; ++term)
            {
                out.add_(View(m_before[Source(node, term)]), scalar);
            }
        }
    }

    Case m_case;                               ///< sizes
    ParameterPool m_pool;                      ///< where the models are from
    BandwidthWork m_copy;                      ///< what memory can do
    std::vector<ParameterHandle> m_before;     ///< by node
    std::vector<ParameterHandle> m_after;      ///< by node
    std::vector<std::vector<MixTerm>> m_terms; ///< by node
    std::vector<MixRow> m_rows;                ///< by node
    RoundMix m_mix;                            ///< of a whole round
};

void
MeasureBandwidth(const BenchRequest& request, BenchReport& report)
{
    const std::vector<std::pair<std::string, std::size_t>> sizes{
        {"512 KiB", std::size_t{512} << 10},
        {"8 MiB", std::size_t{8} << 20},
        {"256 MiB", COPY_BYTES}};
    for (const auto& [name, bytes] : sizes)
    {
        BandwidthWork work(bytes);
        InterleavedBenchmark benchmark(request.Rules(1.0));
        benchmark.Add([&work]() { work.Copy(); });
        benchmark.Add([&work]() { work.StreamCopy(); });
        benchmark.Add([&work]() { work.AddScaled(); });
        benchmark.Run();
        const std::string read = "reads and writes of " + name;
        report.AddRow("copy, " + read,
                      {"GB/s", work.CopyBytes() / 1e9, true},
                      benchmark.Seconds(0));
        report.AddRow("copy around the caches, " + read,
                      {"GB/s", work.CopyBytes() / 1e9, true},
                      benchmark.Seconds(1));
        report.AddRow("y += a x, " + read,
                      {"GB/s", work.AddScaledBytes() / 1e9, true},
                      benchmark.Seconds(2));
    }
}

void
MeasureGossip(const BenchRequest& request, BenchReport& report)
{
    torch::set_num_threads(1);
    torch::NoGradGuard guard;
    MeasureBandwidth(request, report);
    for (const Case& which : CASES)
    {
        if ((which.large && !request.large) || (request.quick && which.dimension > 30000))
        {
            continue;
        }
        GossipCase gossip(which);
        gossip.Report(request, report);
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    return RunBench({"gossip",
                     "The arithmetic of a round of gossip, against this machine's memory and "
                     "against LibTorch.",
                     {"large"},
                     MeasureGossip},
                    {argv + 1, argv + argc});
}
