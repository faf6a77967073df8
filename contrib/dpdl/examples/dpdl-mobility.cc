// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * Moving nodes: each node sends to the nodes that are within range at the start of a round. During
 * part of the run, nodes in a circle in the middle of the area have no links.
 */

#include "ns3/core-module.h"
#include "ns3/dpdl-failure-helper.h"
#include "ns3/dpdl-helper.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    CommandLine cmd(__FILE__);
    cmd.Usage("Nodes that move send to those within reach; a place has no reception for a while.");
    cmd.Parse(argc, argv);

    NodeContainer nodes(10);
    MobilityHelper mobility;
    const std::string side = "ns3::UniformRandomVariable[Min=0|Max=400]";
    mobility.SetPositionAllocator("ns3::RandomRectanglePositionAllocator",
                                  "X",
                                  StringValue(side),
                                  "Y",
                                  StringValue(side));
    mobility.SetMobilityModel("ns3::RandomWalk2dMobilityModel",
                              "Bounds",
                              RectangleValue(Rectangle(0, 400, 0, 400)),
                              "Distance",
                              DoubleValue(50));
    mobility.Install(nodes);
    mobility.AssignStreams(nodes, 100);

    DpdlHelper dpdl;
    dpdl.Set("model", "softmax-regression");
    dpdl.Set("samples", "1000");
    dpdl.Set("testSamples", "200");
    dpdl.Set("batchSize", "20");
    dpdl.Set("rounds", "30");
    dpdl.Set("topology", "mobility:150");
    dpdl.Set("trace", "dpdl-mobility.db");
    dpdl.Set("overwrite", "true");
    DpdlFailureHelper failures;
    failures.Add("region center=(200,200) radius=120 down at 500ms for 1s");
    dpdl.SetFailures(failures);
    dpdl.Install(nodes);

    Simulator::Stop(Seconds(5)); // the mobility model schedules events indefinitely
    Simulator::Run();
    const bool complete = dpdl.Finish();
    dpdl.PrintResult(std::cout);
    Simulator::Destroy();
    return complete ? 0 : 1;
}
