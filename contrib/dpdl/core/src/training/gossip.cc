// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/gossip.h"

#include "dpdl/training/node-job.h"
#include "kernels.h"
#include "mix-kernel.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dpdl
{

namespace
{

/// Coordinates whose sum stays in the L1 cache while terms are added.
constexpr std::size_t BLOCK = 2048;

} // namespace

void
MixParameters(const std::vector<MixTerm>& terms, ParameterVector& out)
{
    thread_local std::vector<Summand> summands;
    std::size_t first = 0;
    do
    {
        summands.clear();
        const std::size_t last = AppendSummands(terms, first, summands);
        Columns columns{0, out.Size()};
        if (!terms.empty())
        {
            columns = {terms[first].begin, std::min(terms[first].end, out.Size())};
        }
        for (; columns.begin < columns.end; columns.begin += BLOCK)
        {
            SumColumns(summands.data(),
                       summands.size(),
                       {columns.begin, std::min(columns.begin + BLOCK, columns.end)},
                       out.Data(),
                       SumStore::CACHED);
        }
        first = last;
    } while (first < terms.size());
}

void
MixExactly(const std::vector<MixTerm>& terms, ParameterVector& out)
{
    std::vector<double> sums(out.Size(), 0.0);
    for (const MixTerm& term : terms)
    {
        const float* const values = std::as_const(*term.source).Data();
        for (std::size_t i = term.begin; i < std::min(term.end, sums.size()); ++i)
        {
            sums[i] += term.coefficient * values[i];
        }
    }
    RoundToFloat(sums.data(), out.Data(), sums.size());
}

std::size_t
AppendSummands(const std::vector<MixTerm>& terms, std::size_t first, std::vector<Summand>& summands)
{
    std::size_t next = first;
    for (; next < terms.size() && terms[next].begin == terms[first].begin; ++next)
    {
        summands.push_back(
            {terms[next].source->Data(), static_cast<float>(terms[next].coefficient)});
    }
    return next;
}

MixProbe
ProbeMix(const std::vector<MixTerm>& terms, const ParameterVector& out, std::size_t coordinate)
{
    double sum = 0.0;
    for (const MixTerm& term : terms)
    {
        const bool counts = term.begin <= coordinate && coordinate < term.end;
        sum +=
            counts ? term.coefficient * static_cast<double>(term.source->Data()[coordinate]) : 0.0;
    }
    return {std::abs(sum), std::abs(sum - static_cast<double>(out.Data()[coordinate]))};
}

void
MixProbe::Add(const MixProbe& other)
{
    magnitude = std::max(magnitude, other.magnitude);
    error = std::max(error, other.error);
}

std::vector<MixTerm>
AverageTerms(const NodeJob& job)
{
    const double share = 1.0 / static_cast<double>(job.averaged);
    std::vector<MixTerm> terms;
    if (job.averaged > 1)
    {
        terms.push_back({job.average, 1.0 - share});
    }
    terms.push_back({job.state, share});
    return terms;
}

double
MixProbe::Relative() const
{
    return magnitude > 0.0 ? error / magnitude : 0.0;
}

double
MixingError(const std::vector<MixTerm>& terms, const ParameterVector& out)
{
    MixProbe largest;
    for (std::size_t probe = 0; probe < MixProbe::COUNT && !terms.empty(); ++probe)
    {
        largest.Add(ProbeMix(terms, out, MixProbe::Coordinate(probe, out.Size())));
    }
    return largest.Relative();
}

} // namespace dpdl
