// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * The first run: four times the same 20 nodes, data and lossy links, with and without privacy, and
 * with the step as it is published.
 */

#include "dpdl/base/errors.h"
#include "dpdl/trace/trace-reader.h"

#include "ns3/dpdl-scenario.h"

#include <filesystem>

namespace
{

using dpdl::RunSettings;

/// One of the four runs: its name and what it changes.
struct Variant
{
    const char* name;                         ///< of the run and of its trace
    const char* algorithm;                    ///< what learns
    std::optional<dpdl::StepScale> stepScale; ///< empty: as the mode says
};

constexpr dpdl::StepScale PLAIN = dpdl::StepScale::PLAIN;

/// Whether the run's trace is there already, of the same command line. Lets one that is incomplete
/// be replaced.
bool
IsDone(RunSettings& settings, const std::string& commandLine)
{
    std::error_code ignored;
    if (settings.overwrite || !std::filesystem::exists(settings.trace, ignored))
    {
        return false;
    }
    const dpdl::TraceReader trace(settings.trace);
    const bool isSame = trace.Setting("commandLine") == commandLine;
    settings.overwrite = isSame && !trace.Complete();
    return isSame && trace.Complete();
}

void
RunAll(ns3::DpdlScenario& scenario, const std::string& folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
    {
        throw dpdl::UsageError("option 'outputDir'", folder, "a folder that can be written");
    }
    const Variant variants[] = {{"sgp", "sgp", std::nullopt},
                                {"const-d2p", "const-d2p", std::nullopt},
                                {"dyn-d2p", "dyn-d2p", std::nullopt},
                                {"dyn-d2p-plain", "dyn-d2p", PLAIN}};
    for (const Variant& variant : variants)
    {
        RunSettings settings = scenario.Settings();
        settings.algorithm = variant.algorithm;
        settings.stepScale = variant.stepScale;
        settings.trace = folder + "/" + variant.name + ".db";
        if (!IsDone(settings, scenario.CommandLine()))
        {
            scenario.Run(settings, variant.name);
        }
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    ns3::DpdlScenario scenario("quickstart",
                               "four runs on lossy links: sgp, const-d2p, dyn-d2p, and dyn-d2p "
                               "with the published step");
    for (const auto& [name, value] : {std::pair{"rounds", "400"},
                                      {"drop", "0.02"},
                                      {"evaluateEvery", "20"},
                                      {"testSamples", "2000"}})
    {
        dpdl::SetOption(scenario.Settings(), name, value);
    }
    std::string folder = "quickstart-results";
    scenario.AddOption({"outputDir",
                        folder,
                        "a folder",
                        "where the four traces go; those of the same command line stay",
                        false,
                        [&folder](RunSettings&, const std::string& value) { folder = value; },
                        [&folder](const RunSettings&) { return folder; }});
    return scenario.Main(argc, argv, [&folder](ns3::DpdlScenario& s) { RunAll(s, folder); });
}
