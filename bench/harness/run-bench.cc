// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "run-bench.h"

#include "dpdl/base/options.h"
#include "dpdl/experiment/make-run-origin.h"
#include "run-tool.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

extern "C"
{
    // There with OpenBLAS only.
    __attribute__((weak)) char* openblas_get_corename();
    __attribute__((weak)) int openblas_get_num_threads();
    __attribute__((weak)) char* openblas_get_config();
}

namespace dpdl
{

namespace
{

using OptionList = OptionTable<BenchRequest>;

constexpr std::size_t MOST_REPEATS = 1000;
constexpr std::uint64_t MOST_NODES = 100000;
constexpr std::size_t QUICK_REPEATS = 3;
/// Least seconds of a sample: long against the clock's step and short against the scheduler's.
constexpr double SAMPLE = 0.02;

std::string
Environment(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? "not set" : value;
}

/// The widest vector instructions for which the kernels have a variant.
std::string
VectorInstructions()
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0)
    {
        return "AVX-512";
    }
    if (__builtin_cpu_supports("avx2") != 0)
    {
        return "AVX2";
    }
#endif
    return "portable";
}

/// Mean number of processes that wanted to run, over 1, 5 and 15 minutes.
std::string
Load()
{
    std::array<double, 3> averages{};
    if (getloadavg(averages.data(), 3) != 3)
    {
        return "unknown";
    }
    return ShowRounded(averages[0], 3) + " " + ShowRounded(averages[1], 3) + " " +
           ShowRounded(averages[2], 3);
}

/**
 * @brief What a time depends on and a program can find out: processor, cores, vector instructions,
 *        which kernels BLAS has taken, threads, allocator, versions, and the load at this moment.
 */
BenchFacts
MachineFacts()
{
    BenchFacts facts = BuildFacts();
    facts.emplace_back("commit", Environment("DPDL_COMMIT"));
    facts.emplace_back("cores", std::to_string(std::thread::hardware_concurrency()));
    facts.emplace_back("vector instructions", VectorInstructions());
    if (openblas_get_corename != nullptr && openblas_get_config != nullptr)
    {
        facts.emplace_back("OpenBLAS", openblas_get_config());
        facts.emplace_back("OpenBLAS kernels in force", openblas_get_corename());
    }
    if (openblas_get_num_threads != nullptr)
    {
        facts.emplace_back("BLAS threads", std::to_string(openblas_get_num_threads()));
    }
    facts.emplace_back("GLIBC_TUNABLES", Environment("GLIBC_TUNABLES"));
    facts.emplace_back("load", Load());
    return facts;
}

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

/// Names with commas between them.
Codec<std::vector<std::string>>
Words()
{
    return {
        "names of `list models`, with commas",
        [](const std::string& /* name */, const std::string& text) { return SplitAtCommas(text); },
        {}};
}

/// Numbers of nodes with commas between them.
Codec<std::vector<std::uint64_t>>
NodeCounts()
{
    const Codec<std::uint64_t> count = WholeNumber(20, MOST_NODES);
    return {count.accepted + ", or several with commas",
            [count](const std::string& name, const std::string& text) {
                std::vector<std::uint64_t> counts;
                for (const std::string& word : SplitAtCommas(text))
                {
                    counts.push_back(count.parse(name, word));
                }
                return counts;
            },
            {}};
}

Codec<std::regex>
Pattern()
{
    const std::string accepted = "a regular expression";
    return {accepted,
            [accepted](const std::string& name, const std::string& text) {
                try
                {
                    return std::regex(text);
                }
                catch (const std::regex_error&)
                {
                    throw UsageError(OptionTitle(name), text, accepted);
                }
            },
            {}};
}

OptionList
OptionsOf(const Bench& bench)
{
    using Request = BenchRequest;
    OptionList table;
    table.Add("repeats",
              WholeNumber(1, MOST_REPEATS),
              &Request::repeats,
              "repetitions of a measurement");
    table.Add("output", AnyText("a file"), &Request::output, "where the JSON goes")
        .Default("NAME.json beside the program");
    table.Add("markdown", Switch(true), &Request::markdown, "print the table for a page");
    table.Add("quick", Switch(true), &Request::quick, "small cases, to see that it works");
    OptionList own;
    own.Add("model", Words(), &Request::models, "measure these models only").Default("all");
    own.Add("python", AnyText("a program, or off"), &Request::python, "Python with the peers")
        .Default("python3");
    own.Add("nodes", NodeCounts(), &Request::nodes, "numbers of nodes to measure").Default("");
    own.Add("filter", Pattern(), &Request::filter, "run these cases only").Default("all");
    own.Add("large", Switch(true), &Request::large, "also cases that need gigabytes or minutes");
    for (const OptionRow<Request>& option : own.Options())
    {
        if (bench.options.count(option.name) != 0)
        {
            table.Add(option);
        }
    }
    return table;
}

/// Where the JSON of a benchmark goes by default: NAME.json in the folder of the program.
std::string
DefaultOutput(const std::string& name)
{
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
    return (program.parent_path() / (name + ".json")).string();
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
    BenchFacts facts = MachineFacts();
    BenchReport report;
    bench.run(request, report);
    for (auto& [name, value] : facts)
    {
        value = name == "gpu" && !report.Device().empty() ? report.Device() : value;
    }
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

void
BenchRequest::CheckModels(const std::vector<std::string>& known) const
{
    for (const std::string& name : models)
    {
        if (std::find(known.begin(), known.end(), name) == known.end())
        {
            ThrowUnknownName("model", name, known);
        }
    }
}

bool
BenchRequest::Fits(const std::string& name) const
{
    return std::regex_search(name, filter);
}

InterleavedBenchmark::Rules
BenchRequest::Rules(double budget, TimeOf time) const
{
    return quick ? InterleavedBenchmark::Rules{repeats, SAMPLE / 10.0, budget / 10.0, time}
                 : InterleavedBenchmark::Rules{repeats, SAMPLE, budget, time};
}

int
RunBench(const Bench& bench, const std::vector<std::string>& arguments)
{
    return RunTool("bench " + bench.name, [&]() {
        const OptionList options = OptionsOf(bench);
        if (std::find(arguments.begin(), arguments.end(), "--help") != arguments.end())
        {
            std::cout << "usage: ./dpdl bench " << bench.name << " [--option=value ...]\n\n"
                      << bench.summary << "\n\n"
                      << options.Help() << "  --help\n      these lines\n";
            return;
        }
        BenchRequest request;
        options.Read(options.Split(arguments), request);
        Measure(bench, request);
    });
}

} // namespace dpdl
