// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * What happens to accuracy, privacy and time if something is different? One base and variants of
 * it, all with the same random numbers: what differs between them is what the variant changes.
 */

#include "dpdl/base/registry.h"
#include "single-failures.h"
#include "variation.h"

namespace
{

using ns3::DpdlCampaign;

/// Adds option `vary`, which may be given several times: @p lists has one list for each.
void
AddVary(DpdlCampaign& campaign, std::vector<std::vector<Change>>& lists)
{
    campaign.AddOption({"vary",
                        "drop=0.1,0.3 and fail=link 0->1 down",
                        "OPTION=VALUE,VALUE,...; semicolons between values that hold commas, & "
                        "between options that change together",
                        "variants of the base, one a value; may be given several times",
                        false,
                        [&lists](dpdl::RunSettings&, const std::string& text) {
                            lists.push_back(ReadVariation(text));
                        },
                        {}});
}

/// Adds the variants in which each link, or each node, fails alone. @param most of them
void
AddEach(DpdlCampaign& campaign, const std::string& kind, std::size_t most)
{
    if (kind != "link" && kind != "node")
    {
        dpdl::ThrowUnknownName("option 'each'", kind, {"link", "node"});
    }
    const std::string event = kind == "link" ? " down" : " crash";
    const auto names =
        kind == "link" ? LinksOf(campaign.Settings(), most) : NodesOf(campaign.Settings(), most);
    for (const std::string& name : names)
    {
        campaign.Add({{"fails", kind}, {"variant", name}}, {{"fail", kind + " " + name + event}});
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    DpdlCampaign campaign("what-if",
                          "what happens to accuracy, privacy and time if something is different?",
                          {{"epsilon", "3"},
                           {"model", "softmax-regression"},
                           {"samples", "10000"},
                           {"testSamples", "2000"},
                           {"partition", "by-class:2"},
                           {"nodes", "10"},
                           {"evaluateEvery", "20"}});
    std::vector<std::vector<Change>> lists;
    bool crossed = false;
    std::string each;
    std::size_t most = 40;
    AddVary(campaign, lists);
    campaign.AddFlag("cross", "all combinations of several options vary", crossed);
    campaign.AddText("each", "what fails alone, for the whole run", "link or node", each);
    campaign.AddNumber("most",
                       "40",
                       "links or nodes that fail, chosen by the seed",
                       [&](auto count) { most = count; });
    campaign.VaryGiven();
    return campaign.Main(argc, argv, [&] {
        if (lists.empty() && each.empty())
        {
            lists = {ReadVariation("drop=0.1,0.3"), ReadVariation("fail=link 0->1 down")};
        }
        campaign.Add({{"fails", ""}, {"variant", "base"}});
        for (const Change& change : ChangesOf(lists, crossed))
        {
            campaign.Add({{"fails", ""}, {"variant", change.name}}, change.options);
        }
        if (!each.empty())
        {
            AddEach(campaign, each, most);
        }
    });
}
