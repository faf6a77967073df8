// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BENCH_REPORT_TEXT_H
#define DPDL_BENCH_REPORT_TEXT_H

#include "bench-report.h"

#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// Names and values of what a report depends on, see MachineFacts().
using BenchFacts = std::vector<std::pair<std::string, std::string>>;

/// The report as an aligned table with the facts above and the notes below it.
std::string ReportTable(const BenchReport& report, const BenchFacts& facts);

/// The same rows as a Markdown table, for a page.
std::string ReportMarkdown(const BenchReport& report);

/**
 * @brief The report as JSON, with every repetition (doc/performance.md).
 * @param name of the benchmark
 */
std::string ReportJson(const std::string& name, const BenchReport& report, const BenchFacts& facts);

} // namespace dpdl

#endif // DPDL_BENCH_REPORT_TEXT_H
