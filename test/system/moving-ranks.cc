// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// A script of a user's own for several ranks: nodes that move, who send to those within reach when
// a round begins. Its argument is the name of the trace.

#include "ns3/core-module.h"
#include "ns3/dpdl-helper.h"
#include "ns3/dpdl-ranks.h"
#include "ns3/mobility-module.h"

#include <cmath>

using namespace ns3;

namespace
{

/// Every node crosses the others' ways at a speed of its own.
void
LetMove(const NodeContainer& nodes)
{
    MobilityHelper mobility;
    mobility.SetMobilityModel("ns3::ConstantVelocityMobilityModel");
    mobility.Install(nodes);
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const double angle = 2.4 * i;
        const auto model = nodes.Get(i)->GetObject<ConstantVelocityMobilityModel>();
        model->SetPosition({100.0 * std::cos(angle), 100.0 * std::sin(angle), 0.0});
        model->SetVelocity({-(400.0 + 70.0 * i) * std::cos(angle), -500.0 * std::sin(angle), 0.0});
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    DpdlRanks ranks(argc, argv);
    const NodeContainer nodes = ranks.CreateNodes(9);
    LetMove(nodes);
    DpdlHelper dpdl;
    dpdl.SetRanks(ranks);
    dpdl.Set("algorithm", "sgp");
    dpdl.Set("model", "softmax-regression");
    dpdl.Set("dataset", "blobs");
    dpdl.Set("samples", "540");
    dpdl.Set("testSamples", "128");
    dpdl.Set("batchSize", "10");
    dpdl.Set("rounds", "20");
    dpdl.Set("topology", "mobility:90");
    dpdl.Set("compute", "fixed:10ms:heterogeneous=3");
    dpdl.Set("fail", "node {2,7} crash at 41ms recover 97ms");
    dpdl.Set("progress", "none");
    dpdl.Set("trace", argv[1]);
    dpdl.Install(nodes);
    Simulator::Run();
    const bool complete = dpdl.Finish();
    Simulator::Destroy();
    return complete ? 0 : 1;
}
