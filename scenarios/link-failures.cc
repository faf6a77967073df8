// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * Which link hurts most when it fails? The same learning once with every link, once for each link
 * without it, and once for each larger failure: flapping links, a partition, a dead region.
 */

#include "single-failures.h"

#include "ns3/dpdl-campaign.h"

#include <algorithm>

namespace
{

using ns3::DpdlCampaign;

/// The nodes first to last, in the failure language.
std::string
Nodes(std::size_t first, std::size_t last)
{
    return "{" + std::to_string(first) + "-" + std::to_string(last) + "}";
}

/// The sentences of a larger failure. A region is the first quarter of the nodes.
DpdlCampaign::Words
SentencesOf(const std::string& name, std::size_t nodes)
{
    const std::string region = Nodes(0, std::max<std::size_t>(nodes / 4, 1) - 1);
    if (name == "flapping")
    {
        return {{"fail", "link " + region + "->* flap up=500ms down=500ms from 0s"}};
    }
    if (name == "partition")
    {
        const std::size_t half = nodes / 2;
        return {{"fail", "partition " + Nodes(0, half - 1) + " " + Nodes(half, nodes - 1)}};
    }
    return {{"fail", "link " + region + "->* down"}, {"fail", "link *->" + region + " down"}};
}

} // namespace

int
main(int argc, char* argv[])
{
    DpdlCampaign campaign("link-failures",
                          "one run with all links, and one without each: which hurts most?",
                          {{"algorithm", "sgp"},
                           {"model", "softmax-regression"},
                           {"samples", "10000"},
                           {"testSamples", "2000"},
                           {"partition", "by-class:2"},
                           {"stepSize", "0.1"},
                           {"topology", "lollipop"},
                           {"nodes", "10"},
                           {"evaluateEvery", "20"}});
    std::size_t most = 40;
    campaign.AddNumber("links",
                       "40",
                       "links to fail, one at a time; a random choice if there are more",
                       [&most](std::uint64_t value) { most = value; });
    DpdlCampaign::Items cases;
    campaign.AddList(
        {"cases", "", "larger failures to compare", {"flapping", "partition", "region"}, {}},
        cases);
    return campaign.Main(argc, argv, [&] {
        campaign.Add({{"case", "base"}, {"link", ""}});
        for (const std::string& link : LinksOf(campaign.Settings(), most))
        {
            campaign.Add({{"case", "link"}, {"link", link}}, {{"fail", "link " + link + " down"}});
        }
        for (const std::string& name : cases)
        {
            campaign.Add({{"case", name}, {"link", ""}},
                         SentencesOf(name, campaign.Settings().nodes));
        }
    });
}
