// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * What to do about lost messages: every loss policy with both step scales, over loss rates, data,
 * graphs, and losses that all nodes suffer alike or only some.
 */

#include "ns3/dpdl-campaign.h"

#include <algorithm>

namespace
{

using ns3::DpdlCampaign;

/// What is compared, from the command line.
struct Design
{
    DpdlCampaign::Items algorithms; ///< who learns
    DpdlCampaign::Items partitions; ///< of the data
    DpdlCampaign::Items topologies; ///< graphs
    DpdlCampaign::Items sides;      ///< whose messages are lost
    DpdlCampaign::Items losses;     ///< loss rates
    DpdlCampaign::Items policies;   ///< what becomes of lost mass
    DpdlCampaign::Items steps;      ///< step scales
};

/// The option that loses messages: on every link, or on those that the first quarter sends on.
std::pair<std::string, std::string>
Losing(const std::string& side, const std::string& loss, std::size_t nodes)
{
    if (side == "symmetric")
    {
        return {"drop", loss};
    }
    const std::string last = std::to_string(std::max<std::size_t>(nodes / 4, 1) - 1);
    return {"fail", "link {0-" + last + "}->* loss " + loss + " from 0s"};
}

void
AddLossyVariants(DpdlCampaign& campaign, const Design& design, const DpdlCampaign::Words& task)
{
    for (const auto& network :
         DpdlCampaign::Crossed({{"side", design.sides}, {"loss", design.losses}}))
    {
        const auto losing = Losing(network[0].second, network[1].second, campaign.Settings().nodes);
        for (const auto& answer :
             DpdlCampaign::Crossed({{"lossPolicy", design.policies}, {"stepScale", design.steps}}))
        {
            // Renormalising keeps every w at 1, where the step scales are the same.
            if (answer[0].second == "renormalise" && answer[1].second != design.steps.front())
            {
                continue;
            }
            DpdlCampaign::Words factors = task;
            factors.insert(factors.end(), network.begin(), network.end());
            factors.insert(factors.end(), answer.begin(), answer.end());
            campaign.Add(factors, {losing});
        }
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    DpdlCampaign campaign("loss-policies",
                          "what becomes of learning under each answer to lost messages",
                          {{"model", "softmax-regression"},
                           {"samples", "20000"},
                           {"testSamples", "2000"},
                           {"evaluateEvery", "20"},
                           {"accountant", "rdp"}});
    Design all;
    campaign.AddList({"algorithms", "algorithm", "who learns", {"sgp"}, {"sgp", "dyn-d2p"}},
                     all.algorithms);
    campaign.AddList({"partitions", "partition", "whose data", {"even", "by-class:2"}, {}},
                     all.partitions);
    campaign.AddList(
        {"topologies", "topology", "graphs", {"exponential"}, {"exponential", "lollipop"}},
        all.topologies);
    campaign.AddList({"sides",
                      "",
                      "who loses what it sends: all, or the first quarter of nodes",
                      {"symmetric", "one-sided"},
                      {}},
                     all.sides);
    campaign.AddList({"losses",
                      "drop",
                      "loss rates; each task also runs without loss",
                      {"0.1", "0.3"},
                      {"0.02", "0.05", "0.1", "0.3", "0.5"}},
                     all.losses);
    campaign.AddList({"policies",
                      "lossPolicy",
                      "what becomes of lost mass",
                      {"none", "refund", "reliable", "running-sum", "renormalise"},
                      {}},
                     all.policies);
    campaign.AddList(
        {"steps", "stepScale", "gamma / w as published, or gamma", {"plain", "by-weight"}, {}},
        all.steps);
    return campaign.Main(argc, argv, [&] {
        for (const auto& task : DpdlCampaign::Crossed({{"algorithm", all.algorithms},
                                                       {"partition", all.partitions},
                                                       {"topology", all.topologies}}))
        {
            // On an unbalanced graph the step scales differ even without a loss.
            for (const std::string& step : all.steps)
            {
                DpdlCampaign::Words lossless = task;
                lossless.insert(lossless.end(),
                                {{"side", "lossless"}, {"loss", "0"}, {"stepScale", step}});
                campaign.Add(lossless);
            }
            AddLossyVariants(campaign, all, task);
        }
    });
}
