// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "run-bench.h"

#include "dpdl/base/command-options.h"
#include "machine-facts.h"
#include "report-text.h"
#include "run-tool.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace dpdl
{

namespace
{

using OptionList = CommandOptions<BenchRequest, int>;
using Option = OptionList::Option;

constexpr std::size_t MOST_REPEATS = 1000;
constexpr std::uint64_t MOST_NODES = 100000;
constexpr std::size_t QUICK_REPEATS = 3;
/// Least seconds of a sample: long against the clock's step and short against the scheduler's.
constexpr double SAMPLE = 0.02;

std::vector<std::string>
SplitAtCommas(const std::string& text)
{
    std::vector<std::string> words;
    std::istringstream stream(text);
    for (std::string word; std::getline(stream, word, ',');)
    {
        words.push_back(word);
    }
    return words;
}

std::vector<Option>
CommonOptions()
{
    return {
        {"repeats",
         "a whole number from 1 to 1000",
         "repetitions of a measurement",
         "9",
         {},
         {},
         CountSetter("repeats", 1, MOST_REPEATS, &BenchRequest::repeats)},
        {"output",
         "a file",
         "where the JSON goes",
         "NAME.json beside the program",
         {},
         {},
         [](BenchRequest& request, const std::string& text) { request.output = text; }},
        {"markdown",
         "",
         "print the table for a page",
         "",
         {},
         {},
         [](BenchRequest& request, const std::string&) { request.markdown = true; }},
        {"quick",
         "",
         "small cases, to see that it works",
         "",
         {},
         {},
         [](BenchRequest& request, const std::string&) { request.quick = true; }},
    };
}

std::vector<Option>
OwnOptions()
{
    return {
        {"model",
         "names of `list models`, with commas",
         "measure these models only",
         "all",
         {},
         {},
         [](BenchRequest& request, const std::string& text) {
             request.models = SplitAtCommas(text);
         }},
        {"python",
         "a program, or off",
         "Python with the peers",
         "python3",
         {},
         {},
         [](BenchRequest& request, const std::string& text) { request.python = text; }},
        {"nodes",
         "a whole number from 20 to 100000",
         "one more number of nodes",
         "",
         {},
         {},
         CountSetter("nodes", 20, MOST_NODES, &BenchRequest::nodes)},
        {"large",
         "",
         "also cases that need gigabytes or minutes",
         "",
         {},
         {},
         [](BenchRequest& request, const std::string&) { request.large = true; }},
    };
}

OptionList
OptionsOf(const Bench& bench)
{
    std::vector<Option> options = CommonOptions();
    for (Option& option : OwnOptions())
    {
        if (bench.options.count(option.name) != 0)
        {
            options.push_back(std::move(option));
        }
    }
    return OptionList(std::move(options));
}

/// Opened before anything is measured, so that nothing is measured in vain.
std::ofstream
OpenOutput(const std::string& path)
{
    std::ofstream file(path);
    if (!file)
    {
        throw UsageError(OptionTitle("output"), path, "a file in a folder that can be written");
    }
    return file;
}

void
Measure(const Bench& bench, BenchRequest request)
{
    const std::string path = request.output.empty() ? DefaultOutput(bench.name) : request.output;
    std::ofstream file = OpenOutput(path);
    request.repeats = request.quick ? std::min(request.repeats, QUICK_REPEATS) : request.repeats;
    const BenchFacts facts = MachineFacts();
    BenchReport report;
    bench.run(request, report);
    std::cout << (request.markdown ? ReportMarkdown(report) : ReportTable(report, facts));
    file << ReportJson(bench.name, report, facts);
    if (!file.flush())
    {
        throw Error("could not write " + path);
    }
    Say("bench " + bench.name, "wrote " + path);
}

} // namespace

bool
BenchRequest::Wants(const std::string& model) const
{
    return models.empty() || std::find(models.begin(), models.end(), model) != models.end();
}

Contest::Rules
BenchRequest::Rules(double budget, TimeOf time) const
{
    return quick ? Contest::Rules{repeats, SAMPLE / 10.0, budget / 10.0, time}
                 : Contest::Rules{repeats, SAMPLE, budget, time};
}

std::string
BenchHelp(const std::string& name, const std::string& summary, const std::string& options)
{
    return "usage: ./dpdl bench " + name + " [--option=value ...]\n\n" + summary + "\n\n" +
           options + "  --help\n      these lines\n";
}

std::string
DefaultOutput(const std::string& name)
{
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
    return (program.parent_path() / (name + ".json")).string();
}

int
RunBench(const Bench& bench, const std::vector<std::string>& arguments)
{
    return RunTool("bench " + bench.name, [&]() {
        const OptionList options = OptionsOf(bench);
        if (std::find(arguments.begin(), arguments.end(), "--help") != arguments.end())
        {
            std::cout << BenchHelp(bench.name, bench.summary, options.Help());
            return;
        }
        BenchRequest request;
        options.Read(options.Split(arguments), request);
        Measure(bench, request);
    });
}

} // namespace dpdl
