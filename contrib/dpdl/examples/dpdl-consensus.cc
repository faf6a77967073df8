// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "ns3/core-module.h"
#include "ns3/dpdl-helper.h"
#include "ns3/network-module.h"

#include <cmath>
#include <cstdio>
#include <vector>

using namespace ns3;

namespace
{

/// Sets every parameter of node i to i. Returns the average over the nodes, to which every
/// parameter of every node must converge.
double
StartApart(::dpdl::Experiment& experiment, uint32_t nodes)
{
    const std::size_t size = experiment.Parameters().Acquire()->Size();
    for (uint32_t i = 0; i < nodes; ++i)
    {
        const std::vector<float> own(size, static_cast<float>(i));
        experiment.At(i).Start(experiment.Parameters().AcquireCopy(own.data()));
    }
    return (nodes - 1) / 2.0;
}

/// Root mean square difference between a node's parameter and @p average, over all parameters of
/// all nodes.
double
ErrorOf(::dpdl::Experiment& experiment, uint32_t nodes, double average)
{
    double squares = 0.0;
    std::size_t values = 0;
    for (uint32_t i = 0; i < nodes; ++i)
    {
        const ::dpdl::ParameterVector& z = *experiment.At(i).State();
        for (std::size_t k = 0; k < z.Size(); ++k)
        {
            squares += std::pow(z.Data()[k] - average, 2.0);
        }
        values += z.Size();
    }
    return std::sqrt(squares / static_cast<double>(values));
}

} // namespace

int
main(int argc, char* argv[])
{
    uint32_t count = 8;
    CommandLine cmd(__FILE__);
    cmd.Usage("Eight nodes average their vectors with DPPS, without learning.");
    cmd.AddValue("nodes", "number of nodes", count);
    cmd.Parse(argc, argv);

    NodeContainer nodes(count);

    // The nodes do not learn: they average their initial parameter vectors, and add Laplace noise
    // to their states in every round.
    DpdlHelper dpdl;
    dpdl.Set("algorithm", "dpps");
    dpdl.Set("hyper", "perturb=0,initialNorm=1,bound=1,decay=0.5,noiseRate=0.00001");
    dpdl.Set("mode", "paper");
    dpdl.Set("model", "softmax-regression");
    dpdl.Set("dataset", "blobs");
    dpdl.Set("samples", "160");
    dpdl.Set("testSamples", "10");
    dpdl.Set("rounds", "12");
    dpdl.Set("epsilon", "1");
    dpdl.Set("evaluateEvery", "0");
    dpdl.Set("trace", "dpdl-consensus.db");
    dpdl.Set("overwrite", "true");
    dpdl.Install(nodes);

    ::dpdl::Experiment& experiment = dpdl.Experiment();
    const double average = StartApart(experiment, count);
    std::printf("round  sensitivity  epsilon claimed\n");
    experiment.Recorder().SetProgressCallback([&](const ::dpdl::Progress& progress) {
        std::printf("%5u  %11.4g  %15.4g\n",
                    progress.round,
                    progress.sensitivity,
                    experiment.Plan().ClaimedEpsilon(0, progress.round));
    });
    Simulator::Run();
    const bool complete = dpdl.Finish();
    dpdl.PrintResult(std::cout);
    std::printf("error of the average: %.4g of %.4g; certified epsilon: inf, because the scale of "
                "the noise is found from what it hides\n",
                ErrorOf(experiment, count, average),
                average);
    Simulator::Destroy();
    return complete ? 0 : 1;
}
