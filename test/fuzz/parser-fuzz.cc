// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * Fuzz target of the parsers of files and texts: whatever the bytes, they are read, or one line of
 * bounded length says what is wrong.
 *
 * usage: DPDL_PARSER=NAME parser-fuzz [libFuzzer options] [CORPUS]
 */

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/data/cifar-file.h"
#include "dpdl/data/dataset.h"
#include "dpdl/data/idx-file.h"
#include "dpdl/network/failure-event.h"
#include "dpdl/network/link-table.h"
#include "dpdl/network/movement-file.h"
#include "dpdl/privacy/schedule-file.h"
#include "dpdl/topology/contact-file.h"
#include "dpdl/topology/edge-list-file.h"
#include "dpdl/training/model.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <unistd.h>

namespace
{

constexpr std::size_t NODES = 7;
constexpr std::size_t LONGEST_MESSAGE = 1000;

using Parser = std::function<void(const std::string& bytes)>;

void
Check(bool holds)
{
    if (!holds)
    {
        std::abort();
    }
}

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

void
ReadIdx(const std::string& path)
{
    const dpdl::IdxArray images = dpdl::ReadIdxFile(path, {2, 3});
    Check(images.sizes.size() == 3 && images.values.size() == images.sizes[0] * 6);
}

void
ReadCifar(const std::string& path)
{
    dpdl::Split split;
    dpdl::ReadCifarFile(path, 2, 2, split);
    Check(split.labels.size() == 2 && split.pixels.size() == 2 * 3072);
}

const std::map<std::string, Parser>&
Parsers()
{
    static const std::map<std::string, Parser> parsers{
        {"activity", OfText([](auto& text, auto name) { dpdl::ParseActivity(text, name, NODES); })},
        {"cifar", OfFile(ReadCifar)},
        {"contacts", OfText([](auto& text, auto name) { dpdl::ParseContacts(text, name, NODES); })},
        {"edges", OfText([](auto& text, auto name) { dpdl::ParseEdgeList(text, name, NODES); })},
        {"failures", [](const std::string& bytes) { dpdl::ParseFailures(bytes, "input", NODES); }},
        {"idx", OfFile(ReadIdx)},
        {"links", OfText(ParseLinks)},
        {"model", OfFile([](const auto& path) { dpdl::ModelInfo("file:" + path); }, ".json")},
        {"movement", OfText([](auto& text, auto name) { dpdl::ParseMovement(text, name); })},
        {"quantities", ParseQuantities},
        {"schedule", OfText([](auto& text, auto name) { dpdl::ParseSchedule(text, name); })},
    };
    return parsers;
}

const Parser&
ChosenParser()
{
    const char* const name = std::getenv("DPDL_PARSER");
    const auto found = Parsers().find(name == nullptr ? "" : name);
    if (found == Parsers().end())
    {
        std::fputs("parser-fuzz: DPDL_PARSER is to be one of:", stderr);
        for (const auto& [known, parser] : Parsers())
        {
            std::fputs((" " + known).c_str(), stderr);
        }
        std::fputs("\n", stderr);
        std::exit(2);
    }
    return found->second;
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const Parser& parser = ChosenParser();
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
