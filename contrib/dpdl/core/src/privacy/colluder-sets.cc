// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "colluder-sets.h"

#include <limits>
#include <numeric>

namespace dpdl
{

NodeSet
FirstSet(std::size_t size)
{
    NodeSet set(size);
    std::iota(set.begin(), set.end(), NodeId{0});
    return set;
}

bool
NextSet(NodeSet& set, std::size_t nodes)
{
    for (std::size_t i = set.size(); i-- > 0;)
    {
        if (set[i] + (set.size() - i) < nodes)
        {
            ++set[i];
            for (std::size_t j = i + 1; j < set.size(); ++j)
            {
                set[j] = set[j - 1] + 1;
            }
            return true;
        }
    }
    return false;
}

double
CountSets(std::size_t size, std::size_t nodes)
{
    double sets = 1.0;
    for (std::size_t i = 0; i < size; ++i)
    {
        sets *= static_cast<double>(nodes - i) / static_cast<double>(i + 1);
    }
    return sets;
}

double
ExposureSlack(std::size_t nodes)
{
    constexpr double LARGEST_CONDITION = 1e4;
    return 1.0 +
           LARGEST_CONDITION * static_cast<double>(nodes) * std::numeric_limits<double>::epsilon();
}

double
CompleteExposure(double own, double pair, std::size_t honest, std::size_t seen)
{
    const double shared = pair * pair;
    const double unseen = own * own + shared * static_cast<double>(honest - seen);
    return (1.0 + shared / unseen) / (own * own + shared * static_cast<double>(honest));
}

} // namespace dpdl
