// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-scenario.h"
#include "dpdl/algorithm/algorithms.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/options.h"
#include "dpdl/base/quantity.h"
#include "dpdl/base/random.h"
#include "dpdl/data/partition.h"
#include "dpdl/experiment/option-table.h"
#include "dpdl/experiment/run-failures.h"
#include "dpdl/experiment/run-need.h"
#include "dpdl/topology/topologies.h"
#include "dpdl/training/model.h"

#include <cmath>
#include <iostream>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

// Checks planned runs from standard input without reading their data, or prints the links and nodes
// of a run, or the memory and disk space that runs need.

namespace ns3
{

namespace
{

/// Removes random entries until at most @p most are left.
/// @param settings contain the seed of the choice
/// @param salt distinguishes choices with the same seed
void
Thin(std::vector<std::string>& names,
     std::size_t most,
     const ::dpdl::RunOptions& settings,
     ::dpdl::Round salt)
{
    ::dpdl::WordSequence random(
        ::dpdl::RandomStream(settings.seed, ::dpdl::RandomPurpose::TOPOLOGY, 0, salt));
    while (names.size() > most)
    {
        names.erase(names.begin() + random.Integer(static_cast<std::uint32_t>(names.size())));
    }
}

std::vector<std::string>
LinksOf(const ::dpdl::RunOptions& settings, std::size_t most)
{
    const auto graph = ::dpdl::MakeGraphSequence(settings.topology, settings.nodes, settings.seed);
    const ::dpdl::Round rounds = graph->Period() > 0 ? graph->Period() : settings.rounds;
    std::set<std::pair<::dpdl::NodeId, ::dpdl::NodeId>> links;
    ::dpdl::ForEachEdge(*graph, 0, rounds, [&links](auto source, auto target) {
        links.emplace(source, target);
    });
    std::vector<std::string> names;
    for (const auto& [source, target] : links)
    {
        names.push_back(std::to_string(source) + "->" + std::to_string(target));
    }
    Thin(names, most, settings, rounds);
    return names;
}

std::vector<std::string>
NodesOf(const ::dpdl::RunOptions& settings, std::size_t most)
{
    std::vector<std::string> names;
    for (::dpdl::NodeId node = 0; node < settings.nodes; ++node)
    {
        names.push_back(std::to_string(node));
    }
    Thin(names, most, settings, settings.rounds);
    return names;
}

/// Checks the names that a run resolves at its start, such as its model; throws dpdl::UsageError
/// for an unknown name. @param option receives the name of the option before each check
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
    // Skip the topology if it does not fit into the memory of this machine: the run may be planned
    // for another machine.
    if (::dpdl::LeastBytes(settings) < ::dpdl::MemoryAtHand())
    {
        ::dpdl::MakeGraphSequence(settings.topology, settings.nodes, settings.seed);
    }
}

} // namespace

void
DpdlScenario::ForEachRun(const std::function<void(std::string&)>& use)
{
    const ::dpdl::RunOptions usual = m_settings;
    std::string line;
    for (std::size_t number = 1; std::getline(std::cin, line); ++number)
    {
        m_settings = usual;
        std::string option;
        try
        {
            std::istringstream words(line);
            for (std::string word; std::getline(words, word, '\t');)
            {
                option = ::dpdl::SplitArgument(word).name;
                ReadArgument(word);
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

bool
DpdlScenario::Answer(const std::string& argument)
{
    const std::string name = argument.substr(0, argument.find('='));
    const bool hasValue = name.size() < argument.size();
    if (argument == "--CheckRuns")
    {
        ForEachRun([this](std::string& option) { CheckNames(m_settings, option); });
    }
    else if (argument == "--PrintNeeds")
    {
        std::cout << ::dpdl::ShowNumber(::dpdl::MemoryAtHand()) << "\n";
        ForEachRun([this](std::string& /* option */) {
            const ::dpdl::RunNeed need = ::dpdl::NeedOf(::dpdl::WithRecipe(m_settings));
            std::cout << std::llround(need.MemoryBytes()) << "\t" << std::llround(need.DiskBytes())
                      << "\n";
        });
    }
    else if (argument == "--PrintNeed")
    {
        const ::dpdl::RunNeed need = ::dpdl::NeedOf(::dpdl::WithRecipe(m_settings));
        std::cout << "memory " << std::llround(need.MemoryBytes()) << "\ndisk "
                  << std::llround(need.DiskBytes()) << "\n";
    }
    else if (hasValue && (name == "--PrintLinks" || name == "--PrintNodes"))
    {
        const std::string count = argument.substr(name.size() + 1);
        const auto most = ::dpdl::ParseInteger("argument '" + name + "'", count, 1, 10000);
        for (const std::string& one :
             name == "--PrintLinks" ? LinksOf(m_settings, most) : NodesOf(m_settings, most))
        {
            std::cout << one << "\n";
        }
    }
    else
    {
        return false;
    }
    return true;
}

} // namespace ns3
