// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * A custom algorithm: a local step, a preset, and one call that registers it.
 *
 * Only the author can state the privacy properties of the step. With option `--argued`, the
 * algorithm is registered with such a statement. Without the statement no guarantee is certified,
 * for any noise standard deviation.
 */

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/trace/trace-reader.h"

#include "ns3/core-module.h"
#include "ns3/dpdl-helper.h"
#include "ns3/network-module.h"

#include <cstdio>

using namespace ns3;

namespace
{

/// Local step of gradient push with weight decay: z <- (1 - gamma lambda) z - gamma (S + N) / B. S
/// is the sum of the clipped gradients, N the privacy noise on this sum, B the expected batch size,
/// gamma the step size.
class DecayingStep : public ::dpdl::LocalStep
{
  public:
    explicit DecayingStep(double decay)
        : m_decay(decay)
    {
    }

    void Run(::dpdl::StepContext& context, ::dpdl::NodeJob& job) const override
    {
        const ::dpdl::LocalUpdate& update = job.update;
        const std::size_t count = job.state->Size();
        const ::dpdl::Batch batch = context.Draw(job, 0);
        const ::dpdl::BoundedSum sum =
            context.ClippedSum(job, batch, job.state->Data(), ::dpdl::WholeGradientRule(job));
        float* const gradient = context.AddNoise(sum, job, 0);
        const auto pull = static_cast<float>(m_decay * update.divisor);
        for (std::size_t i = 0; i < count; ++i)
        {
            gradient[i] += pull * job.state->Data()[i];
        }
        ::dpdl::AddStep(update, gradient, *job.state);
    }

  private:
    double m_decay; ///< weight decay lambda
};

/// The algorithm that `Set("algorithm", "mine")` selects.
::dpdl::Algorithm
Mine()
{
    return {{{{"decay", 0.01, 0.0, 1.0, "lambda: what a step takes off the weights"}}},
            [](const ::dpdl::HyperParameters& hyper) {
                ::dpdl::AlgorithmPreset preset;
                preset.isPrivate = true;
                preset.stepSize = 0.5;
                preset.clip = 2.0;
                preset.step = std::make_shared<DecayingStep>(hyper["decay"]);
                return preset;
            }};
}

/// Prints the certified guarantee of node 0, or the reason if there is none. @param trace path of
/// the run's trace
void
Report(const std::string& trace)
{
    const ::dpdl::TraceReader reader(trace);
    reader.ReadGuarantees(4, [](const ::dpdl::GuaranteeByNode& row) {
        if (row.node == 0)
        {
            std::printf("certified epsilon: %g%s%s\n",
                        row.certified,
                        row.reason.empty() ? "" : "; ",
                        std::string(row.reason).c_str());
        }
    });
}

} // namespace

int
main(int argc, char* argv[])
{
    bool isArgued = false;
    CommandLine cmd(__FILE__);
    cmd.Usage("Defines its own local step, registers it as algorithm 'mine' and runs it.");
    cmd.AddValue("argued", "say why the step is private, so that it can be certified", isArgued);
    cmd.Parse(argc, argv);

    ::dpdl::RegisterAlgorithm({"mine", "gradient push whose weights decay"},
                              Mine(),
                              isArgued ? "every example's gradient is clipped before the noise is "
                                         "added, and the decay only reads the node's z, which is "
                                         "made of noisy gradients"
                                       : "");

    NodeContainer nodes(4);

    DpdlHelper dpdl;
    dpdl.Set("algorithm", "mine");
    dpdl.Set("hyper", "decay=0.02");
    dpdl.Set("model", "softmax-regression");
    dpdl.Set("samples", "800");
    dpdl.Set("testSamples", "200");
    dpdl.Set("batchSize", "20");
    dpdl.Set("rounds", "20");
    dpdl.Set("epsilon", "8");
    dpdl.Set("trace", "dpdl-own-algorithm.db");
    dpdl.Set("overwrite", "true");
    dpdl.Install(nodes);

    Simulator::Run();
    const bool complete = dpdl.Finish();
    dpdl.PrintResult(std::cout);
    Report("dpdl-own-algorithm.db");
    Simulator::Destroy();
    return complete ? 0 : 1;
}
