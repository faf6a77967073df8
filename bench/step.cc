// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * What one private step of one node costs: draw a batch, clip the gradient of each example, add
 * noise, update. One thread, processor time.
 *
 * The floor is the time of the products that no gradient can do without, at the rate of the largest
 * product that was measured in the same repetition, and of the noise alone.
 */

#include "harness/gemm.h"
#include "harness/node-work.h"
#include "harness/plain-torch.h"
#include "harness/python-peers.h"
#include "harness/run-bench.h"

#include <algorithm>
#include <iostream>

namespace
{

using namespace dpdl;

constexpr double NO_LIMIT = std::numeric_limits<double>::infinity();

/// A network and what is asked of it.
struct Case
{
    std::string model; ///< a name of `list models`
    std::size_t batch; ///< examples
    bool byDefault;    ///< measured if no model is named
    bool plain;        ///< LibTorch's loop knows it
    double floor;      ///< largest ratio to the floor
    double bestPeer;   ///< least times as fast as the best private peer
    double ghost;      ///< least times as fast as Opacus with ghost clipping
    double plainTime;  ///< largest ratio to the time of LibTorch's loop
};

const std::vector<Case> CASES{
    {"mlp", 64, true, true, 1.5, 8.0, 12.0, NO_LIMIT},
    {"cnn-s", 64, true, true, 1.3, 3.5, 0.0, 0.55},
    {"cnn-m", 64, true, true, 1.0, 2.0, 0.0, 1.1},
    {"resnet-18", 16, true, true, NO_LIMIT, 0.0, 0.0, 1.5},
    {"vit-s", 16, false, false, NO_LIMIT, 0.0, 0.0, NO_LIMIT},
};

/// All workloads of one network, timed round-robin.
class StepCase
{
  public:
    StepCase(const BenchRequest& request, const Case& which)
        : m_case(which),
          m_request(request),
          m_model(BenchModel(which.model)),
          m_gemms(GradientGemms(m_model, which.batch)),
          m_normals(m_model.ParameterCount()),
          m_benchmark(request.Rules(5.0)),
          m_slow(request.Rules(3.0))
    {
        m_ours = AddNode(m_benchmark, "auto", Clipping::EXAMPLE);
        m_batchClip = AddNode(m_benchmark, "auto", Clipping::BATCH);
        m_oursBesideLoop = AddNode(m_slow, "auto", Clipping::EXAMPLE);
        m_loop = AddNode(m_slow, "libtorch-loop", Clipping::EXAMPLE);
        if (which.plain)
        {
            m_plain = std::make_unique<PlainTorchStep>(which.model, which.batch);
            m_plainStep = m_benchmark.Add([this]() { m_plain->Run(); });
        }
        m_peak = m_benchmark.Add([this]() { m_peakWork.Run(); });
        m_noise = m_benchmark.Add([this]() {
            const RandomStream stream({1, 1}, RandomPurpose::TEST, 0, m_draws++);
            stream.FillNormal(m_normals.data(), m_normals.size());
        });
        if (!m_gemms.empty())
        {
            m_realWork = std::make_unique<GemmWork>(m_gemms);
            m_real = m_benchmark.Add([this]() { m_realWork->Run(); });
        }
    }

    /// Ours before and after the peers in Python, which run between the two.
    void Measure(const PythonPeers& python)
    {
        m_benchmark.Run();
        const std::size_t repeats = m_request.repeats;
        m_peers = python.Run("step_peers.py",
                             {"--model=" + m_case.model,
                              "--batch=" + std::to_string(m_case.batch),
                              "--repeats=" + std::to_string(repeats),
                              "--parameters=" + std::to_string(m_model.ParameterCount())});
        m_benchmark.Run();
        m_slow.Run();
    }

    void Report(BenchReport& report) const
    {
        BenchRow& row = report.AddRow(m_case.model + ", batch " + std::to_string(m_case.batch) +
                                          ": private step (" + ResolveEngine("auto", m_model) + ")",
                                      Milliseconds(),
                                      m_benchmark.Seconds(m_ours));
        AddFloors(row);
        row.AddVariant("same engine, the batch clipped as one",
                       m_benchmark.Seconds(m_batchClip),
                       1.1);
        if (m_plain)
        {
            row.AddVariant("LibTorch, plain SGD, not private",
                           m_benchmark.Seconds(m_plainStep),
                           m_case.plainTime);
        }
        row.AddPeer("LibTorch, a backward pass for each example", LoopSeconds());
        AddPythonPeers(row, report);
    }

  private:
    std::size_t AddNode(InterleavedBenchmark& benchmark,
                        const std::string& engine,
                        Clipping clipping)
    {
        m_nodes.push_back(std::make_unique<NodeWork>(
            NodeWork::Options{m_case.model, engine, 1, m_case.batch, 1, clipping}));
        NodeWork* node = m_nodes.back().get();
        return benchmark.Add([node]() { node->Step(); });
    }

