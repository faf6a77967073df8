// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "mu-quadrature.h"

#include <boost/math/constants/constants.hpp>
#include <cmath>

namespace dpdl
{

namespace
{

using Iterator = std::map<double, double>::const_iterator;

/// Replaces the values [first, last) by Chebyshev nodes of the first kind on their range.
void
AddPiece(Iterator first, Iterator last, int nodes, std::vector<MuNode>& result)
{
    const double low = first->first;
    const double high = std::prev(last)->first;
    // moments[n]: sum over the values of count * T_n at the value's place in [-1, 1]
    std::vector<double> moments(nodes, 0.0);
    for (Iterator value = first; value != last; ++value)
    {
        const double place = ((value->first - low) - (high - value->first)) / (high - low);
        double previous = 1.0;
        double current = place;
        moments[0] += value->second;
        for (int n = 1; n < nodes; ++n)
        {
            moments[n] += value->second * current;
            const double next = 2.0 * place * current - previous;
            previous = current;
            current = next;
        }
    }
    for (int j = 0; j < nodes; ++j)
    {
        const double angle = boost::math::constants::pi<double>() * (2.0 * j + 1.0) / (2.0 * nodes);
        double weight = moments[0];
        for (int n = 1; n < nodes; ++n)
        {
            weight += 2.0 * std::cos(n * angle) * moments[n];
        }
        const double place = std::cos(angle);
        result.push_back({0.5 * (low + high) + 0.5 * (high - low) * place, weight / nodes});
    }
}

} // namespace

std::vector<MuNode>
QuadratureOver(const std::map<double, double>& counts, int nodes)
{
    std::vector<MuNode> result;
    for (Iterator first = counts.begin(); first != counts.end();)
    {
        const Iterator last = counts.upper_bound(2.0 * first->first);
        if (std::distance(first, last) > nodes)
        {
            AddPiece(first, last, nodes, result);
        }
        else
        {
            for (Iterator value = first; value != last; ++value)
            {
                result.push_back({value->first, value->second});
            }
        }
        first = last;
    }
    return result;
}

} // namespace dpdl
