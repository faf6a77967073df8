// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-plan.h"

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/options.h"
#include "dpdl/base/quantity.h"
#include "dpdl/base/random.h"
#include "dpdl/data/partition.h"
#include "dpdl/experiment/recipe.h"
#include "dpdl/experiment/run-failures.h"
#include "dpdl/experiment/run-need.h"
#include "dpdl/topology/topologies.h"
#include "dpdl/training/model.h"

#include <cmath>
#include <iostream>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

// Reads planned runs from standard input and checks them without data, or prints their links,
// nodes or needs.

namespace ns3
{

namespace
{

/// Removes random items, by the seed, until at most @p most are left.
template <typename Item>
void
Thin(std::set<Item>& items,
     std::size_t most,
     const ::dpdl::RunOptions& settings,
     ::dpdl::Round salt)
{
    ::dpdl::WordSequence random(
        ::dpdl::RandomStream(settings.seed, ::dpdl::RandomPurpose::TOPOLOGY, 0, salt));
    while (items.size() > most)
    {
        items.erase(
            std::next(items.begin(), random.Integer(static_cast<std::uint32_t>(items.size()))));
    }
}

std::vector<std::string>
LinksOf(const ::dpdl::RunOptions& settings, std::size_t most)
{
    const auto graph = ::dpdl::MakeGraphSequence(settings.topology, settings.nodes, settings.seed);
    const ::dpdl::Round rounds = graph->Period() > 0 ? graph->Period() : settings.rounds;
    std::set<std::pair<::dpdl::NodeId, ::dpdl::NodeId>> links;
    for (::dpdl::Round round = 0; round < rounds; ++round)
    {
        for (::dpdl::NodeId source = 0; source < settings.nodes; ++source)
        {
            for (const ::dpdl::NodeId target : graph->OutNeighbours(source, round))
            {
                links.emplace(source, target);
            }
        }
    }
    Thin(links, most, settings, rounds);
    std::vector<std::string> names;
    names.reserve(links.size());
    for (const auto& [source, target] : links)
    {
        names.push_back(std::to_string(source) + "->" + std::to_string(target));
    }
    return names;
}

std::vector<std::string>
NodesOf(const ::dpdl::RunOptions& settings, std::size_t most)
{
    std::set<::dpdl::NodeId> nodes;
    for (::dpdl::NodeId node = 0; node < settings.nodes; ++node)
    {
        nodes.insert(node);
    }
    Thin(nodes, most, settings, settings.rounds);
    std::vector<std::string> names;
    names.reserve(nodes.size());
    for (const ::dpdl::NodeId node : nodes)
    {
        names.push_back(std::to_string(node));
    }
    return names;
}

/// Validates the names that a run resolves at its start. @param option name of the invalid one
void
CheckNames(const ::dpdl::RunOptions& settings, std::string& option)
{
    option = "algorithm";
    ::dpdl::Algorithms().Get(settings.algorithm);
    option = "model";
    ::dpdl::ModelInfo(settings.model);
    option = "partition";
    ::dpdl::Partitions().Get(settings.partition.substr(0, settings.partition.find(':')));
    option = "fail";
    ::dpdl::ReadFailures(settings);
    option = "topology";
    // Skip this if memory is short here: the run may be made on another machine.
    if (::dpdl::LeastBytes(settings) < ::dpdl::MemoryAtHand())
    {
        ::dpdl::MakeGraphSequence(settings.topology, settings.nodes, settings.seed);
    }
}

/// Reads runs from standard input, one per line. @param use is called for each valid run; it sets
/// the option name for a later error
void
ForEachRun(::dpdl::RunOptions& settings,
           const std::function<void(const std::string&)>& read,
           const std::function<void(std::string&)>& use)
{
    const ::dpdl::RunOptions usual = settings;
    std::string line;
    for (std::size_t number = 1; std::getline(std::cin, line); ++number)
    {
        settings = usual;
        std::string option;
        try
        {
            std::istringstream words(line);
            for (std::string word; std::getline(words, word, '\t');)
            {
                option = ::dpdl::SplitArgument(word).name;
                read(word);
            }
            use(option);
        }
        catch (const ::dpdl::UsageError& error)
        {
            std::cout << number << "\t" << option << "\t" << error.what() << std::endl;
            return;
        }
    }
}

} // namespace

bool
CheckRuns(::dpdl::RunOptions& settings,
          const std::string& argument,
          const std::function<void(const std::string&)>& read)
{
    if (argument != "--CheckRuns" && argument != "--PrintNeeds")
    {
        return false;
    }
    if (argument == "--CheckRuns")
    {
        ForEachRun(settings, read, [&](std::string& option) { CheckNames(settings, option); });
        return true;
    }
    std::cout << ::dpdl::ShowNumber(::dpdl::MemoryAtHand()) << "\n";
    ForEachRun(settings, read, [&](std::string& /* option */) {
        const ::dpdl::RunNeed need = ::dpdl::NeedOf(::dpdl::WithRecipe(settings));
        std::cout << std::llround(need.MemoryBytes()) << "\n";
    });
    return true;
}

bool
PrintNeed(const ::dpdl::RunOptions& settings, const std::string& argument)
{
    if (argument != "--PrintNeed")
    {
        return false;
    }
    const ::dpdl::RunNeed need = ::dpdl::NeedOf(::dpdl::WithRecipe(settings));
    std::cout << "memory " << std::llround(need.MemoryBytes()) << "\ndisk "
              << std::llround(need.DiskBytes()) << "\n";
    return true;
}

bool
PrintFailing(const ::dpdl::RunOptions& settings, const std::string& argument)
{
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    if (equals == std::string::npos || (name != "--PrintLinks" && name != "--PrintNodes"))
    {
        return false;
    }
    const auto most =
        ::dpdl::ParseInteger("argument '" + name + "'", argument.substr(equals + 1), 1, 10000);
    for (const std::string& one :
         name == "--PrintLinks" ? LinksOf(settings, most) : NodesOf(settings, most))
    {
        std::cout << one << "\n";
    }
    return true;
}

} // namespace ns3
