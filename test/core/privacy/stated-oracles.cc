// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/score-test.h"
#include "dpdl/privacy/gdp.h"
#include "oracles.h"

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <set>
#include <sstream>

namespace dpdl
{

namespace
{

/// Every number that a source file states.
std::set<double>
NumbersOf(const std::string& file)
{
    std::ifstream stream(DPDL_SOURCE_DIR "/test/core/" + file);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    std::set<double> numbers;
    char before = ' ';
    for (const char* at = text.c_str(); *at != 0;)
    {
        const bool inWord = std::isalnum(before) || before == '_';
        char* end = nullptr;
        const bool starts = std::isdigit(*at) && !inWord;
        const double number = starts ? std::strtod(at, &end) : 0.0;
        if (starts)
        {
            numbers.insert(number);
        }
        at = starts ? end : at + 1;
        before = at[-1];
    }
    return numbers;
}

/// Expects that a test states a number; whether it holds is up to that test.
void
ExpectStated(const std::set<double>& numbers, double number)
{
    EXPECT_EQ(numbers.count(number), 1u) << "no test states " << number;
}

/// The fields of a row are stated in the test of another class.
Check
StatedIn(const std::string& file, const std::vector<std::string>& fields)
{
    return [=](const Tree& row) {
        const std::set<double> numbers = NumbersOf(file);
        for (const std::string& field : fields)
        {
            ExpectStated(numbers, Number(row, field));
        }
    };
}

/// What an audit saw and the bounds that it derived, at two levels of confidence.
void
CheckAudit(const Tree& row)
{
    const std::set<double> numbers = NumbersOf("audit/score-test-test.cc");
    for (const double alpha : {0.05, 0.001})
    {
        const Tree& seen = Child(row, alpha == 0.05 ? "alpha0.05" : "alpha0.001");
        for (const char* field : {"tp", "fp", "m", "eps_lb", "mu_lb"})
        {
            ExpectStated(numbers, Number(seen, field));
        }
        const auto trials = static_cast<std::uint64_t>(Number(seen, "m"));
        const auto hits = static_cast<std::uint64_t>(Number(seen, "tp"));
        const auto alarms = static_cast<std::uint64_t>(Number(seen, "fp"));
        Hold("binomial bounds",
             BinomialLowerBound(hits, trials, 0.5 * alpha),
             Number(seen, "tpr_lo"),
             ROOT);
        Hold("binomial bounds",
             BinomialUpperBound(alarms, trials, 0.5 * alpha),
             Number(seen, "fpr_up"),
             ROOT);
        const double epsilon = GdpEpsilon(Number(seen, "mu_lb"), 1e-4);
        Hold("gdp roots", epsilon, Number(seen, "eps_gdp_lb"), ROOT);
    }
}

/// Lower bounds of mu, of epsilon if the mechanism is Gaussian, and of epsilon.
void
CheckAuditBounds(const Tree& row)
{
    const std::set<double> numbers = NumbersOf("audit/score-test-test.cc");
    for (const char* field : {"tp", "n1", "fp", "n0"})
    {
        ExpectStated(numbers, Number(row, field));
    }
    const std::vector<double> bounds = Numbers(Child(row, "out"));
    ExpectStated(numbers, bounds[0]);
    ExpectStated(numbers, bounds[2]);
    Hold("gdp roots", GdpEpsilon(bounds[0], Number(row, "delta")), bounds[1], ROOT);
}

/// The last of the strings is four words in hexadecimal.
void
CheckWords(const Tree& row)
{
    const std::set<double> numbers = NumbersOf("base/random-test.cc");
    std::istringstream words(row.back().second.data());
    std::size_t count = 0;
    for (std::string word; words >> word; ++count)
    {
        ExpectStated(numbers, static_cast<double>(std::stoul(word, nullptr, 16)));
    }
    EXPECT_EQ(count, 4u);
}

} // namespace

Checks
StatedChecks()
{
    return {
        {"audit_adad2p_norm_leak",
         EachRow(StatedIn("audit/exact-event-test.cc", {"d", "ratio", "eps"}))},
        {"audit_adad2p_zero_grad",
         EachRow(StatedIn("audit/exact-event-test.cc", {"J", "K", "prob"}))},
        {"audit_clopper_pearson",
         EachRow(StatedIn("audit/one-run-test.cc", {"k", "n", "alpha", "lo", "up"}))},
        {"audit_dpps",
         StatedIn("audit/expected-outcome-test.cc", {"acc_with_scalar", "acc_without"})},
        {"audit_dyn_40k", EachRow(CheckAudit)},
        {"audit_dyn_800k", EachRow(CheckAudit)},
        {"audit_gdp_lb", EachRow(CheckAuditBounds)},
        {"audit_one_run",
         EachRow(StatedIn("audit/one-run-test.cc", {"m", "r", "v", "delta", "p", "eps"}))},
        {"audit_one_run_pvalue",
         EachRow(StatedIn("audit/one-run-test.cc", {"m", "r", "v", "eps", "delta", "p"}))},
        {"philox4x32_10", EachRow(CheckWords)},
    };
}

} // namespace dpdl
