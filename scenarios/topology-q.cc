// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * How much of what a topology and its losses cost does q explain? The same learning over several
 * graphs, each with several loss rates.
 */

#include "ns3/dpdl-campaign.h"

using ns3::DpdlCampaign;

int
main(int argc, char* argv[])
{
    DpdlCampaign campaign("topology-q",
                          "graphs and loss rates: accuracy and agreement against q",
                          {{"algorithm", "sgp"},
                           {"model", "softmax-regression"},
                           {"samples", "20000"},
                           {"testSamples", "2000"},
                           {"partition", "by-class:2"},
                           {"stepSize", "0.1"},
                           {"qWindow", "20"},
                           {"evaluateEvery", "20"},
                           {"accountant", "rdp"}});
    DpdlCampaign::Items topologies;
    campaign.AddList(
        {"topologies",
         "topology",
         "graphs to compare",
         {"complete", "exponential", "out-degree:4", "ring", "star", "lollipop", "random:0.2"},
         {"complete",
          "exponential",
          "alternating-exponential",
          "exponential-peers:2",
          "out-degree:4",
          "ring",
          "undirected-ring",
          "star",
          "lollipop",
          "random:0.2",
          "random-peer"}},
        topologies);
    DpdlCampaign::Items losses;
    campaign.AddList({"losses",
                      "drop",
                      "loss rates of every link",
                      {"0", "0.1", "0.3", "0.5"},
                      {"0", "0.02", "0.05", "0.1", "0.2", "0.3", "0.4", "0.5"}},
                     losses);
    return campaign.Main(argc, argv, [&] {
        for (const auto& factors :
             DpdlCampaign::Crossed({{"topology", topologies}, {"drop", losses}}))
        {
            campaign.Add(factors);
        }
    });
}