    void AddFloors(BenchRow& row) const
    {
        if (m_gemms.empty())
        {
            return;
        }
        const double share = TotalFlop(m_gemms) / PeakGemm().Flop();
        const Measurement& noise = m_benchmark.Seconds(m_noise);
        row.AddFloor("floor: its products at the rate of 1024^3, noise",
                     Sum(noise, m_benchmark.Seconds(m_peak), share),
                     m_case.floor);
        row.AddVariant("its products alone, as sgemm does them, and noise",
                       Sum(noise, m_benchmark.Seconds(m_real), 1.0));
    }

    /// The loop's time, as if measured beside those that it is compared with.
    Measurement LoopSeconds() const
    {
        const Measurement ratio = Ratios(m_slow.Seconds(m_loop), m_slow.Seconds(m_oursBesideLoop));
        Measurement seconds;
        for (const double value : ratio.Values())
        {
            seconds.Add(value * m_benchmark.Seconds(m_ours).Median());
        }
        return seconds;
    }

    void AddPythonPeers(BenchRow& row, BenchReport& report) const
    {
        const PeerResult* best = nullptr;
        for (const PeerResult& peer : m_peers)
        {
            if (!peer.trouble.empty())
            {
                report.AddNote(m_case.model + ", " + peer.name + ": " + peer.trouble);
                continue;
            }
            const bool ghost = peer.name.find("ghost") != std::string::npos;
            row.AddPeer(peer.name + (peer.isPrivate ? "" : ", not private"),
                        peer.seconds,
                        ghost ? m_case.ghost : 0.0);
            if (peer.isPrivate &&
                (best == nullptr || peer.seconds.Median() < best->seconds.Median()))
            {
                best = &peer;
            }
        }
        if (best != nullptr)
        {
            row.AddPeer("best private peer: " + best->name, best->seconds, m_case.bestPeer);
        }
    }

    Case m_case;                                    ///< what is measured
    const BenchRequest& m_request;                  ///< how
    ModelSpec m_model;                              ///< the network
    std::vector<GemmShape> m_gemms;                 ///< its products; none for LibTorch's networks
    std::vector<float> m_normals;                   ///< noise
    dpdl::Round m_draws{0};                         ///< streams of noise used
    InterleavedBenchmark m_benchmark;               ///< all but the loop
    InterleavedBenchmark m_slow;                    ///< ours and the loop
    GemmWork m_peakWork{{PeakGemm()}};              ///< the peak
    std::unique_ptr<GemmWork> m_realWork;           ///< the products as they are
    std::unique_ptr<PlainTorchStep> m_plain;        ///< LibTorch's loop
    std::vector<std::unique_ptr<NodeWork>> m_nodes; ///< ours
    std::vector<PeerResult> m_peers;                ///< those in Python
    std::size_t m_ours{0};                          ///< numbers of the contestants
    std::size_t m_batchClip{0};
    std::size_t m_oursBesideLoop{0};
    std::size_t m_loop{0};
    std::size_t m_plainStep{0};
    std::size_t m_peak{0};
    std::size_t m_noise{0};
    std::size_t m_real{0};
};

void
MeasureRates(const BenchRequest& request, BenchReport& report)
{
    GemmWork work({PeakGemm()});
    InterleavedBenchmark benchmark(request.Rules(1.0));
    benchmark.Add([&work]() { work.Run(); });
    benchmark.Run();
    report.AddRow("sgemm of 1024^3: the peak of one thread",
                  {"GFLOP/s", PeakGemm().Flop() / 1e9, true},
                  benchmark.Seconds(0));
}

void
MeasureSteps(const BenchRequest& request, BenchReport& report)
{
    std::vector<std::string> known;
    for (const Case& which : CASES)
    {
        known.push_back(which.model);
    }
    request.CheckModels(known);
    const PythonPeers python(request.quick && request.python.empty() ? "off" : request.python);
    if (python.Program().empty() && request.python != "off" && !request.quick)
    {
        report.AddNote("no python3: no peers in Python");
    }
    MeasureRates(request, report);
    for (const Case& which : CASES)
    {
        const bool isWanted = request.models.empty() ? which.byDefault : request.Wants(which.model);
        if (!isWanted || (request.quick && request.models.empty() && which.model != "mlp"))
        {
            continue;
        }
        std::cerr << "bench step: " << which.model << std::endl;
        StepCase step(request, which);
        step.Measure(python);
        step.Report(report);
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    return RunBench({"step",
                     "What a private step of one node costs, against the floor of this machine and "
                     "against other libraries.",
                     {"model", "python"},
                     MeasureSteps},
                    {argv + 1, argv + argc});
}
