// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * Which link hurts most when it fails? The same learning once with every link, once for each link
 * without it, and once for each larger failure: flapping links, a partition, a dead region.
 */

#include "dpdl/base/random.h"
#include "dpdl/topology/topologies.h"

#include "ns3/dpdl-campaign.h"

#include <set>

namespace
{

using ns3::DpdlCampaign;

/// The links that the topology ever uses, in order, or a random choice of @p most of them.
std::vector<std::string>
LinksOf(const dpdl::RunSettings& settings, std::size_t most)
{
    const auto graph = dpdl::MakeGraphSequence(settings.topology, settings.nodes, settings.seed);
    const dpdl::Round rounds = graph->Period() > 0 ? graph->Period() : settings.rounds;
    std::set<std::pair<dpdl::NodeId, dpdl::NodeId>> links;
    for (dpdl::Round round = 0; round < rounds; ++round)
    {
        for (dpdl::NodeId source = 0; source < settings.nodes; ++source)
        {
            for (const dpdl::NodeId target : graph->OutNeighbours(source, round))
            {
                links.emplace(source, target);
            }
        }
    }
    dpdl::WordSequence random(
        dpdl::RandomStream(settings.seed, dpdl::RandomPurpose::TOPOLOGY, 0, rounds));
    while (links.size() > most)
    {
        links.erase(
            std::next(links.begin(), random.Integer(static_cast<std::uint32_t>(links.size()))));
    }
    std::vector<std::string> names;
    for (const auto& [source, target] : links)
    {
        names.push_back(std::to_string(source) + "->" + std::to_string(target));
    }
    return names;
}

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
