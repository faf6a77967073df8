// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_RUN_FIGURES_H
#define DPDL_TRACE_RUN_FIGURES_H

#include "dpdl/trace/trace-rows.h"
#include "row-buffer.h"

#include <SQLiteCpp/Database.h>
#include <utility>
#include <vector>

namespace dpdl
{

/// The figures of the summary that follow from the rows alone, kept up to date row by row.
class RunFigures
{
  public:
    void Note(const AccuracyByRound& row);
    void Note(const GuaranteeByNode& row);
    void Note(const Delivery& row);
    void Note(const DeliveryByLink& row);
    void Note(const MassByRound& row);
    void Note(const QByWindow& row);

    /// No figure follows from other rows.
    template <class Row>
    void Note(const Row&)
    {
    }

    /// Name and value of every figure; a figure of which no row has spoken is empty.
    std::vector<std::pair<const char*, Cell>> Values() const;

    /// Whether a Delivery was seen, and no DeliveryByLink.
    bool HasOnlyDeliveries() const;

  private:
    struct Messages
    {
        std::uint64_t rows{0};
        std::uint64_t sent{0};
        std::uint64_t delivered{0};
        std::uint64_t lost{0};
        std::uint64_t bytes{0};
    };

    /// A geometric mean of contractions per round, weighted by the rounds they hold for.
    struct GeometricMean
    {
        double rounds{0};
        double sumOfLogs{0};

        void Note(double q, double length);
        std::optional<double> Value() const;
    };

    std::optional<AccuracyByRound> m_accuracy;
    std::optional<double> m_claimed;
    std::optional<double> m_certified;
    std::optional<double> m_observed;
    std::optional<double> m_delta;
    std::optional<double> m_massError;
    std::optional<double> m_qBound;
    std::optional<double> m_oneMinusQBound;
    std::optional<Round> m_windowB;
    std::optional<unsigned> m_diameter;
    bool m_isConnected{true};              ///< no window of q lacked a B
    std::optional<QByWindow> m_lastWindow; ///< of q
    std::optional<double> m_wMin;
    std::optional<double> m_wMax;
    GeometricMean m_qDesigned;
    GeometricMean m_qRealised;
    Messages m_deliveries; ///< counted from rows of Delivery
    Messages m_links;      ///< counted from rows of DeliveryByLink
};

/**
 * @brief The totals of every link from the stored messages, by source and target.
 *
 * The same numbers as the view `delivery_by_link`, several times faster than its SQL, which sorts
 * all messages for the percentile. Holds eight bytes for each message that arrived.
 */
std::vector<DeliveryByLink> LinkTotals(SQLite::Database& database);

} // namespace dpdl

#endif // DPDL_TRACE_RUN_FIGURES_H
