// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "ns3/core-module.h"
#include "ns3/dpdl-helper.h"
#include "ns3/network-module.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    CommandLine cmd(__FILE__);
    cmd.Usage("Six nodes learn over links that lose 5 % of the messages.");
    cmd.Parse(argc, argv);

    NodeContainer nodes(6);

    DpdlHelper dpdl;
    dpdl.Set("model", "softmax-regression");
    dpdl.Set("samples", "1200");
    dpdl.Set("testSamples", "500");
    dpdl.Set("batchSize", "20");
    dpdl.Set("rounds", "30");
    dpdl.Set("epsilon", "8");
    dpdl.Set("drop", "0.05");
    dpdl.Set("trace", "dpdl-minimal.db");
    dpdl.Set("overwrite", "true");
    dpdl.Install(nodes);

    Simulator::Run();
    const bool complete = dpdl.Finish();
    dpdl.PrintResult(std::cout);
    Simulator::Destroy();
    return complete ? 0 : 1;
}
