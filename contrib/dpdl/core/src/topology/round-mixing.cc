// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "round-mixing.h"

#include <algorithm>

namespace dpdl
{

namespace
{

bool
ComesFirst(const MixedShare& a, const MixedShare& b)
{
    if (a.sentRound != b.sentRound)
    {
        return a.sentRound < b.sentRound;
    }
    return a.source != b.source ? a.source < b.source : a.mass < b.mass;
}

} // namespace

RoundMixing::RoundMixing(std::size_t nodes)
{
    begin.reserve(nodes + 1);
    begin.push_back(0);
}

ScaledDouble
RoundMixing::AddNode(std::vector<MixedShare> shares, Round round)
{
    std::sort(shares.begin(), shares.end(), ComesFirst);
    ScaledDouble total;
    for (const MixedShare& share : shares)
    {
        total += share.mass;
    }
    for (const MixedShare& share : shares)
    {
        terms.push_back({share.source, round - share.sentRound, share.mass / total});
    }
    begin.push_back(terms.size());
    return total;
}

void
RoundMixing::AddSleeper(NodeId node)
{
    terms.push_back({node, 0, 1.0});
    begin.push_back(terms.size());
}

} // namespace dpdl
