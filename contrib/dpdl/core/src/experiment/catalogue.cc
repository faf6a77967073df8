// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/catalogue.h"

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/algorithm/loss-policy.h"
#include "dpdl/base/json.h"
#include "dpdl/base/noise-source.h"
#include "dpdl/base/quantity.h"
#include "dpdl/data/dataset.h"
#include "dpdl/data/partition.h"
#include "dpdl/data/sampler.h"
#include "dpdl/experiment/compute-model.h"
#include "dpdl/experiment/run-options.h"
#include "dpdl/network/failure-event.h"
#include "dpdl/privacy/accountant.h"
#include "dpdl/topology/contraction-tracker.h"
#include "dpdl/topology/effective-neighbours.h"
#include "dpdl/topology/topologies.h"
#include "dpdl/training/model.h"

#include <algorithm>
#include <cmath>
#include <memory>

// Collects the names in all registries (algorithms, models, topologies, ...) and prints them as
// text or JSON.

namespace dpdl
{

namespace
{

std::vector<PartInfo>
ScenarioParts()
{
    return {{"quickstart", "four runs on lossy links, with a table and a report"},
            {"learn", "one learning run with every option"},
            {"cancellation", "what noise that should cancel gives where messages get lost"},
            {"cell", "a server behind LTE against gossip by 802.11p"},
            {"iot", "what accuracy costs sensors in time and energy"},
            {"leaderboard", "the best accuracy that a certificate allows"},
            {"liars", "how much accuracy lying nodes cost the others"},
            {"link-failures", "which link hurts most when it fails"},
            {"loss-policies", "what each answer to lost messages keeps and costs"},
            {"stragglers", "what waiting for slow nodes costs"},
            {"topology-q", "how much of what a topology costs q explains"},
            {"what-if", "what a change does to accuracy, privacy and time"},
            {"vehicular", "vehicles with 802.11p radios learn while they drive"},
            {"dyn-d2p", "tables and figures of Dyn-D2P, run again", "arXiv:2505.06651"},
            {"partpsp", "tables and figures of DPPS and PartPSP, run again", "arXiv:2602.11544"},
            {"adp-vrsgp", "tables and figures of ADP-VRSGP, run again", "arXiv:2510.20157"},
            {"ada-d2p", "figures of AdaD2P, run again"}};
}

std::string
PartAsJson(const PartInfo& part)
{
    std::string text =
        "{\"name\": " + JsonText(part.name) + ", \"summary\": " + JsonText(part.summary) +
        ", \"source\": " + JsonText(part.source) + ", \"available\": true, \"parameters\": [";
    const std::vector<ParameterInfo> parameters = part.AllParameters();
    for (std::size_t i = 0; i < parameters.size(); ++i)
    {
        const ParameterInfo& parameter = parameters[i];
        text += std::string(i == 0 ? "" : ", ") + "{\"name\": " + JsonText(parameter.name) +
                ", \"default\": " + JsonText(parameter.defaultValue) +
                ", \"meaning\": " + JsonText(parameter.meaning) + "}";
    }
    return text + "]}";
}

std::string
PartsAsJson(const std::vector<PartInfo>& parts)
{
    std::string text = "[";
    for (std::size_t i = 0; i < parts.size(); ++i)
    {
        text += (i == 0 ? "\n  " : ",\n  ") + PartAsJson(parts[i]);
    }
    return text + "\n]\n";
}

/// One line of a list: a name, padded to 18 columns, and its meaning.
std::string
Line(const std::string& name, const std::string& meaning)
{
    constexpr std::size_t width = 18;
    return name + std::string(name.size() < width ? width - name.size() : 1, ' ') + meaning + "\n";
}

std::string
PartsAsText(const std::vector<PartInfo>& parts)
{
    std::string text;
    for (const PartInfo& part : parts)
    {
        text += Line(part.name, part.summary);
    }
    return text;
}

std::string
PartAsText(const PartInfo& part)
{
    std::string text = PartsAsText({part});
    if (!part.source.empty())
    {
        text += "source: " + part.source + "\n";
    }
    for (const ParameterInfo& parameter : part.AllParameters())
    {
        const bool hasDefault = !parameter.defaultValue.empty();
        text += "  " + Line(parameter.name,
                            parameter.meaning +
                                (hasDefault ? " (default " + parameter.defaultValue + ")" : ""));
    }
    return text;
}

} // namespace

const std::vector<CatalogueKind>&
Catalogue()
{
    static const std::vector<CatalogueKind> kinds{
        {"algorithms", "what a node does in a round", Algorithms().List()},
        {"models", "what every node trains", Models().List()},
        {"datasets", "what it is trained on", Datasets().List()},
        {"partitions", "which example belongs to which node", Partitions().List()},
        {"samplers", "how a batch is drawn", Samplers().List()},
        {"noise-sources", "where the noise of releases comes from", NoiseSources().List()},
        {"topologies", "who sends to whom", Topologies().List()},
        {"failures", "what goes wrong in the network", FailureParts()},
        {"loss-policies", "what becomes of lost mass", LossPolicies().List()},
        {"networks", "what carries the shares", Networks().List()},
        {"transports", "which sockets carry them in packet mode", Transports().List()},
        {"compute-models", "what a local step takes", ComputeKinds().List()},
        {"compute-profiles", "devices whose speed a run can borrow", ComputeProfiles().List()},
        {"accountants", "what turns releases into epsilon", Accountants().List()},
        {"scenarios", "what `run` can run", ScenarioParts()}};
    return kinds;
}

std::string
DescribeTopology(const std::string& specification, std::size_t nodes, bool json)
{
    constexpr double gamma = 0.9;
    const std::shared_ptr<GraphSequence> graph = MakeGraphSequence(specification, nodes, {});
    const EffectiveNeighbours neighbours = MeasureEffectiveNeighbours(*graph, gamma);
    const auto fewest = static_cast<Round>(std::ceil(std::log2(static_cast<double>(nodes))));
    const Round rounds = graph->Period() > 0 ? graph->Period() : std::max<Round>(1, fewest);
    DesignedContraction contraction(MakeGraphSequence(specification, nodes, {}));
    double messages = 0.0;
    for (Round round = 0; round < rounds; ++round)
    {
        contraction.AddRound();
        for (NodeId node = 0; node < nodes; ++node)
        {
            messages += static_cast<double>(graph->OutNeighbours(node, round).size());
        }
    }
    const WindowResult measured = contraction.CloseWindow();
    const std::string window =
        rounds == 1 ? "the first round" : "the first " + std::to_string(rounds) + " rounds";
    const std::string error =
        neighbours.error > 0.0 ? ", standard error " + ShowRounded(neighbours.error, 2) : "";
    const std::string doubt =
        measured.qError > 0.0 ? " (up to " + ShowRounded(measured.qError, 2) + " more)" : "";
    PartInfo info;
    info.name = specification;
    info.summary = "on " + std::to_string(nodes) + " nodes";
    info.source = "doc/topology-q.md";
    info.parameters = {{"messages",
                        "",
                        ShowRounded(messages / static_cast<double>(nodes) / rounds, 4) +
                            " of a node in a round, over " + window},
                       {"q_designed",
                        "",
                        ShowRounded(measured.q, 6) + doubt +
                            " of the disagreement is left after a round, over " + window},
                       {"neighbours",
                        "",
                        ShowRounded(neighbours.value, 4) +
                            " effective: over as many the noise of gradients " +
                            "averages, gamma = " + ShowNumber(gamma) + error}};
    return json ? PartAsJson(info) + "\n" : PartAsText(info);
}

std::string
DescribeCatalogue(const std::string& kind, const std::string& name, bool json)
{
    std::vector<PartInfo> kinds;
    kinds.reserve(Catalogue().size());
    for (const CatalogueKind& candidate : Catalogue())
    {
        kinds.push_back({candidate.name, candidate.summary});
        if (candidate.name != kind)
        {
            continue;
        }
        if (name.empty())
        {
            return json ? PartsAsJson(candidate.parts) : PartsAsText(candidate.parts);
        }
        if (kind == "models" && name.find(':') != std::string::npos)
        {
            const PartInfo model = ModelInfo(name);
            return json ? PartAsJson(model) + "\n" : PartAsText(model);
        }
        const auto part =
            std::find_if(candidate.parts.begin(),
                         candidate.parts.end(),
                         [&name](const PartInfo& known) { return known.name == name; });
        if (part == candidate.parts.end())
        {
            ThrowUnknownName("name in " + kind, name, NamesIn(candidate.parts));
        }
        return json ? PartAsJson(*part) + "\n" : PartAsText(*part);
    }
    if (!kind.empty())
    {
        ThrowUnknownName("kind", kind, NamesIn(kinds));
    }
    return json ? PartsAsJson(kinds) : PartsAsText(kinds);
}

} // namespace dpdl
