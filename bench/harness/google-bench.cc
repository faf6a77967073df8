// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "google-bench.h"

#include "dpdl/base/command-options.h"
#include "run-bench.h"
#include "run-tool.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <iostream>

namespace dpdl
{

namespace
{

/// What is asked for.
struct GoogleRequest
{
    std::string output; ///< file for the JSON
    std::string filter; ///< regular expression of the cases
};

using OptionList = CommandOptions<GoogleRequest, int>;

OptionList
MakeOptions()
{
    return OptionList({
        {"filter",
         "a regular expression",
         "run these cases only",
         "all",
         {},
         {},
         [](GoogleRequest& request, const std::string& text) { request.filter = text; }},
        {"output",
         "a file",
         "where the JSON goes",
         "NAME.json beside the program",
         {},
         {},
         [](GoogleRequest& request, const std::string& text) { request.output = text; }},
    });
}

void
Run(GoogleRequest request)
{
    std::vector<std::string> words{"bench",
                                   "--benchmark_out=" + request.output,
                                   "--benchmark_out_format=json"};
    if (!request.filter.empty())
    {
        words.push_back("--benchmark_filter=" + request.filter);
    }
    std::vector<char*> pointers;
    for (std::string& word : words)
    {
        pointers.push_back(word.data());
    }
    auto count = static_cast<int>(pointers.size());
    benchmark::Initialize(&count, pointers.data());
    benchmark::RunSpecifiedBenchmarks();
}

} // namespace

int
RunGoogleBench(const std::string& name,
               const std::string& summary,
               const std::vector<std::string>& arguments)
{
    return RunTool("bench " + name, [&]() {
        const OptionList options = MakeOptions();
        if (std::find(arguments.begin(), arguments.end(), "--help") != arguments.end())
        {
            std::cout << BenchHelp(name, summary, options.Help());
            return;
        }
        GoogleRequest request;
        options.Read(options.Split(arguments), request);
        request.output = request.output.empty() ? DefaultOutput(name) : request.output;
        Run(request);
        Say("bench " + name, "wrote " + request.output);
    });
}

} // namespace dpdl
