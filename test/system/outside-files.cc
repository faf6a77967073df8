// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Reads files for system/outside_files.py: lines READER TAB PATH on standard input. Answers each
// with a line: "read", a tab and the content, or "refused", a tab and the message.

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/input-file.h"
#include "dpdl/base/quantity.h"
#include "dpdl/data/dataset.h"
#include "dpdl/data/image-files.h"
#include "dpdl/experiment/node-epsilons.h"
#include "dpdl/network/building-file.h"
#include "dpdl/network/failure-event.h"
#include "dpdl/network/link-table.h"
#include "dpdl/network/movement-file.h"
#include "dpdl/privacy/step-group.h"
#include "dpdl/topology/contact-file.h"
#include "dpdl/topology/edge-list-file.h"
#include "dpdl/trace/run-origin.h"
#include "dpdl/trace/trace-reader.h"
#include "dpdl/training/model.h"

#include <iostream>
#include <map>
#include <set>
#include <sstream>

using namespace dpdl;

namespace
{

constexpr std::size_t NODES = 3;

/// End of a run that the times of the clean files cover, in s.
constexpr double END = 8.0;

template <class Values>
void
Show(std::ostream& out, const Values& values)
{
    for (const auto value : values)
    {
        out << ' ' << ShowNumber(static_cast<double>(value));
    }
    out << ';';
}

void
ShowWarning(std::ostream& out, const InputTimes& times)
{
    out << (WarnOfTimes(times, END).empty() ? "" : " warned");
}

void
ReadData(const std::string& path, std::ostream& out)
{
    const auto data = LoadDataset("file:" + path, "", 0, 0, {"label", 0.25, {1, 1}, 0});
    out << data->shape.Text() << " in " << data->classes;
    for (const Split* split : {&data->train, &data->test})
    {
        Show(out, split->pixels);
        Show(out, split->values);
        Show(out, split->labels);
    }
}

void
ReadGraph(const std::string& path, std::ostream& out)
{
    const auto graph = ReadEdgeListFile(path, NODES);
    for (Round round = 0; round < graph->Period(); ++round)
    {
        for (NodeId node = 0; node < NODES; ++node)
        {
            Show(out, graph->OutNeighbours(node, round));
        }
    }
}

void
ReadContacts(const std::string& path, std::ostream& out)
{
    const auto graph = ReadContactFile(path, NODES);
    const auto times = ContactTimes(*graph);
    out << times->first << " to " << times->last;
    const auto edges = graph->PossibleEdges();
    for (const Edge& edge : edges.value_or(std::vector<Edge>()))
    {
        out << ' ' << edge.source << "->" << edge.target;
    }
    ShowWarning(out, *times);
}

void
ReadLinks(const std::string& path, std::ostream& out)
{
    LinkTable table(NODES);
    std::set<LinkColumn> claimed;
    table.ReadFile(path, LinkColumn::DELAY, claimed);
    for (const auto& [source, target] : {std::pair{0, 1}, {1, 2}, {2, 0}})
    {
        const LinkParameters link = table.At(source, target);
        Show(out, std::vector<double>{link.dataRate, link.delay, link.drop});
    }
}

void
ReadFailures(const std::string& path, std::ostream& out)
{
    FailureScript script(NODES);
    script.AddFile(path);
    for (const FailureEvent& event : script.Events())
    {
        out << FailureEventName(event.kind, true) << ' ' << event.value << ' ' << event.timing.begin
            << ' ' << event.timing.end << "; ";
    }
}

void
ReadMoves(const std::string& path, std::ostream& out)
{
    const Movement movement = ReadMovement(path);
    Show(out,
         std::vector<double>{movement.first,
                             movement.last,
                             movement.low.x,
                             movement.low.y,
                             movement.high.x,
                             movement.high.y});
    out << movement.nodes << " nodes";
    ShowWarning(out, {"", movement.first, movement.last, ""});
}

void
ReadPresence(const std::string& path, std::ostream& out)
{
    InputTimes times{"", LONGEST_TIME, LONGEST_TIME, ""};
    for (const Presence& presence : ReadActivity(path, NODES))
    {
        Show(out, std::vector<double>{presence.start, presence.stop});
        times.first = std::min(times.first, presence.start);
    }
    ShowWarning(out, times);
}

void
ReadHouses(const std::string& path, std::ostream& out)
{
    for (const Building& building : ReadBuildings(path))
    {
        Show(out,
             std::vector<double>{building.xMin,
                                 building.xMax,
                                 building.yMin,
                                 building.yMax,
                                 building.height});
    }
}

void
ReadModel(const std::string& path, std::ostream& out)
{
    const ModelSpec model = MakeModel("file:" + path, {1, 2, 2}, 3);
    out << model.ParameterCount();
    Show(out, InitialParameters(model, "default", {1, 1}));
}

/// The model of a TorchScript file with one linear layer, behind its description.
void
ReadScript(const std::string& path, std::ostream& out)
{
    const std::string description = path.substr(0, path.rfind('.')) + ".json";
    Show(out,
         InitialParameters(MakeModel("file:" + description, {1, 1, 12}, 3), "default", {1, 1}));
}

/// Two records of CIFAR-10. @param member of a tar archive; empty: the file is none
void
ReadRecords(const std::string& path, const std::string& member, std::ostream& out)
{
    Split split;
    ReadCifarFile(path, member, 2, 2, split);
    Show(out, split.labels);
    Show(out, split.pixels);
}

void
ReadSteps(const std::string& path, std::ostream& out)
{
    for (const StepGroup& group : ReadScheduleFile(path))
    {
        Show(out, std::vector<double>{group.noise, group.rate, static_cast<double>(group.steps)});
    }
}

void
ReadRounds(const std::string& path, std::ostream& out)
{
    AlgorithmPreset preset = MakeAlgorithm("dyn-d2p-general", "");
    preset.schedule = preset.readSchedule(path);
    for (Round round = 0; round < 6; ++round)
    {
        const RoundShape shape = ShapeOf(preset, round, 6);
        Show(out, std::vector<double>{shape.clip, shape.strength});
    }
}

void
ReadOrigins(const std::string& path, std::ostream& out)
{
    for (const auto& [name, value] : ReadOrigin(path))
    {
        out << name << '=' << value << ' ';
    }
}

void
ReadTrace(const std::string& path, std::ostream& out)
{
    const TraceReader trace(path);
    out << trace.Setting("algorithm").value_or("") << ' '
        << trace.SummaryNumber("rounds").value_or(-1.0) << ' ' << trace.Deliveries(NODES).size();
}

using Reader = void (*)(const std::string&, std::ostream&);

const std::map<std::string, Reader>&
Readers()
{
    static const std::map<std::string, Reader> readers{
        {"npz", ReadData},
        {"csv", ReadData},
        {"graph", ReadGraph},
        {"contacts", ReadContacts},
        {"links", ReadLinks},
        {"failures", ReadFailures},
        {"movement", ReadMoves},
        {"fcd", ReadMoves},
        {"activity", ReadPresence},
        {"buildings", ReadHouses},
        {"model", ReadModel},
        {"weights",
         [](const auto& path, auto& out) {
             ReadModel(path.substr(0, path.rfind('.')) + ".json", out);
         }},
        {"schedule", ReadSteps},
        {"rounds", ReadRounds},
        {"budgets",
         [](const auto& path, auto& out) {
             Show(out, NodeEpsilons::Parse("epsilon", "file:" + path).Of(NODES));
         }},
        {"idx",
         [](const auto& path, auto& out) {
             Show(out, ReadIdxFile(path, {1, 2}).values);
         }},
        {"cifar", [](const auto& path, auto& out) { ReadRecords(path, "", out); }},
        {"tar", [](const auto& path, auto& out) { ReadRecords(path, "data_batch_1.bin", out); }},
        {"script", ReadScript},
        {"trace", ReadTrace},
        {"checkpoint", ReadOrigins},
    };
    return readers;
}

} // namespace

int
main()
{
    std::string reader;
    std::string path;
    while (std::getline(std::cin, reader, '\t') && std::getline(std::cin, path))
    {
        std::ostringstream content;
        try
        {
            Readers().at(reader)(path, content);
            std::cout << "read\t" << content.str() << std::endl;
        }
        catch (const UsageError& error)
        {
            std::cout << "refused\t" << error.what() << std::endl;
        }
    }
    return 0;
}
