// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "run-figures.h"

#include "row-buffer.h"

#include <SQLiteCpp/Statement.h>
#include <algorithm>
#include <cmath>
#include <numeric>

// Updates the figures (items of the summary that depend only on rows) with each row. Computes the
// totals of links from the stored messages.

namespace dpdl
{

namespace
{

/// Counts a message in the totals of a link.
/// @param bytes size of the message
/// @return true if the message arrived and is not a duplicate
bool
Count(DeliveryByLink& link, DeliveryFate fate, std::uint64_t bytes)
{
    if (fate == DeliveryFate::DUPLICATE)
    {
        return false;
    }
    const bool arrived = fate == DeliveryFate::DELIVERED || fate == DeliveryFate::LATE;
    ++link.sent;
    ++(arrived ? link.delivered : link.lost);
    link.bytes += bytes;
    return arrived;
}

/// Computes the mean and the 99th percentile of a link's delays in seconds.
/// @param[in,out] delays is reordered; if it is empty, @p link does not change
void
Summarise(std::vector<double>& delays, DeliveryByLink& link)
{
    if (delays.empty())
    {
        return;
    }
    const auto count = static_cast<double>(delays.size());
    link.delayMean = std::accumulate(delays.begin(), delays.end(), 0.0) / count;
    const std::size_t rank = (99 * delays.size() + 99) / 100;
    const auto nearest = delays.begin() + static_cast<std::ptrdiff_t>(rank - 1);
    std::nth_element(delays.begin(), nearest, delays.end());
    link.delayP99 = *nearest;
}

/// Link in one integer: the source in the upper 32 bits, the target in the lower 32 bits.
using LinkKey = std::int64_t;

/// Totals of a directed link, and the delays from which its percentile is computed.
struct LinkDelays
{
    DeliveryByLink totals;      ///< totals of the link's messages
    std::vector<double> delays; ///< delays, in seconds, of the messages that arrived
};

/// Counts the messages of all links.
/// @return true if @p links has the delays of all messages; false if there are more than @p most
/// delays; @p links then has no delays, only counts
bool
ReadMessages(SQLite::Database& database, std::size_t most, std::map<LinkKey, LinkDelays>& links)
{
    SQLite::Statement messages(database,
                               "SELECT source << 32 | target, fate, bytes, arrived_at - sent_at "
                               "FROM message");
    std::size_t held = 0;
    while (messages.executeStep())
    {
        const LinkKey key = messages.getColumn(0).getInt64();
        LinkDelays& link = links[key];
        link.totals.source = static_cast<NodeId>(key >> 32);
        link.totals.target = static_cast<NodeId>(key);
        const auto fate = static_cast<DeliveryFate>(messages.getColumn(1).getInt());
        const auto bytes = static_cast<std::uint64_t>(messages.getColumn(2).getInt64());
        const SQLite::Column delay = messages.getColumn(3);
        if (!Count(link.totals, fate, bytes) || delay.isNull())
        {
            continue;
        }
        if (++held <= most)
        {
            link.delays.push_back(delay.getDouble());
        }
    }
    for (auto& [key, link] : links)
    {
        if (held > most)
        {
            std::vector<double>().swap(link.delays);
        }
    }
    return held <= most;
}

/// Computes the mean and percentile of the delays of one link after another. SQLite sorts the
/// delays by link, in temporary files if they exceed its cache.
void
SummariseSorted(SQLite::Database& database, std::map<LinkKey, LinkDelays>& links)
{
    SQLite::Statement messages(database,
                               "SELECT source << 32 | target AS link, arrived_at - sent_at "
                               "FROM message WHERE fate IN (?, ?) "
                               "AND arrived_at - sent_at IS NOT NULL ORDER BY link, rowid");
    messages.bind(1, static_cast<int>(DeliveryFate::DELIVERED));
    messages.bind(2, static_cast<int>(DeliveryFate::LATE));
    std::vector<double> delays;
    bool isMore = messages.executeStep();
    while (isMore)
    {
        const LinkKey key = messages.getColumn(0).getInt64();
        delays.clear();
        for (; isMore && messages.getColumn(0).getInt64() == key; isMore = messages.executeStep())
        {
            delays.push_back(messages.getColumn(1).getDouble());
        }
        Summarise(delays, links.at(key).totals);
    }
}

} // namespace

void
RunFigures::Raise(const char* name, double value)
{
    if (!std::isnan(value))
    {
        double& largest = m_extremes.try_emplace(name, value).first->second;
        largest = std::max(largest, value);
    }
}

void
RunFigures::Lower(const char* name, double value)
{
    if (!std::isnan(value))
    {
        double& smallest = m_extremes.try_emplace(name, value).first->second;
        smallest = std::min(smallest, value);
    }
}

void
RunFigures::Mean(const char* name, double q, double rounds)
{
    if (!std::isnan(q))
    {
        GeometricMean& mean = m_means[name];
        mean.rounds += rounds;
        mean.sumOfLogs += rounds * std::log(q);
    }
}

void
RunFigures::Note(const AccuracyByRound& row)
{
    m_latest.insert_or_assign("accuracy_mean", row.accuracyMean);
    m_latest.insert_or_assign("accuracy_worst", row.accuracyWorst);
    m_latest.insert_or_assign("accuracy_of_mean_model", row.accuracyOfMeanModel.value_or(NONE));
    m_latest.insert_or_assign("loss_mean", row.lossMean);
    m_latest.insert_or_assign("consensus_distance", row.consensusDistance.value_or(NONE));
}

void
RunFigures::Note(const GuaranteeByNode& row)
{
    Raise("epsilon_claimed", row.claimed);
    Raise("epsilon_certified", row.certified);
    Raise("epsilon_observed", row.observed.value_or(NONE));
    Raise("delta", row.delta);
}

void
RunFigures::Note(const Delivery& row)
{
    m_hasDeliveries = true;
    if (!m_hasLinks)
    {
        Count(m_messages, row.fate, row.bytes);
    }
}

void
RunFigures::Note(const DeliveryByLink& row)
{
    if (!m_hasLinks)
    {
        m_messages = {};
    }
    m_hasLinks = true;
    m_messages.sent += row.sent;
    m_messages.delivered += row.delivered;
    m_messages.lost += row.lost;
    m_messages.bytes += row.bytes;
}

void
RunFigures::Note(const MassByRound& row)
{
    Raise("mass_error", std::abs(row.wError));
}

void
RunFigures::Note(const QByWindow& row)
{
    const double length = static_cast<double>(row.lastRound) - row.firstRound + 1;
    Raise("q_bound", row.qBound);
    Mean("q_designed", row.qDesigned, length);
    Mean("q_realised", row.qRealised, length);
    Lower("one_minus_q_bound", row.oneMinusQBound);
    m_windowB = std::max(m_windowB, row.windowB);
    m_diameter = std::max(m_diameter, row.diameter);
    m_isConnected = m_isConnected && (row.windowB || std::isnan(row.qBound));
    const auto orNone = [this](const auto& number) {
        return m_isConnected && number ? SummaryValue(*number) : NONE;
    };
    m_latest.insert_or_assign("window_b", orNone(m_windowB));
    m_latest.insert_or_assign("diameter", orNone(m_diameter));
    m_latest.insert_or_assign("effective_nodes", row.effectiveNodes);
    m_latest.insert_or_assign("largest_influence", row.largestInfluence);
    Lower("w_min", row.wMin);
    Raise("w_max", row.wMax);
}

std::map<std::string, SummaryValue>
RunFigures::Values() const
{
    std::map<std::string, SummaryValue> values = m_latest;
    values.insert(m_extremes.begin(), m_extremes.end());
    for (const auto& [name, mean] : m_means)
    {
        values.emplace(name, std::exp(mean.sumOfLogs / mean.rounds));
    }
    if (m_hasDeliveries || m_hasLinks)
    {
        values.emplace("messages_sent", m_messages.sent);
        values.emplace("messages_delivered", m_messages.delivered);
        values.emplace("messages_lost", m_messages.lost);
        values.emplace("bytes_sent", m_messages.bytes);
    }
    return values;
}

std::vector<DeliveryByLink>
LinkTotals(SQLite::Database& database, std::size_t most)
{
    std::map<LinkKey, LinkDelays> links;
    if (!ReadMessages(database, most, links))
    {
        SummariseSorted(database, links);
    }
    std::vector<DeliveryByLink> totals;
    for (auto& [key, link] : links)
    {
        Summarise(link.delays, link.totals);
        totals.push_back(link.totals);
    }
    return totals;
}

void
WriteSummary(SQLite::Database& database, const std::map<std::string, SummaryValue>& values)
{
    for (const auto& entry : values)
    {
        const auto write = [&](const auto& value) {
            Execute(database,
                    "UPDATE summary_item SET value = ? WHERE name = ?",
                    value,
                    entry.first);
        };
        std::visit(write, entry.second.Get());
    }
}

} // namespace dpdl
