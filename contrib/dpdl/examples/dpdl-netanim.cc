// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * Records a run for NetAnim: dpdl-netanim.xml contains the packets between the nodes. Each node's
 * colour changes from red to green with the accuracy of its model.
 */

#include "ns3/core-module.h"
#include "ns3/dpdl-helper.h"
#include "ns3/mobility-module.h"
#include "ns3/netanim-module.h"
#include "ns3/network-module.h"

#include <cmath>

using namespace ns3;

namespace
{

/// Gives a node the colour of an accuracy in [0, 1]: red for 0, yellow for 0.5, green for 1.
void
Colour(AnimationInterface& animation, Ptr<Node> node, double accuracy)
{
    const auto shade = [](double part) {
        return static_cast<uint8_t>(std::lround(255.0 * std::min(1.0, 2.0 * part)));
    };
    animation.UpdateNodeColor(node, shade(1.0 - accuracy), shade(accuracy), 0);
}

} // namespace

int
main(int argc, char* argv[])
{
    CommandLine cmd(__FILE__);
    cmd.Usage(
        "Writes dpdl-netanim.xml for NetAnim: nodes coloured by the accuracy of their model.");
    cmd.Parse(argc, argv);

    NodeContainer nodes(6);
    MobilityHelper mobility;
    mobility.SetPositionAllocator("ns3::UniformDiscPositionAllocator", "rho", DoubleValue(40.0));
    mobility.Install(nodes);

    DpdlHelper dpdl;
    dpdl.Set("model", "softmax-regression");
    dpdl.Set("samples", "1200");
    dpdl.Set("testSamples", "200");
    dpdl.Set("batchSize", "20");
    dpdl.Set("rounds", "10");
    dpdl.Set("epsilon", "8");
    dpdl.Set("evaluateEvery", "1");
    dpdl.Set("topology", "ring");
    dpdl.Set("network", "packet");
    dpdl.Set("trace", "dpdl-netanim.db");
    dpdl.Set("overwrite", "true");
    dpdl.Install(nodes);

    AnimationInterface animation("dpdl-netanim.xml"); // after Install(), which creates the links
    dpdl.Experiment().Recorder().SetStepCallback([&](const ::dpdl::NodeJob& job) {
        if (job.evaluate)
        {
            Colour(animation, nodes.Get(job.node), job.evaluation.Accuracy());
        }
    });

    Simulator::Stop(Seconds(10)); // NetAnim polls positions indefinitely
    Simulator::Run();
    const bool complete = dpdl.Finish();
    dpdl.PrintResult(std::cout);
    Simulator::Destroy();
    return complete ? 0 : 1;
}
