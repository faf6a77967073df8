// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "run-figures.h"

#include <SQLiteCpp/Statement.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace dpdl
{

namespace
{

/// Lowers @p smallest to @p value; NaN says nothing.
void
Lower(std::optional<double>& smallest, double value)
{
    if (!std::isnan(value))
    {
        smallest = std::min(smallest.value_or(value), value);
    }
}

/// Raises @p largest to @p value; NaN says nothing.
void
Raise(std::optional<double>& largest, double value)
{
    if (!std::isnan(value))
    {
        largest = std::max(largest.value_or(value), value);
    }
}

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

void
RunFigures::GeometricMean::Note(double q, double length)
{
    if (!std::isnan(q))
    {
        rounds += length;
        sumOfLogs += length * std::log(q);
    }
}

std::optional<double>
RunFigures::GeometricMean::Value() const
{
    return rounds > 0 ? std::optional<double>(std::exp(sumOfLogs / rounds)) : std::nullopt;
}

void
RunFigures::Note(const AccuracyByRound& row)
{
    m_accuracy = row;
}

void
RunFigures::Note(const GuaranteeByNode& row)
{
    Raise(m_claimed, row.claimed);
    Raise(m_certified, row.certified);
    Raise(m_delta, row.delta);
    if (row.observed)
    {
        Raise(m_observed, *row.observed);
    }
}

void
RunFigures::Note(const Delivery& row)
{
    ++m_deliveries.rows;
    if (row.fate == DeliveryFate::DUPLICATE)
    {
        return;
    }
    const bool arrived = row.fate == DeliveryFate::DELIVERED || row.fate == DeliveryFate::LATE;
    ++m_deliveries.sent;
    ++(arrived ? m_deliveries.delivered : m_deliveries.lost);
    m_deliveries.bytes += row.bytes;
}

void
RunFigures::Note(const DeliveryByLink& row)
{
    ++m_links.rows;
    m_links.sent += row.sent;
    m_links.delivered += row.delivered;
    m_links.lost += row.lost;
    m_links.bytes += row.bytes;
}

void
RunFigures::Note(const MassByRound& row)
{
    Raise(m_massError, std::abs(row.wError));
}

void
RunFigures::Note(const QByWindow& row)
{
    const double length = static_cast<double>(row.lastRound) - row.firstRound + 1;
    Raise(m_qBound, row.qBound);
    m_qDesigned.Note(row.qDesigned, length);
    m_qRealised.Note(row.qRealised, length);
    Lower(m_oneMinusQBound, row.oneMinusQBound);
    m_windowB = std::max(m_windowB, row.windowB);
    m_diameter = std::max(m_diameter, row.diameter);
    m_isConnected = m_isConnected && (row.windowB || std::isnan(row.qBound));
    m_lastWindow = row;
    Lower(m_wMin, row.wMin);
    Raise(m_wMax, row.wMax);
}

std::vector<std::pair<const char*, Cell>>
RunFigures::Values() const
{
    std::vector<std::pair<const char*, Cell>> values{{"epsilon_claimed", m_claimed},
                                                     {"epsilon_certified", m_certified},
                                                     {"epsilon_observed", m_observed},
                                                     {"delta", m_delta},
                                                     {"mass_error", m_massError},
                                                     {"q_bound", m_qBound},
                                                     {"q_designed", m_qDesigned.Value()},
                                                     {"q_realised", m_qRealised.Value()},
                                                     {"one_minus_q_bound", m_oneMinusQBound},
                                                     {"w_min", m_wMin},
                                                     {"w_max", m_wMax}};
    if (m_isConnected)
    {
        values.insert(values.end(), {{"window_b", m_windowB}, {"diameter", m_diameter}});
    }
    if (m_lastWindow)
    {
        values.insert(values.end(),
                      {{"effective_nodes", m_lastWindow->effectiveNodes},
                       {"largest_influence", m_lastWindow->largestInfluence}});
    }
    if (m_accuracy)
    {
        values.insert(values.end(),
                      {{"accuracy_mean", m_accuracy->accuracyMean},
                       {"accuracy_worst", m_accuracy->accuracyWorst},
                       {"accuracy_of_mean_model", m_accuracy->accuracyOfMeanModel},
                       {"loss_mean", m_accuracy->lossMean},
                       {"consensus_distance", m_accuracy->consensusDistance}});
    }
    const Messages& messages = m_links.rows > 0 ? m_links : m_deliveries;
    if (messages.rows > 0)
    {
        values.insert(values.end(),
                      {{"messages_sent", messages.sent},
                       {"messages_delivered", messages.delivered},
                       {"messages_lost", messages.lost},
                       {"bytes_sent", messages.bytes}});
    }
    return values;
}

bool
RunFigures::HasOnlyDeliveries() const
{
    return m_deliveries.rows > 0 && m_links.rows == 0;
}

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
