// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * A question of one's own: what if the first nodes crash for good? One run with all of them, and
 * one for each number of nodes that are lost, each with several seeds.
 */

#include "ns3/dpdl-campaign.h"

int
main(int argc, char* argv[])
{
    ns3::DpdlCampaign campaign("dpdl-what-if",
                               "what if the first nodes crash for good?",
                               {{"model", "softmax-regression"},
                                {"samples", "3000"},
                                {"testSamples", "500"},
                                {"partition", "by-class:2"},
                                {"nodes", "10"},
                                {"rounds", "50"},
                                {"epsilon", "2"}});
    return campaign.Main(argc, argv, [&campaign] {
        campaign.Add({{"crashed", "0"}});
        for (const std::string last : {"0", "2", "4"})
        {
            campaign.Add({{"crashed", std::to_string(std::stoi(last) + 1)}},
                         {{"fail", "node {0-" + last + "} crash at 1s"}});
        }
    });
}
