// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BENCH_GOOGLE_BENCH_H
#define DPDL_BENCH_GOOGLE_BENCH_H

#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Runs what is registered with Google Benchmark, with the options of the other benchmarks.
 *
 * For grids of many cases whose counters are of interest more than their times.
 * @param name of the command
 * @param summary one line
 * @param arguments without the program's name
 * @return exit status, as of RunBench()
 */
int RunGoogleBench(const std::string& name,
                   const std::string& summary,
                   const std::vector<std::string>& arguments);

} // namespace dpdl

#endif // DPDL_BENCH_GOOGLE_BENCH_H
