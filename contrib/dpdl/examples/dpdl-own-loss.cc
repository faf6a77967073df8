// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * Custom models of message loss: ns3::BurstErrorModel on all links except 0->1 or, with option
 * `--satellite`, a class that decides for each message whether it is lost.
 */

#include "ns3/core-module.h"
#include "ns3/dpdl-helper.h"
#include "ns3/network-module.h"

#include <cstdio>

using namespace ns3;

namespace
{

/// Loss model of a satellite: messages from and to node 0 are lost in the second half of every
/// period.
class EclipseLoss : public DpdlLossModel
{
  public:
    /// @param period time from one eclipse to the next
    explicit EclipseLoss(Time period)
        : m_period(period)
    {
    }

  private:
    bool DoIsLost(const ::dpdl::Share& share, Ptr<const Packet>) override
    {
        const bool isSatellite = share.source == 0 || share.target == 0;
        return isSatellite && Rem(Simulator::Now(), m_period) >= m_period / 2;
    }

    Time m_period; //!< time from one eclipse to the next
};

} // namespace

int
main(int argc, char* argv[])
{
    bool isSatellite = false;
    CommandLine cmd(__FILE__);
    cmd.Usage("Six nodes whose messages are lost in bursts, or in the eclipses of a satellite.");
    cmd.AddValue("satellite", "node 0 is a satellite", isSatellite);
    cmd.Parse(argc, argv);

    NodeContainer nodes(6);

    DpdlHelper dpdl;
    dpdl.Set("model", "softmax-regression");
    dpdl.Set("samples", "1200");
    dpdl.Set("testSamples", "500");
    dpdl.Set("batchSize", "20");
    dpdl.Set("rounds", "30");
    dpdl.Set("epsilon", "8");
    dpdl.Set("trace", "dpdl-own-loss.db");
    dpdl.Set("overwrite", "true");
    if (isSatellite)
    {
        dpdl.SetLossModel(CreateObject<EclipseLoss>(Seconds(1)));
    }
    else
    {
        Ptr<DpdlErrorModelLoss> loss =
            dpdl.SetLossModel("ns3::BurstErrorModel", "ErrorRate", DoubleValue(0.1));
        loss->SetErrorModel(0, 1, nullptr); // no loss on this link
    }
    dpdl.Install(nodes);

    Simulator::Run();
    const bool complete = dpdl.Finish();
    dpdl.PrintResult(std::cout);
    std::printf("lost: %.2f of %u in sum\n", dpdl.Experiment().Mass().Lost(), nodes.GetN());
    Simulator::Destroy();
    return complete ? 0 : 1;
}
