// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * Fuzz target of the parsers of files and texts: whatever the bytes, they are read, or one line of
 * bounded length says what is wrong.
 *
 * usage: DPDL_PARSER=NAME parser-fuzz [libFuzzer options] [CORPUS]
 */

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/data/dataset.h"
#include "dpdl/data/image-files.h"
#include "dpdl/experiment/option-table.h"
#include "dpdl/network/failure-event.h"
#include "dpdl/network/link-table.h"
#include "dpdl/network/movement-file.h"
#include "dpdl/privacy/step-group.h"
#include "dpdl/topology/contact-file.h"
#include "dpdl/topology/edge-list-file.h"
#include "dpdl/topology/topologies.h"
#include "dpdl/training/model.h"
#include "parsers.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <unistd.h>

namespace
{

constexpr std::size_t NODES = 7;
constexpr std::size_t LONGEST_MESSAGE = 1000;

/// The parser of a file, which finds the bytes in memory.
Parser
OfFile(const std::function<void(const std::string& path)>& read, const std::string& ending = "")
{
    return [read, ending](const std::string& bytes) {
        const std::string path = "/dev/shm/dpdl-fuzz-" + std::to_string(getpid()) + ending;
        std::ofstream(path, std::ios::binary) << bytes;
        try
        {
            read(path);
        }
        catch (...)
        {
            std::remove(path.c_str());
            throw;
        }
        std::remove(path.c_str());
    };
}

/// The parser of a text. @param parse has the arguments text and name
template <typename Parse>
Parser
OfText(Parse parse)
{
    return [parse](const std::string& bytes) {
        std::istringstream text(bytes);
        parse(text, "input");
    };
}

/// What is read as a number is read again from what is shown of it.
void
ParseQuantities(const std::string& bytes)
{
    for (const auto& parse : {dpdl::ParseSeconds, dpdl::ParseBitsPerSecond})
    {
        try
        {
            Check(parse("value", bytes) >= 0.0);
        }
        catch (const dpdl::UsageError&)
        {
        }
    }
    const double number = dpdl::ParseNumber("value", bytes, "a number");
    Check(dpdl::ParseNumber("value", dpdl::ShowNumber(number), "a number") == number);
}

void
ParseLinks(std::istream& text, const std::string& name)
{
    dpdl::LinkTable table(NODES);
    std::set<dpdl::LinkColumn> claimed;
    table.Read(text, name, dpdl::LinkColumn::DELAY, claimed);
    const dpdl::LinkParameters link = table.At(0, 1);
    Check(link.delay >= 0.0 && link.drop >= 0.0 && link.drop <= 1.0);
}

/// Lines NAME=VALUE. What is shown of a value is read again as the same value.
void
ParseOptions(std::istream& text)
{
    dpdl::RunOptions options;
    for (std::string line; std::getline(text, line);)
    {
        const std::size_t end = line.find('=');
        const auto* const option = dpdl::LearningOptions().Find(line.substr(0, end));
        if (option == nullptr || end == std::string::npos || line.find('/') != std::string::npos)
        {
            continue;
        }
        option->set(options, line.substr(end + 1));
        if (option->show && !option->isList)
        {
            const std::string shown = option->show(options);
            option->set(options, shown);
            Check(option->show(options) == shown);
        }
    }
}

/// An algorithm and its hyper-parameters, in two lines.
void
ParseHyper(std::istream& text)
{
    std::string algorithm;
    std::string hyper;
    std::getline(text, algorithm);
    std::getline(text, hyper);
    const dpdl::AlgorithmPreset preset = dpdl::MakeAlgorithm(algorithm, hyper);
    Check(preset.stepSize >= 0.0 && preset.clip >= 0.0);
}

/// Every sender's shares and what it keeps sum to 1, whatever the graph.
void
ParseTopology(const std::string& bytes)
{
    if (bytes.find('/') != std::string::npos)
    {
        return;
    }
    const auto graph = dpdl::MakeGraphSequence(bytes, NODES, {});
    if (!graph->FollowsRun())
    {
        Check(dpdl::ColumnError(*graph, 0) < 1e-12 && dpdl::ColumnError(*graph, 1) < 1e-12);
    }
}

void
ReadIdx(const std::string& path)
{
    const dpdl::IdxArray images = dpdl::ReadIdxFile(path, {2, 3});
    Check(images.sizes.size() == 3 && images.values.size() == images.sizes[0] * 6);
}

/// @param member of an archive; empty: the file is none
void
ReadCifar(const std::string& path, const std::string& member)
{
    dpdl::Split split;
    dpdl::ReadCifarFile(path, member, 2, 2, split);
    Check(split.labels.size() == 2 && split.pixels.size() == 2 * 3072);
}

const Parsers&
AllParsers()
{
    static const Parsers parsers{
        {"activity", OfText([](auto& text, auto name) { dpdl::ParseActivity(text, name, NODES); })},
        {"archive", OfFile([](const auto& path) { ReadCifar(path, "b"); })},
        {"cifar", OfFile([](const auto& path) { ReadCifar(path, ""); })},
        {"contacts", OfText([](auto& text, auto name) { dpdl::ParseContacts(text, name, NODES); })},
        {"edges", OfText([](auto& text, auto name) { dpdl::ParseEdgeList(text, name, NODES); })},
        {"failures", [](const std::string& bytes) { dpdl::ParseFailures(bytes, "input", NODES); }},
        {"hyper", OfText([](auto& text, auto) { ParseHyper(text); })},
        {"idx", OfFile(ReadIdx)},
        {"links", OfText(ParseLinks)},
        {"model", OfFile([](const auto& path) { dpdl::ModelInfo("file:" + path); }, ".json")},
        {"movement", OfText([](auto& text, auto name) { dpdl::ParseMovement(text, name); })},
        {"options", OfText([](auto& text, auto) { ParseOptions(text); })},
        {"quantities", ParseQuantities},
        {"schedule", OfText([](auto& text, auto name) { dpdl::ParseSchedule(text, name); })},
        {"topology", ParseTopology},
    };
    return parsers;
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const Parser& parser = ChosenParser(AllParsers());
    try
    {
        parser(std::string(reinterpret_cast<const char*>(data), size));
    }
    catch (const dpdl::UsageError& error)
    {
        const std::string message = error.what();
        const auto isControl = [](unsigned char c) { return c < ' ' || c == 0x7f; };
        Check(!message.empty() && message.size() < LONGEST_MESSAGE &&
              std::none_of(message.begin(), message.end(), isControl));
    }
    return 0;
}
