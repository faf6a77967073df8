// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-campaign-runner.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/json.h"
#include "dpdl/data/dataset.h"
#include "dpdl/experiment/option-table.h"
#include "dpdl/trace/trace-reader.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>
#include <thread>

namespace ns3
{

namespace
{

constexpr std::chrono::seconds TELL_INTERVAL{5};

std::string
FactorsAsJson(const std::vector<std::pair<std::string, std::string>>& factors)
{
    std::string text;
    for (const auto& [factor, value] : factors)
    {
        text +=
            (text.empty() ? "" : ", ") + ::dpdl::JsonText(factor) + ": " + ::dpdl::JsonText(value);
    }
    return "{" + text + "}";
}

/// The options that all runs share; those that change no number of a run are left out.
std::vector<std::pair<std::string, std::string>>
SharedSettings(const ::dpdl::RunSettings& settings)
{
    std::vector<std::pair<std::string, std::string>> shared;
    for (const ::dpdl::Option& option : ::dpdl::LearningOptions())
    {
        if (option.name != "overwrite" && option.name != "progress" && option.name != "trace")
        {
            shared.emplace_back(option.name, option.show(settings));
        }
    }
    return shared;
}

} // namespace

DpdlCampaignRunner::DpdlCampaignRunner(DpdlScenario& scenario,
                                       const std::string& name,
                                       const Options& options,
                                       const std::vector<DpdlVariant>& variants)
    : m_scenario(scenario),
      m_name(name),
      m_options(options),
      m_variants(variants)
{
}

std::size_t
DpdlCampaignRunner::Runs() const
{
    return m_variants.size() * m_options.repetitions;
}

::dpdl::RunSettings
DpdlCampaignRunner::SettingsOf(std::size_t index) const
{
    ::dpdl::RunSettings settings = m_variants[index / m_options.repetitions].settings;
    settings.seed.run += static_cast<std::uint32_t>(index % m_options.repetitions);
    settings.trace = m_options.folder + "/" + TraceOf(index);
    settings.overwrite = true;
    settings.progress = false;
    return settings;
}

std::string
DpdlCampaignRunner::TraceOf(std::size_t index) const
{
    const DpdlVariant& variant = m_variants[index / m_options.repetitions];
    const std::size_t run = variant.settings.seed.run + index % m_options.repetitions;
    return variant.name + "-" + std::to_string(run) + ".db";
}

void
DpdlCampaignRunner::ShowPlan() const
{
    for (const DpdlVariant& variant : m_variants)
    {
        std::cout << variant.name << "\n";
    }
    std::cout << m_variants.size() << " variants, " << Runs() << " runs" << std::endl;
}

bool
DpdlCampaignRunner::IsDone(const std::string& trace) const
{
    std::error_code ignored;
    if (m_scenario.Settings().overwrite || !std::filesystem::exists(trace, ignored))
    {
        return false;
    }
    try
    {
        return ::dpdl::TraceReader(trace).Complete();
    }
    catch (const ::dpdl::Error&)
    {
        return false; // its run had not even begun
    }
}

void
DpdlCampaignRunner::CheckFolder() const
{
    if (m_scenario.Settings().overwrite)
    {
        return;
    }
    const std::string list = m_options.folder + "/campaign.json";
    std::ifstream file(list);
    if (file)
    {
        const std::string found{std::istreambuf_iterator<char>(file), {}};
        if (found != List())
        {
            throw ::dpdl::UsageError("option 'outputDir'",
                                     m_options.folder,
                                     "a folder without the results of another campaign, which " +
                                         list + " lists; or --overwrite");
        }
        return;
    }
    for (std::size_t index = 0; index < Runs(); ++index)
    {
        const std::string trace = m_options.folder + "/" + TraceOf(index);
        std::error_code ignored;
        if (std::filesystem::exists(trace, ignored))
        {
            throw ::dpdl::UsageError("option 'outputDir'",
                                     m_options.folder,
                                     "a folder without traces that no campaign.json lists, such "
                                     "as " +
                                         trace + "; or --overwrite");
        }
    }
}

void
DpdlCampaignRunner::Run()
{
    CheckFolder();
    std::error_code error;
    const bool made = std::filesystem::create_directories(m_options.folder, error);
    if (error)
    {
        throw ::dpdl::UsageError("option 'outputDir'",
                                 m_options.folder,
                                 "a folder that can be written");
    }
    const ::dpdl::RunSettings& shared = m_scenario.Settings();
    // As long as it is held no run reads it again.
    std::shared_ptr<const ::dpdl::Dataset> dataset;
    m_start = m_told = std::chrono::steady_clock::now();
    RunFirst(made);
    dataset =
        ::dpdl::LoadDataset(shared.dataset, shared.dataDir, shared.samples, shared.testSamples);
    WriteList();
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t wanted = m_options.jobs > 0 ? m_options.jobs : cores;
    const auto parts = static_cast<unsigned>(std::min(wanted, Runs()));
    if (parts == 1)
    {
        RunPart(0, 1);
    }
    else
    {
        m_scenario.RunProcesses(parts, [this, parts](unsigned part) { RunPart(part, parts); });
    }
    std::cout << Runs() << " traces: " << m_options.folder << std::endl;
}

void
DpdlCampaignRunner::RunFirst(bool madeFolder)
{
    try
    {
        RunOne(0);
    }
    catch (...)
    {
        if (madeFolder)
        {
            // Stays if the run has left a trace there.
            std::error_code ignored;
            std::filesystem::remove(m_options.folder, ignored);
        }
        throw;
    }
}

void
DpdlCampaignRunner::RunPart(unsigned part, unsigned parts)
{
    for (std::size_t index = 1 + part; index < Runs(); index += parts)
    {
        RunOne(index);
        if (part == 0)
        {
            TellProgress(index + 1);
        }
    }
}

void
DpdlCampaignRunner::TellProgress(std::size_t done)
{
    const auto now = std::chrono::steady_clock::now();
    if (!m_scenario.Settings().progress || now - m_told < TELL_INTERVAL)
    {
        return;
    }
    m_told = now;
    const std::chrono::duration<double> elapsed = now - m_start;
    const double left =
        elapsed.count() * static_cast<double>(Runs() - done) / static_cast<double>(done);
    std::cerr << m_name << ": run " << done << "/" << Runs() << "  ETA " << std::llround(left)
              << " s" << std::endl;
}

void
DpdlCampaignRunner::RunOne(std::size_t index)
{
    if (IsDone(m_options.folder + "/" + TraceOf(index)))
    {
        return;
    }
    m_scenario.Run(SettingsOf(index), m_name, [this](::dpdl::Experiment& run) {
        for (const std::string& warning : run.Warnings())
        {
            if (m_warned.insert(warning).second)
            {
                std::cerr << m_name << ": " << warning << std::endl;
            }
        }
    });
}

std::string
DpdlCampaignRunner::List() const
{
    std::ostringstream list;
    list << "{\"scenario\": " << ::dpdl::JsonText(m_name)
         << ",\n \"settings\": " << FactorsAsJson(SharedSettings(m_scenario.Settings()))
         << ",\n \"runs\": [";
    for (std::size_t index = 0; index < Runs(); ++index)
    {
        list << (index == 0 ? "" : ",") << "\n  {\"trace\": " << ::dpdl::JsonText(TraceOf(index))
             << ", \"run\": " << SettingsOf(index).seed.run << ", \"factors\": "
             << FactorsAsJson(m_variants[index / m_options.repetitions].factors) << "}";
    }
    list << "\n]}\n";
    return list.str();
}

void
DpdlCampaignRunner::WriteList() const
{
    WriteFile("campaign.json", List());
    for (const auto& [name, content] : m_options.files)
    {
        WriteFile(name, content);
    }
}

void
DpdlCampaignRunner::WriteFile(const std::string& name, const std::string& content) const
{
    const std::string path = m_options.folder + "/" + name;
    std::ofstream file(path);
    file << content;
    if (!file.flush())
    {
        throw ::dpdl::Error("the file " + path + " cannot be written");
    }
}

} // namespace ns3
