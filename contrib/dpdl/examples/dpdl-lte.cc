// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * Phones in an LTE cell: a share travels to the base station, through the core network, and back
 * through the base station to its receiver.
 */

#include "ns3/core-module.h"
#include "ns3/dpdl-helper.h"
#include "ns3/internet-module.h"
#include "ns3/lte-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    double distance = 200.0;
    CommandLine cmd(__FILE__);
    cmd.Usage("Phones in a cell of LTE: shares go up to the base station, and down again.");
    cmd.AddValue("distance", "metres from the base station to the phones", distance);
    cmd.Parse(argc, argv);

    // A share of 31 kB exceeds the default transmission buffer of a radio bearer, 10 kB.
    Config::SetDefault("ns3::LteRlcUm::MaxTxBufferSize", UintegerValue(1 << 20));
    NodeContainer station(1);
    NodeContainer phones(4);
    MobilityHelper mobility;
    mobility.Install(station);
    for (uint32_t i = 0; i < phones.GetN(); ++i)
    {
        const double angle = 2.0 * M_PI * i / phones.GetN();
        auto place = CreateObject<ConstantPositionMobilityModel>();
        place->SetPosition({distance * std::cos(angle), distance * std::sin(angle), 1.5});
        phones.Get(i)->AggregateObject(place);
    }

    auto core = CreateObject<PointToPointEpcHelper>();
    auto lte = CreateObject<LteHelper>();
    lte->SetEpcHelper(core);
    const NetDeviceContainer cell = lte->InstallEnbDevice(station);
    const NetDeviceContainer radios = lte->InstallUeDevice(phones);
    InternetStackHelper().Install(phones);
    core->AssignUeIpv4Address(radios);
    for (uint32_t i = 0; i < phones.GetN(); ++i)
    {
        Ipv4StaticRoutingHelper()
            .GetStaticRouting(phones.Get(i)->GetObject<Ipv4>())
            ->SetDefaultRoute(core->GetUeDefaultGatewayAddress(), 1);
        lte->Attach(radios.Get(i), cell.Get(0));
    }

    DpdlHelper dpdl;
    dpdl.Set("model", "softmax-regression");
    dpdl.Set("samples", "1200");
    dpdl.Set("testSamples", "200");
    dpdl.Set("batchSize", "20");
    dpdl.Set("rounds", "16");
    dpdl.Set("topology", "ring");
    dpdl.Set("network", "packet");
    dpdl.Set("deadline", "500ms");
    dpdl.Set("trace", "dpdl-lte.db");
    dpdl.Set("overwrite", "true");
    // Phones attach to the base station before the run starts.
    dpdl.Install(phones).Start(MilliSeconds(300));

    Simulator::Stop(Seconds(20));
    Simulator::Run();
    const bool complete = dpdl.Finish();
    dpdl.PrintResult(std::cout);
    Simulator::Destroy();
    return complete ? 0 : 1;
}
