// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "shuffle-sampler.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace dpdl
{

std::string
ShuffleSampler::AccountingName() const
{
    return "shuffle";
}

std::uint32_t
ShuffleSampler::Epoch(Round round, std::size_t localExamples) const
{
    Rate(localExamples); // throws if the batch is too large
    return static_cast<std::uint32_t>(round / (localExamples / BatchSize()));
}

void
ShuffleSampler::Draw(const std::vector<std::uint32_t>& local,
                     NodeId node,
                     Round round,
                     std::vector<std::uint32_t>& batch) const
{
    const std::uint32_t epoch = Epoch(round, local.size());
    const std::size_t begin = round % (local.size() / BatchSize()) * BatchSize();
    const std::size_t end = begin + BatchSize();
    // The epoch's permutation up to where this round needs it (Fisher and Yates).
    WordSequence words(Stream(node, epoch));
    std::vector<std::uint32_t> order(local.size());
    std::iota(order.begin(), order.end(), 0U);
    for (std::size_t i = 0; i < end; ++i)
    {
        const auto left = static_cast<std::uint32_t>(local.size() - i);
        std::swap(order[i], order[i + words.Integer(left)]);
    }
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = order.begin() + static_cast<std::ptrdiff_t>(end);
    std::sort(first, last);
    batch.clear();
    std::transform(first, last, std::back_inserter(batch), [&local](std::uint32_t position) {
        return local[position];
    });
}

} // namespace dpdl
