// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "link-totals.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Statement.h>
#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace dpdl
{

namespace
{

struct Link
{
    DeliveryByLink row;
    std::vector<double> delays;
};

void
Count(Link& link, DeliveryFate fate, std::int64_t bytes, const SQLite::Column& delay)
{
    if (fate == DeliveryFate::DUPLICATE)
    {
        return;
    }
    const bool arrived = fate == DeliveryFate::DELIVERED || fate == DeliveryFate::LATE;
    ++link.row.sent;
    ++(arrived ? link.row.delivered : link.row.lost);
    link.row.bytes += static_cast<std::uint64_t>(bytes);
    if (arrived && !delay.isNull())
    {
        link.delays.push_back(delay.getDouble());
    }
}

DeliveryByLink
Total(Link& link)
{
    std::vector<double>& delays = link.delays;
    if (!delays.empty())
    {
        const auto count = static_cast<double>(delays.size());
        link.row.delayMean = std::accumulate(delays.begin(), delays.end(), 0.0) / count;
        const std::size_t rank = (99 * delays.size() + 99) / 100;
        const auto nearest = delays.begin() + static_cast<std::ptrdiff_t>(rank - 1);
        std::nth_element(delays.begin(), nearest, delays.end());
        link.row.delayP99 = *nearest;
    }
    return link.row;
}

} // namespace

std::vector<DeliveryByLink>
LinkTotals(SQLite::Database& database)
{
    std::unordered_map<std::uint64_t, Link> links;
    SQLite::Statement messages(database,
                               "SELECT source << 32 | target, fate, bytes, arrived_at - sent_at "
                               "FROM message");
    while (messages.executeStep())
    {
        const auto key = static_cast<std::uint64_t>(messages.getColumn(0).getInt64());
        Link& link = links[key];
        link.row.source = static_cast<NodeId>(key >> 32);
        link.row.target = static_cast<NodeId>(key);
        Count(link,
              static_cast<DeliveryFate>(messages.getColumn(1).getInt()),
              messages.getColumn(2).getInt64(),
              messages.getColumn(3));
    }
    std::vector<DeliveryByLink> totals;
    for (auto& [key, link] : links)
    {
        totals.push_back(Total(link));
    }
    std::sort(totals.begin(), totals.end(), [](const DeliveryByLink& a, const DeliveryByLink& b) {
        return a.source != b.source ? a.source < b.source : a.target < b.target;
    });
    return totals;
}

} // namespace dpdl
