// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/network/failure-sentence.h"

namespace dpdl
{

namespace
{

const char* const FROM = "when it begins; also written from";
const char* const HOW_LONG = "how long it lasts";

/// A part that lasts from `at` on `for` some time.
PartInfo
Lasting(const std::string& name,
        const std::string& summary,
        const std::vector<ParameterInfo>& parameters,
        const std::string& source = "")
{
    PartInfo part{name, summary, source, parameters};
    part.parameters.push_back({"at", "0s", FROM});
    part.parameters.push_back({"for", "to the end", HOW_LONG});
    return part;
}

std::vector<ParameterInfo>
Circle()
{
    return {{"center=", "", "(X,Y) in metres"}, {"radius=", "", "metres"}};
}

std::vector<PartInfo>
LinkParts()
{
    return {
        Lasting("link-down", "link LINKS down: nothing gets through", {}),
        Lasting("link-loss",
                "link LINKS loss P: packets are lost, each for itself",
                {{"P", "", "probability in [0, 1]"}}),
        Lasting("link-delay", "link LINKS delay T: another latency", {{"T", "", "time >= 0"}}),
        Lasting("link-rate", "link LINKS rate R: another data rate", {{"R", "", "data rate > 0"}}),
        Lasting("gilbert-elliott",
                "link LINKS gilbert-elliott: packets are lost in bursts",
                {{"p=", "", "probability that a good link turns bad, a packet"},
                 {"r=", "", "probability that a bad link turns good, a packet"},
                 {"bad=", "", "probability of loss while bad"},
                 {"good=", "0", "probability of loss while good"}},
                "Gilbert (1960), Elliott (1963)"),
        Lasting("flap",
                "link LINKS flap: up and down by turns",
                {{"up=", "", "time up; or mean-up=, exponential"},
                 {"down=", "", "time down; or mean-down=, exponential"}})};
}

} // namespace

std::vector<PartInfo>
FailureParts()
{
    std::vector<PartInfo> parts = LinkParts();
    const std::vector<PartInfo> more{
        Lasting("node-pause", "node NODES pause: neither computes nor sends, still receives", {}),
        Lasting("node-crash",
                "node NODES crash: gone, with all links",
                {{"recover", "never", "time at which it is back, in place of for"},
                 {"with state", "without state", "it comes back with what it knew"}}),
        Lasting("node-slow",
                "node NODES slow Fx: its local steps take F times as long",
                {{"F", "", "factor > 0"}}),
        Lasting("partition", "partition {..} {..}: links between the groups are down", {}),
        Lasting("region", "region down: all links of the nodes within a circle are down", Circle()),
        Lasting("jam", "jam loss P: nodes within a circle lose what is sent to them", Circle()),
        {"random",
         "random SENTENCE: comes and goes, with exponential times",
         "",
         {{"mean-up=", "", "mean time without the failure"},
          {"mean-down=", "", "mean time with it"},
          {"together", "each for itself", "all links or nodes at once, by one draw"}}},
        {"group", "group NAME = NODES: a name for nodes", "", {}}};
    parts.insert(parts.end(), more.begin(), more.end());
    return parts;
}

} // namespace dpdl
