// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BENCH_RUN_BENCH_H
#define DPDL_BENCH_RUN_BENCH_H

#include "bench-report.h"
#include "interleaved-benchmark.h"

#include <cstdint>
#include <functional>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace dpdl
{

/// What a benchmark is asked for.
struct BenchRequest
{
    std::size_t repeats{9};           ///< repetitions of every measurement, at most
    bool quick{false};                ///< small cases, to see that it works
    std::string output;               ///< where the JSON goes; "": beside the program
    bool markdown{false};             ///< print the table for a page
    std::vector<std::string> models;  ///< those to measure; none: all
    std::string python;               ///< of the peers; "": the one that is found; off: none
    std::vector<std::uint64_t> nodes; ///< numbers of nodes to measure as well, or instead
    bool large{false};                ///< also cases that need gigabytes or minutes
    std::regex filter{""};            ///< is found in the names of the cases to measure

    /// True if a model is to be measured.
    bool Wants(const std::string& model) const;

    /// @throws UsageError if a model is asked for that is not one of those
    void CheckModels(const std::vector<std::string>& known) const;

    /// True if a case is to be measured.
    bool Fits(const std::string& name) const;

    /// How to measure one group of contestants. @param budget seconds at most
    InterleavedBenchmark::Rules Rules(double budget, TimeOf time = TimeOf::PROCESSOR) const;
};

/// A benchmark.
struct Bench
{
    std::string name;    ///< of the command
    std::string summary; ///< one line
    /// which of the options model, python, nodes, large and filter it also takes
    std::set<std::string> options;
    /// measures and fills the report
    std::function<void(const BenchRequest& request, BenchReport& report)> run;
};

/**
 * @brief Runs a benchmark as a program: options, the table on standard output, JSON in a file.
 * @return exit status: 0, 2 for a mistake in the options, 1 for any other failure
 */
int RunBench(const Bench& bench, const std::vector<std::string>& arguments);

} // namespace dpdl

#endif // DPDL_BENCH_RUN_BENCH_H
