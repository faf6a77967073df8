// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "single-failures.h"

#include "dpdl/base/random.h"
#include "dpdl/topology/topologies.h"

#include <iterator>
#include <set>
#include <utility>

namespace
{

/// Takes things out of @p items until no more than @p most are left, by the seed.
template <typename Item>
void
Thin(std::set<Item>& items, std::size_t most, const dpdl::RunSettings& settings, dpdl::Round salt)
{
    dpdl::WordSequence random(
        dpdl::RandomStream(settings.seed, dpdl::RandomPurpose::TOPOLOGY, 0, salt));
    while (items.size() > most)
    {
        items.erase(
            std::next(items.begin(), random.Integer(static_cast<std::uint32_t>(items.size()))));
    }
}

} // namespace

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
    Thin(links, most, settings, rounds);
    std::vector<std::string> names;
    for (const auto& [source, target] : links)
    {
        names.push_back(std::to_string(source) + "->" + std::to_string(target));
    }
    return names;
}

std::vector<std::string>
NodesOf(const dpdl::RunSettings& settings, std::size_t most)
{
    std::set<dpdl::NodeId> nodes;
    for (dpdl::NodeId node = 0; node < settings.nodes; ++node)
    {
        nodes.insert(node);
    }
    Thin(nodes, most, settings, settings.rounds);
    std::vector<std::string> names;
    for (const dpdl::NodeId node : nodes)
    {
        names.push_back(std::to_string(node));
    }
    return names;
}
