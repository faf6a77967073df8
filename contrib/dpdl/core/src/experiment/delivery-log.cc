// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/delivery-log.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

// Keeps a pending row for each message until its outcome is final. Then writes the row, or adds it
// to the totals of its link.

namespace dpdl
{

void
DelayCounts::Merge()
{
    std::sort(m_new.begin(), m_new.end());
    std::vector<std::pair<float, std::uint64_t>> merged;
    merged.reserve(m_counts.size() + 1);
    auto old = m_counts.begin();
    const auto add = [&merged](float delay, std::uint64_t count) {
        if (merged.empty() || merged.back().first != delay)
        {
            merged.emplace_back(delay, 0);
        }
        merged.back().second += count;
    };
    for (const float delay : m_new)
    {
        for (; old != m_counts.end() && old->first <= delay; ++old)
        {
            add(old->first, old->second);
        }
        add(delay, 1);
    }
    for (; old != m_counts.end(); ++old)
    {
        add(old->first, old->second);
    }
    m_counts = std::move(merged);
    m_new.clear();
}

float
DelayCounts::AtRank(std::size_t rank)
{
    Merge();
    std::uint64_t before = 0;
    for (const auto& [delay, count] : m_counts)
    {
        before += count;
        if (before > rank)
        {
            return delay;
        }
    }
    throw Error("there are not so many delays");
}

namespace
{

/// Creates the row of a message when it is sent. The outcome of the message is still unknown.
/// @param bytes size of the message
Delivery
RowOf(const Share& share, std::uint64_t bytes)
{
    Delivery row;
    row.round = share.round;
    row.source = share.source;
    row.target = share.target;
    row.weight = share.weight;
    row.bytes = bytes;
    row.sentAt = share.sentAt;
    row.chunk = share.chunk;
    return row;
}

/// Text such as `: 7 by ARP; 4 by TTL`.
/// @param most number of reasons, the most frequent first
/// @param advises true: with remedies
std::string
Causes(const std::map<DropReason, std::uint64_t>& reasons, std::size_t most, bool advises)
{
    std::multimap<std::uint64_t, MessageLoss, std::greater<>> sorted;
    for (const auto& [reason, count] : reasons)
    {
        sorted.emplace(count, MessageLoss{reason});
    }
    std::string text;
    for (auto cause = sorted.begin(); cause != sorted.end() && cause->first > 0 && most > 0;
         ++cause)
    {
        text += (text.empty() ? ": " : "; ") + std::to_string(cause->first) + " by " +
                cause->second.Cause() + (advises ? " (try " + cause->second.Remedy() + ")" : "");
        --most;
    }
    return text;
}

} // namespace

DeliveryLog::DeliveryLog(TraceStore* store)
    : m_store(store)
{
}

std::uint32_t
DeliveryLog::Open(const Share& share, std::uint64_t bytes)
{
    ++m_sent;
    if (m_store == nullptr)
    {
        DeliveryByLink& link = m_links[{share.source, share.target}].row;
        ++link.sent;
        link.bytes += bytes;
    }
    OpenRow entry;
    entry.row = RowOf(share, bytes);
    return m_rows.Add(std::move(entry));
}

void
DeliveryLog::Withdraw(std::uint32_t number, std::uint64_t bytes)
{
    --m_sent;
    const Delivery row = m_rows.Take(number).row;
    if (m_store == nullptr)
    {
        const auto link = m_links.find({row.source, row.target});
        link->second.row.bytes -= bytes;
        if (--link->second.row.sent == 0)
        {
            m_links.erase(link);
        }
    }
}

void
DeliveryLog::Arrive(std::uint32_t number, DeliveryFate fate, double now)
{
    OpenRow& entry = m_rows[number];
    entry.row.arrivedAt = now;
    entry.settled = true;
    if (entry.row.fate == DeliveryFate::REFUNDED)
    {
        Settle(number);
        return;
    }
    if (entry.row.fate == DeliveryFate::LOST)
    {
        --m_lost;
        --m_reasons[entry.reason];
        entry.row.cause.clear();
        entry.row.place.clear();
    }
    entry.row.fate = fate;
    if (m_store == nullptr)
    {
        LinkTotal& link = m_links[{entry.row.source, entry.row.target}];
        ++link.row.delivered;
        link.delaySum += now - entry.row.sentAt;
        link.delays.Add(static_cast<float>(now - entry.row.sentAt));
    }
    Settle(number);
}

void
DeliveryLog::Lose(std::uint32_t number,
                  DeliveryFate fate,
                  const MessageLoss& loss,
                  bool final,
                  std::optional<double> arrivedAt)
{
    GiveUp(number, fate, loss, final);
    m_corrupt += fate == DeliveryFate::CORRUPT ? 1 : 0;
    OpenRow& entry = m_rows[number];
    entry.row.arrivedAt = arrivedAt;
    entry.settled = true;
    Settle(number);
}

void
DeliveryLog::GiveUp(std::uint32_t number, DeliveryFate fate, const MessageLoss& loss, bool final)
{
    ++m_lost;
    ++m_reasons[loss.reason];
    OpenRow& entry = m_rows[number];
    entry.reason = loss.reason;
    entry.row.fate = fate;
    entry.final = final;
    if (m_store != nullptr)
    {
        entry.row.cause = loss.Cause();
        entry.row.place = loss.Place();
    }
}

void
DeliveryLog::Forget(std::uint32_t number, bool final)
{
    m_rows[number].final = final;
    Settle(number);
}

void
DeliveryLog::Duplicate(const Share& share, std::uint64_t bytes, double now)
{
    ++m_duplicates;
    if (m_store != nullptr)
    {
        Delivery row = RowOf(share, bytes);
        row.arrivedAt = now;
        row.fate = DeliveryFate::DUPLICATE;
        m_store->Add(row);
    }
}

void
DeliveryLog::Use(std::uint32_t number, Round round)
{
    OpenRow& entry = m_rows[number];
    entry.row.usedInRound = round;
    entry.used = true;
    Settle(number);
}

void
DeliveryLog::Settle(std::uint32_t number)
{
    const OpenRow& entry = m_rows[number];
    if (!entry.settled || !(entry.used || entry.final))
    {
        return;
    }
    if (m_store != nullptr)
    {
        m_store->Add(entry.row);
    }
    m_rows.Take(number);
}

std::vector<Delivery>
DeliveryLog::Unsettled()
{
    std::vector<Delivery> rows;
    if (m_store == nullptr)
    {
        return rows;
    }
    m_rows.ForEach([&rows](const OpenRow& entry) {
        rows.push_back(entry.row);
        if (!entry.settled && entry.row.fate != DeliveryFate::REFUNDED)
        {
            rows.back().fate = DeliveryFate::LOST;
            if (rows.back().cause.empty())
            {
                rows.back().cause = MessageLoss{DropReason::END_OF_RUN}.Cause();
            }
        }
    });
    return rows;
}

std::string
DeliveryLog::Warning() const
{
    if (10 * m_lost <= 9 * m_sent)
    {
        return "";
    }
    return std::to_string(m_lost) + " of " + std::to_string(m_sent) + " messages were lost" +
           Causes(m_reasons, 2, true);
}

std::string
DeliveryLog::Losses() const
{
    const std::string sent = std::to_string(m_sent) + " messages ";
    if (m_lost == 0)
    {
        return "Of " + sent + "none was lost.";
    }
    const double share = 100.0 * static_cast<double>(m_lost) / static_cast<double>(m_sent);
    return "Of " + sent + std::to_string(m_lost) + " were lost (" +
           (share > 99.0 ? std::to_string(static_cast<int>(share)) : ShowRounded(share, 2)) +
           " %)" + Causes(m_reasons, m_reasons.size(), false) + ".";
}

void
DeliveryLog::Finish(TraceStore& store)
{
    for (const Delivery& row : Unsettled())
    {
        m_store->Add(row);
    }
    m_rows.ForEach([this](const OpenRow& entry) {
        if (!entry.settled && entry.row.fate == DeliveryFate::DELIVERED)
        {
            ++m_lost;
            ++m_reasons[DropReason::END_OF_RUN];
        }
    });
    m_rows.Clear();
    for (auto& [ends, link] : m_links)
    {
        DeliveryByLink& row = link.row;
        std::tie(row.source, row.target) = ends;
        row.lost = row.sent - row.delivered;
        if (row.delivered > 0)
        {
            const auto delivered = static_cast<double>(row.delivered);
            row.delayMean = link.delaySum / delivered;
            row.delayP99 =
                link.delays.AtRank(static_cast<std::size_t>(std::ceil(0.99 * delivered) - 1.0));
        }
        store.Add(row);
    }
}

} // namespace dpdl
