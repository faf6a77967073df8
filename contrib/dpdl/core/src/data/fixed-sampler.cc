// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "fixed-sampler.h"

namespace dpdl
{

std::string
FixedSampler::AccountingName() const
{
    return "fixed";
}

void
FixedSampler::Draw(const std::vector<std::uint32_t>& local,
                   NodeId node,
                   Round round,
                   std::vector<std::uint32_t>& batch) const
{
    // Floyd's algorithm: B draws, whatever J is (Bentley and Floyd, CACM 1987).
    Rate(local.size()); // throws if the batch is too large
    WordSequence words(Stream(node, round));
    std::vector<bool> isDrawn(local.size(), false);
    for (std::size_t last = local.size() - BatchSize(); last < local.size(); ++last)
    {
        const std::size_t drawn = words.Integer(static_cast<std::uint32_t>(last + 1));
        isDrawn[isDrawn[drawn] ? last : drawn] = true;
    }
    batch.clear();
    for (std::size_t i = 0; i < local.size(); ++i)
    {
        if (isDrawn[i])
        {
            batch.push_back(local[i]);
        }
    }
}

} // namespace dpdl
