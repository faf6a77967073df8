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

/// Delays in seconds, all of them; memory grows with the number of different ones.
class DelayCounts
{
  public:
    /// Adds a delay.
    void Add(float delay)
    {
        m_new.push_back(delay);
        if (m_new.size() > LEAST + m_counts.size())
        {
            Merge();
        }
    }

    /// The delay with @p rank smaller ones before it, 0 for the least. Needs more than @p rank.
    float AtRank(std::size_t rank);

    /// Number of different delays.
    std::size_t Different();

  private:
    /// So many wait to be sorted, at least.
    static constexpr std::size_t LEAST = 16;

    void Merge();

    std::vector<float> m_new;                              ///< since the last Merge()
    std::vector<std::pair<float, std::uint64_t>> m_counts; ///< ascending, each once
};

/**
 * @brief Follows every message from its sender to the mixing that takes its mass in.
 *
 * A row is written when nothing more can happen to its message, which may be rounds later when its
 * mass is repaired. Rows that are still open are kept by number, and numbers are used again.
 */
class DeliveryLog
{
  public:
    /// @param store receives the rows; nullptr: rows are dropped, totals still kept
    explicit DeliveryLog(TraceStore* store);

    /// Opens the row of a message. @return its number
    std::uint32_t Open(const Share& share, std::uint64_t bytes);

    /// Takes Open() back: the row is another log's. @param number of it @param bytes as it was
    /// opened
    void Withdraw(std::uint32_t number, std::uint64_t bytes);

    /// The message arrived; its mass is still to be mixed.
    void Arrive(std::uint32_t number, DeliveryFate fate, double now);

    /**
     * @brief The message never arrives as it was sent.
     * @param number of its row
     * @param fate LOST, CORRUPT or REFUNDED
     * @param loss why, and where
     * @param final true if its mass will never be mixed
     * @param arrivedAt when it arrived damaged; empty: it did not
     */
    void Lose(std::uint32_t number,
              DeliveryFate fate,
              const MessageLoss& loss,
              bool final,
              std::optional<double> arrivedAt = std::nullopt);

    /// As Lose(), of a message that may still Arrive(): it is late then, or stays REFUNDED.
    void GiveUp(std::uint32_t number, DeliveryFate fate, const MessageLoss& loss, bool final);

    /// A further copy of a message arrived: writes a row for it.
    void Duplicate(const Share& share, std::uint64_t bytes, double now);

    /// A message had arrived, and its receiver crashed before mixing it; both as for Lose().
    void Forget(std::uint32_t number, bool final);

    /// The mass of the message was mixed in @p round: writes the row.
    void Use(std::uint32_t number, Round round);

    /// Writes the rows that are still open, in the order of their numbers, and the link totals.
    void Finish(TraceStore& store);

    /// The rows that are still open, in the order of their numbers, as Finish would write them.
    std::vector<Delivery> Unsettled();

    /// Messages handed to the network.
    std::uint64_t Sent() const
    {
        return m_sent;
    }

    /// Messages that did not arrive intact.
    std::uint64_t Lost() const
    {
        return m_lost;
    }

    /// Of these, messages that arrived damaged.
    std::uint64_t Corrupt() const
    {
        return m_corrupt;
    }

    /// If more than nine of ten messages were lost, their number, the two commonest causes and what
    /// may help; else empty.
    std::string Warning() const;

    /// Further copies of messages that had arrived.
    std::uint64_t Duplicates() const
    {
        return m_duplicates;
    }

  private:
    /// A row that may still change.
    struct OpenRow
    {
        Delivery row;        ///< as far as it is known
        DropReason reason{}; ///< of its loss
        bool used{false};    ///< its mass has been mixed
        bool settled{false}; ///< it has arrived or was lost
        bool final{false};   ///< its mass will never be mixed
    };

    /// Totals of one link, for traces without a row per message.
    struct LinkTotal
    {
        std::uint64_t sent{0};      ///< messages
        std::uint64_t delivered{0}; ///< of these, arrived
        std::uint64_t bytes{0};     ///< wire size of all that were sent
        double delaySum{0.0};       ///< seconds, over the delivered ones
        DelayCounts delays;         ///< of the delivered ones
    };

    void Settle(std::uint32_t number);

    TraceStore* m_store;                                    ///< receives the rows
    std::uint64_t m_sent{0};                                ///< see Sent()
    std::uint64_t m_lost{0};                                ///< number of lost messages
    std::uint64_t m_corrupt{0};                             ///< number of damaged messages
    std::map<DropReason, std::uint64_t> m_reasons;          ///< messages lost for each
    std::uint64_t m_duplicates{0};                          ///< number of copies that arrived again
    SlotPool<OpenRow> m_rows;                               ///< those that are open
    std::map<std::pair<NodeId, NodeId>, LinkTotal> m_links; ///< filled without row per message
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_DELIVERY_LOG_H
