// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "mu-quadrature.h"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <cmath>

namespace dpdl
{

namespace
{

using Iterator = std::map<double, double>::const_iterator;

/// Replaces the values [first, last) by Chebyshev nodes of the first kind on their range.
MuPiece
Interpolated(Iterator first, Iterator last, int nodes)
{
    MuPiece piece;
    piece.interpolated = true;
    piece.low = first->first;
    piece.high = std::prev(last)->first;
    const double low = piece.low;
    const double high = piece.high;
    // moments[n]: sum over the values of count * T_n at the value's position in [-1, 1]
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
        piece.nodes.push_back({0.5 * (low + high) + 0.5 * (high - low) * place, weight / nodes});
    }
    piece.count = moments[0];
    return piece;
}

} // namespace

std::vector<MuPiece>
PiecesOver(const std::map<double, double>& counts, int nodes, int spare)
{
    std::vector<MuPiece> pieces;
    for (Iterator first = counts.begin(); first != counts.end();)
    {
        const Iterator last = counts.upper_bound(2.0 * first->first);
        if (std::distance(first, last) > nodes + spare)
        {
            pieces.push_back(Interpolated(first, last, nodes));
        }
        else
        {
            MuPiece piece;
            piece.low = first->first;
            piece.high = std::prev(last)->first;
            for (Iterator value = first; value != last; ++value)
            {
                piece.nodes.push_back({value->first, value->second});
                piece.count += value->second;
            }
            pieces.push_back(std::move(piece));
        }
        first = last;
    }
    return pieces;
}

std::vector<double>
HeldOut(const MuPiece& piece, int number)
{
    const int nodes = static_cast<int>(piece.nodes.size());
    std::vector<double> values;
    for (int i = 0; i < number; ++i)
    {
        // Midway between two nodes is cos(j pi / n), where the interpolation error is largest.
        const int j = 1 + i * (nodes - 2) / std::max(number - 1, 1);
        const double place = std::cos(boost::math::constants::pi<double>() * j / nodes);
        values.push_back(0.5 * (piece.low + piece.high) + 0.5 * (piece.high - piece.low) * place);
    }
    return values;
}

std::vector<double>
InterpolationWeights(const MuPiece& piece, double mu)
{
    const auto nodes = static_cast<int>(piece.nodes.size());
    const double place = ((mu - piece.low) - (piece.high - mu)) / (piece.high - piece.low);
    std::vector<double> weights;
    for (int j = 0; j < nodes; ++j)
    {
        const double angle = boost::math::constants::pi<double>() * (2.0 * j + 1.0) / (2.0 * nodes);
        double weight = 1.0;
        double previous = 1.0;
        double current = place;
        for (int n = 1; n < nodes; ++n)
        {
            weight += 2.0 * std::cos(n * angle) * current;
            const double next = 2.0 * place * current - previous;
            previous = current;
            current = next;
        }
        weights.push_back(weight / nodes);
    }
    return weights;
}

} // namespace dpdl
