// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_DELIVERY_LOG_H
#define DPDL_EXPERIMENT_DELIVERY_LOG_H

#include "dpdl/algorithm/loss-policy.h"
#include "dpdl/algorithm/share.h"
#include "dpdl/base/slot-pool.h"
#include "dpdl/trace/trace-store.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// A multiset of delays, in seconds. Memory is proportional to the number of distinct delays.
class DelayCounts
{
  public:
    /// Adds a delay, in seconds.
    void Add(float delay)
    {
        m_new.push_back(delay);
        if (m_new.size() > LEAST + m_counts.size())
        {
            Merge();
        }
    }

    /// Delay at index @p rank of all delays in ascending order, in seconds; 0: the smallest delay.
    /// @throws Error if there are at most @p rank delays
    float AtRank(std::size_t rank);

  private:
    /// Smallest number of unsorted delays for which Add() calls Merge().
    static constexpr std::size_t LEAST = 16;

    void Merge();

    std::vector<float> m_new;                              ///< delays since the last Merge()
    std::vector<std::pair<float, std::uint64_t>> m_counts; ///< distinct delays and their counts,
                                                           ///< ascending
};

/**
 * @brief Records the fate of every message, from its sending until its push-sum mass is mixed.
 *
 * The log writes the row of a message when the fate of the message is final. A later message may
 * deliver the mass of a lost message, so the fate may become final several rounds after the loss. A
 * row that is not yet written is open. It has an identifier, the parameter `number` of the
 * functions below, which the log reuses after the row is written.
 */
class DeliveryLog
{
  public:
    /// @param store receives the rows; must outlive this object. nullptr: only totals by link are
    /// recorded
    explicit DeliveryLog(TraceStore* store);

    /// Opens the row of a message that was passed to the network.
    /// @param bytes size of the message on the wire, in bytes
    /// @return identifier of the row
    std::uint32_t Open(const Share& share, std::uint64_t bytes);

    /// Reverts Open(), because the log of another rank records this message.
    /// @param number identifier of the row
    /// @param bytes size of the message on the wire, in bytes
    void Withdraw(std::uint32_t number, std::uint64_t bytes);

    /// Records that a message arrived and waits for mixing.
    /// @param number identifier of the row of the message
    /// @param fate DELIVERED or LATE
    /// @param now current time, in simulated seconds
    void Arrive(std::uint32_t number, DeliveryFate fate, double now);

    /**
     * @brief Records that a message did not arrive intact.
     * @param number identifier of the row of the message
     * @param fate LOST, CORRUPT or REFUNDED
     * @param loss reason and place of the loss
     * @param final true if the message's mass will never be mixed
     * @param arrivedAt simulated seconds at which the damaged message arrived; empty: the message
     *        did not arrive
     */
    void Lose(std::uint32_t number,
              DeliveryFate fate,
              const MessageLoss& loss,
              bool final,
              std::optional<double> arrivedAt = std::nullopt);

    /// Records that the transport gave up a message, which may still arrive. A later Arrive()
    /// replaces the fate, except the fate REFUNDED. The parameters are those of Lose().
    void GiveUp(std::uint32_t number, DeliveryFate fate, const MessageLoss& loss, bool final);

    /// Writes a separate row for a further copy of a message, with fate DUPLICATE.
    /// @param bytes size of the message on the wire, in bytes
    /// @param now time of arrival, in simulated seconds
    void Duplicate(const Share& share, std::uint64_t bytes, double now);

    /// Records that a message arrived, but was dropped before mixing because its receiver crashed.
    /// @param number identifier of the row of the message
    /// @param final true if the message's mass will never be mixed
    void Forget(std::uint32_t number, bool final);

    /// Records that the mass of a message was mixed in @p round. Writes the row if the message has
    /// arrived or was lost.
    /// @param number identifier of the row of the message
    void Use(std::uint32_t number, Round round);

    /// Writes all open rows in ascending order of their identifiers. Without a store in the
    /// constructor, writes the totals by link instead.
    /// @param store receives the totals by link
    void Finish(TraceStore& store);

    /// All open rows in ascending order of their identifiers, as Finish() would write them. Empty
    /// without a store in the constructor.
    std::vector<Delivery> Unsettled();

    /// Number of messages passed to the network.
    std::uint64_t Sent() const
    {
        return m_sent;
    }

    /// Number of messages that did not arrive intact.
    std::uint64_t Lost() const
    {
        return m_lost;
    }

    /// Number of messages that arrived damaged; included in Lost().
    std::uint64_t Corrupt() const
    {
        return m_corrupt;
    }

    /// Warning if more than nine of ten messages were lost: their number, the two most frequent
    /// reasons, and remedies; "" otherwise.
    std::string Warning() const;

    /// One line for the user: number and percentage of lost messages, and the most frequent reason
    /// of loss.
    std::string Losses() const;

    /// Number of copies of messages that had already arrived.
    std::uint64_t Duplicates() const
    {
        return m_duplicates;
    }

  private:
    /// A message whose row is not yet written.
    struct OpenRow
    {
        Delivery row;        ///< row of the message, as far as known
        DropReason reason{}; ///< reason for the loss of the message
        bool used{false};    ///< true: the mass of the message has been mixed
        bool settled{false}; ///< true: the message has arrived or was lost
        bool final{false};   ///< true: the mass of the message will never be mixed
    };

    /// Totals of one link, for traces without a row per message.
    struct LinkTotal
    {
        DeliveryByLink row{}; ///< counts of messages, and their bytes
        double delaySum{0.0}; ///< sum of the delays of the messages that arrived, s
        DelayCounts delays{}; ///< delays of the messages that arrived
    };

    void Settle(std::uint32_t number);

    TraceStore* m_store;        ///< receives the rows
    std::uint64_t m_sent{0};    ///< number of messages passed to the network
    std::uint64_t m_lost{0};    ///< number of messages that did not arrive intact
    std::uint64_t m_corrupt{0}; ///< number of messages that arrived damaged
    std::map<DropReason, std::uint64_t> m_reasons; ///< number of lost messages, by reason
    std::uint64_t m_duplicates{0}; ///< number of copies of messages that had already arrived
    SlotPool<OpenRow> m_rows;      ///< rows that are not yet written, by identifier
    /// Totals by (source, target), for traces without a row per message.
    std::map<std::pair<NodeId, NodeId>, LinkTotal> m_links;
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_DELIVERY_LOG_H
