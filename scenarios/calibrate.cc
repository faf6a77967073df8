// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * Fits the links of message mode to a short simulation of packets over the links of a topology,
 * writes a link file for `--dataRate=file:PATH`, and prints the relative errors of message
 * durations.
 */

#include "dpdl/base/errors.h"

#include "ns3/dpdl-calibration.h"
#include "ns3/dpdl-scenario.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <unistd.h>

namespace
{

/// Options of scenario calibrate, in addition to those of a run.
struct Choices
{
    std::string output{"links.txt"}; ///< path of the link file
    std::uint32_t burst{3};          ///< number of messages sent together to measure a link's queue
    bool json{false};                ///< true: print the result as JSON
};

void
AddOptions(ns3::DpdlScenario& scenario, Choices& choices)
{
    scenario.AddOption("output",
                       dpdl::AnyText("a path"),
                       choices.output,
                       "link file that is written");
    scenario.AddOption("burst",
                       dpdl::WholeNumber<std::uint32_t>(2, 1000),
                       choices.burst,
                       "messages that are sent together to see a link's queue");
    scenario.AddOption("json", dpdl::Switch(true), choices.json, "answer with one JSON object")
        .Accepts("no value");
}

/// Throws dpdl::UsageError if the file exists, unless an earlier calibration wrote it.
void
CheckOutput(const std::string& path)
{
    std::error_code ignored;
    DPDL_REFUSE_IF(std::filesystem::exists(path, ignored) &&
                       !std::filesystem::is_regular_file(path, ignored),
                   "option 'output'",
                   path,
                   "the name of a file");
    std::ifstream file(path);
    std::string first;
    DPDL_REFUSE_IF(file && std::getline(file, first) && first != ns3::DpdlCalibration::FIRST_LINE,
                   "option 'output'",
                   path,
                   "a file that does not exist, or one that calibrate has written");
}

void
Calibrate(ns3::DpdlScenario& scenario, const Choices& choices)
{
    CheckOutput(choices.output);
    const std::string part = choices.output + "." + std::to_string(getpid());
    std::ofstream file(part);
    DPDL_REFUSE_IF(!file, "option 'output'", choices.output, "a path that can be written");
    try
    {
        const ns3::DpdlCalibration calibration(scenario.Settings(), choices.burst);
        calibration.WriteLinkFile(file);
        file.close();
        std::filesystem::rename(part, choices.output);
        choices.json ? calibration.WriteJson(std::cout) : calibration.WriteTable(std::cout);
    }
    catch (...)
    {
        std::filesystem::remove(part);
        throw;
    }
    std::cerr << "calibrate: wrote " << choices.output << std::endl;
}

} // namespace

int
main(int argc, char* argv[])
{
    ns3::DpdlScenario scenario("calibrate", "fits message mode to packets");
    Choices choices;
    AddOptions(scenario, choices);
    return scenario.Main(argc, argv, [&choices](ns3::DpdlScenario& self) {
        Calibrate(self, choices);
    });
}
