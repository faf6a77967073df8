// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_RUN_FIGURES_H
#define DPDL_TRACE_RUN_FIGURES_H

#include "dpdl/trace/summary-item.h"
#include "dpdl/trace/trace-rows.h"

#include <SQLiteCpp/Database.h>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dpdl
{

/// Figures: items of the summary that are computed from the rows alone. They are updated with every
/// row.
class RunFigures
{
  public:
    void Note(const AccuracyByRound& row);
    void Note(const GuaranteeByNode& row);
    void Note(const Delivery& row);
    void Note(const DeliveryByLink& row);
    void Note(const MassByRound& row);
    void Note(const QByWindow& row);

    /// Overload for types of rows that affect no figure.
    template <class Row>
    void Note(const Row&)
    {
    }

    /// Values of all figures for which there was a row, by name.
    std::map<std::string, SummaryValue> Values() const;

    /// True if there was a Delivery, and no DeliveryByLink.
    bool HasOnlyDeliveries() const
    {
        return m_hasDeliveries && !m_hasLinks;
    }

    /// Marks the end of the rows. If there was no Delivery row, the totals of messages become 0.
    void End()
    {
        m_hasDeliveries = true;
    }

  private:
    /// Marks a figure that has no value.
    static constexpr double NONE = std::numeric_limits<double>::quiet_NaN();

    /// Geometric mean of contractions per round, weighted by the number of rounds.
    struct GeometricMean
    {
        double rounds{0};
        double sumOfLogs{0};
    };

    /// Raises figure @p name to @p value if that is larger; ignores NaN.
    void Raise(const char* name, double value);

    /// Lowers figure @p name to @p value if that is smaller; ignores NaN.
    void Lower(const char* name, double value);

    /// Adds the contraction @p q per round of @p rounds rounds to the geometric mean @p name;
    /// ignores NaN.
    void Mean(const char* name, double q, double rounds);

    std::map<std::string, SummaryValue> m_latest; ///< figures of the last row; NaN: no such figure
    std::map<std::string, double> m_extremes;     ///< largest or smallest values of any row
    std::map<std::string, GeometricMean> m_means;
    std::optional<Round> m_windowB;
    std::optional<unsigned> m_diameter;
    /// True: in every QByWindow row so far, the designed links connect all nodes.
    bool m_isConnected{true};
    bool m_hasDeliveries{false}; ///< true: there was a Delivery row
    bool m_hasLinks{false};      ///< true: there was a DeliveryByLink row
    /// Totals of all links, from DeliveryByLink rows if there are any, else from Delivery rows.
    DeliveryByLink m_messages;
};

/// Default for the number of delays that LinkTotals() keeps in memory.
constexpr std::size_t MOST_DELAYS = std::size_t{1} << 19;

/**
 * @brief The totals of every link from the stored messages, by source and target.
 *
 * Returns the same numbers as the view `delivery_by_link`. If at most @p most messages arrived, it
 * is several times faster than the view's SQL, which sorts all messages for the percentile.
 * @param database of the trace
 * @param most number of delays (8 bytes each) of all links that are kept in memory; if there are
 *        more, only those of one link at a time are
 */
std::vector<DeliveryByLink> LinkTotals(SQLite::Database& database, std::size_t most = MOST_DELAYS);

/// Writes values of the summary, by item.
void WriteSummary(SQLite::Database& database, const std::map<std::string, SummaryValue>& values);

} // namespace dpdl

#endif // DPDL_TRACE_RUN_FIGURES_H
