// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-campaign.h"

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/data/partition.h"
#include "dpdl/experiment/run-failures.h"
#include "dpdl/topology/topologies.h"
#include "dpdl/training/model.h"

#include <algorithm>

namespace ns3
{

namespace
{

using ::dpdl::RunSettings;

/// Letters of a variant's name; a longer one is cut and numbered, as no file name is that long.
constexpr std::size_t LONGEST_NAME = 150;

/// The text fit for a file name: letters, digits, dots and minus signs, an arrow as a minus sign.
std::string
FileName(const std::string& text)
{
    std::string name;
    for (const char c : text)
    {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '.' || c == '-';
        const bool tip = c == '>' && !name.empty() && name.back() == '-';
        name += tip ? "" : std::string(1, plain ? c : '_');
    }
    return name;
}

std::vector<std::string>
Split(const std::string& text)
{
    std::vector<std::string> items;
    std::size_t begin = 0;
    for (std::size_t end = 0; end != std::string::npos; begin = end + 1)
    {
        end = text.find(',', begin);
        items.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
    }
    return items;
}

/// Checks an item of a list as the option of `learn` that takes such items would.
void
CheckItem(const DpdlCampaign::List& list, const std::string& item)
{
    if (!list.of.empty())
    {
        try
        {
            RunSettings scratch;
            ::dpdl::SetOption(scratch, list.of, item);
            return;
        }
        catch (const ::dpdl::UsageError& error)
        {
            throw ::dpdl::UsageError("option '" + list.name + "': " + error.what());
        }
    }
    const DpdlCampaign::Items& known = list.full.empty() ? list.usual : list.full;
    if (std::find(known.begin(), known.end(), item) == known.end())
    {
        ::dpdl::ThrowUnknownName("option '" + list.name + "'", item, known);
    }
}

std::string
AcceptedBy(const DpdlCampaign::List& list)
{
    const ::dpdl::Option* const option = ::dpdl::FindOption(::dpdl::LearningOptions(), list.of);
    return (option == nullptr ? ::dpdl::JoinNames(list.full.empty() ? list.usual : list.full)
                              : option->accepted) +
           "; commas between them" +
           (list.full.empty() ? "" : "; with --full " + ::dpdl::JoinNames(list.full));
}

} // namespace

DpdlCampaign::DpdlCampaign(const std::string& name,
                           const std::string& summary,
                           const Words& defaults)
    : m_scenario(name, summary),
      m_name(name)
{
    m_options.folder = name + "-results";
    // Runs side by side are the parallelism, and a row a message would fill the disk.
    RunSettings& settings = m_scenario.Settings();
    settings.workers = 1;
    settings.traceLevel = ::dpdl::TraceLevel::SUMMARY;
    for (const auto& [option, value] : defaults)
    {
        ::dpdl::SetOption(settings, option, value);
    }
    // From here on it holds what the user gives.
    settings.given.clear();
    AddOwnOptions();
}

void
DpdlCampaign::AddOwnOptions()
{
    m_scenario.AddOption(
        {"outputDir",
         m_options.folder,
         "a folder",
         "where the traces and campaign.json go; a folder of the same campaign goes on",
         false,
         [this](RunSettings&, const std::string& text) {
             m_options.folder = text;
             m_givenOwn.insert("outputDir");
         },
         {}});
    AddNumber("repetitions",
              std::to_string(m_options.repetitions),
              "runs of each variant, with run numbers from that of option run on",
              [this](std::uint64_t value) {
                  m_options.repetitions = value;
                  m_givenOwn.insert("repetitions");
              });
    AddNumber("jobs", "all cores", "runs at a time, each in its process", [this](auto value) {
        m_options.jobs = static_cast<unsigned>(value);
    });
    AddFlag("plan", "show what would run, and stop", m_onlyShow);
}

void
DpdlCampaign::AddFlag(const std::string& name, const std::string& meaning, bool& flag)
{
    m_scenario.AddOption({name,
                          "",
                          "nothing",
                          meaning,
                          true,
                          [&flag](RunSettings&, const std::string&) { flag = true; },
                          {}});
}

void
DpdlCampaign::AddNumber(const std::string& name,
                        const std::string& value,
                        const std::string& meaning,
                        const std::function<void(std::uint64_t)>& set)
{
    m_scenario.AddOption({name,
                          value,
                          "a whole number from 1",
                          meaning,
                          false,
                          [name, set](RunSettings&, const std::string& text) {
                              set(::dpdl::ParseInteger("option '" + name + "'", text, 1, 10000));
                          },
                          {}});
}

void
DpdlCampaign::AddText(const std::string& name,
                      const std::string& meaning,
                      const std::string& accepted,
                      std::string& value)
{
    m_scenario.AddOption({name,
                          value,
                          accepted,
                          meaning,
                          false,
                          [&value](RunSettings&, const std::string& text) { value = text; },
                          {}});
}

void
DpdlCampaign::AddList(const List& list, Items& items)
{
    if (!list.full.empty() && !m_hasFull)
    {
        AddFlag("full", "run all that the study is made of, and not a part of it", m_full);
        m_hasFull = true;
    }
    items.clear();
    m_scenario.AddOption({list.name,
                          ::dpdl::JoinNames(list.usual),
                          AcceptedBy(list),
                          list.meaning,
                          false,
                          [&items, list](RunSettings&, const std::string& text) {
                              items = Split(text);
                              for (const std::string& item : items)
                              {
                                  CheckItem(list, item);
                              }
                          },
                          {}});
    m_lists.emplace_back([this, list, &items] {
        if (items.empty())
        {
            items = m_full && !list.full.empty() ? list.full : list.usual;
        }
    });
}

std::vector<DpdlCampaign::Words>
DpdlCampaign::Crossed(const std::vector<std::pair<std::string, Items>>& lists)
{
    std::vector<Words> crossed{{}};
    for (const auto& [name, items] : lists)
    {
        std::vector<Words> longer;
        for (const Words& words : crossed)
        {
            for (const std::string& item : items)
            {
                longer.push_back(words);
                longer.back().emplace_back(name, item);
            }
        }
        crossed = std::move(longer);
    }
    return crossed;
}

void
DpdlCampaign::Add(const Words& factors, const Words& changes)
{
    DpdlVariant variant{"", factors, m_scenario.Settings()};
    for (const auto& [factor, value] : factors)
    {
        variant.name += (variant.name.empty() || value.empty() ? "" : "-") + FileName(value);
        if (::dpdl::FindOption(::dpdl::LearningOptions(), factor) != nullptr)
        {
            Change(variant, factor, value);
        }
    }
    for (const auto& [option, value] : changes)
    {
        Change(variant, option, value);
    }
    if (variant.name.size() > LONGEST_NAME)
    {
        variant.name =
            variant.name.substr(0, LONGEST_NAME) + "-" + std::to_string(m_variants.size());
    }
    CheckNames(variant.settings);
    const auto same = [&variant](const DpdlVariant& other) { return other.name == variant.name; };
    if (std::any_of(m_variants.begin(), m_variants.end(), same))
    {
        throw ::dpdl::UsageError("variant",
                                 variant.name,
                                 "each variant once; a list has an item twice");
    }
    m_variants.push_back(variant);
}

void
DpdlCampaign::Change(DpdlVariant& variant,
                     const std::string& option,
                     const std::string& value) const
{
    if (!m_variesGiven && m_given.count(option) > 0)
    {
        throw ::dpdl::UsageError("option '" + option + "' cannot be given: " + m_name +
                                 " varies it; --help tells by which option");
    }
    ::dpdl::SetOption(variant.settings, option, value);
}

void
DpdlCampaign::CheckNames(const RunSettings& settings)
{
    // What one variant alone would trip over is told before the others have run for an hour.
    ::dpdl::Algorithms().Get(settings.algorithm);
    ::dpdl::Models().Get(settings.model);
    ::dpdl::Partitions().Get(settings.partition.substr(0, settings.partition.find(':')));
    ::dpdl::ReadFailures(settings);
    if (m_topologies.insert(settings.topology).second)
    {
        ::dpdl::MakeGraphSequence(settings.topology, settings.nodes, settings.seed);
    }
}

void
DpdlCampaign::SetDefault(const std::string& option, const std::string& value)
{
    if (m_given.count(option) > 0 || m_givenOwn.count(option) > 0)
    {
        return;
    }
    if (option == "outputDir")
    {
        m_options.folder = value;
    }
    else if (option == "repetitions")
    {
        m_options.repetitions = ::dpdl::ParseInteger("option 'repetitions'", value, 1, 10000);
    }
    else
    {
        ::dpdl::SetOption(m_scenario.Settings(), option, value);
    }
}

void
DpdlCampaign::AddFile(const std::string& name, const std::string& content)
{
    m_options.files.emplace_back(name, content);
}

int
DpdlCampaign::Main(int argc, char* argv[], const std::function<void()>& plan)
{
    return m_scenario.Main(argc, argv, [this, &plan](DpdlScenario&) {
        for (const std::function<void()>& fill : m_lists)
        {
            fill();
        }
        m_given = m_scenario.Settings().given;
        plan();
        DpdlCampaignRunner runner(m_scenario, m_name, m_options, m_variants);
        m_onlyShow ? runner.ShowPlan() : runner.Run();
    });
}

} // namespace ns3
