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

/// Figures of a run: items of the summary that depend only on the rows of the trace. Every added
/// row updates the figures.
class RunFigures
{
  public:
    void Note(const AccuracyByRound& row);
    void Note(const GuaranteeByNode& row);
    void Note(const Delivery& row);
    void Note(const DeliveryByLink& row);
    void Note(const MassByRound& row);
    void Note(const QByWindow& row);

    /// Accepts a row of a type that affects no figure.
    template <class Row>
    void Note(const Row&)
    {
    }

    /// Values of all figures that have a value; key: name of the item.
    std::map<std::string, SummaryValue> Values() const;

    /// True if there was a Delivery row, and no DeliveryByLink row.
    bool HasOnlyDeliveries() const
    {
        return m_hasDeliveries && !m_hasLinks;
    }

    /// Marks the end of the rows. If there was no Delivery row, the totals of messages become 0
    /// instead of missing.
    void End()
    {
        m_hasDeliveries = true;
    }

  private:
    /// Marks a figure without a value; stored as NULL.
    static constexpr double NONE = std::numeric_limits<double>::quiet_NaN();

    /// Geometric mean of contraction factors q per round, weighted by the number of rounds.
    struct GeometricMean
    {
        double rounds{0};    ///< number of rounds
        double sumOfLogs{0}; ///< sum of log(q) over the rounds
    };

    /// Sets the figure @p name to @p value if @p value is larger than the figure. Ignores NaN.
    void Raise(const char* name, double value);

    /// Sets the figure @p name to @p value if @p value is smaller than the figure. Ignores NaN.
    void Lower(const char* name, double value);

    /// Adds @p rounds rounds with the contraction factor @p q per round to the geometric mean
    /// @p name. Ignores NaN.
    void Mean(const char* name, double q, double rounds);

    /// Figures that take their values from the last row; NaN: no value. Key: name of the figure.
    std::map<std::string, SummaryValue> m_latest;
    /// Largest or smallest values over all rows; key: name of the figure.
    std::map<std::string, double> m_extremes;
    std::map<std::string, GeometricMean> m_means; ///< means of q; key: name of the figure
    std::optional<Round> m_windowB;               ///< largest QByWindow::windowB; empty: none
    std::optional<unsigned> m_diameter;           ///< largest QByWindow::diameter; empty: none
    /// True if the designed links connected all nodes in every QByWindow row so far that has a
    /// bound.
    bool m_isConnected{true};
    bool m_hasDeliveries{false}; ///< true: at least one Delivery row was added
    bool m_hasLinks{false};      ///< true: at least one DeliveryByLink row was added
    /// Totals over all links: of the DeliveryByLink rows if there are any, otherwise of the
    /// Delivery rows.
    DeliveryByLink m_messages;
};

/// Default of the number of delays that LinkTotals() holds in memory.
constexpr std::size_t MOST_DELAYS = std::size_t{1} << 19;

/**
 * @brief Computes the totals of every link from the stored messages, in the order of source and
 *        target.
 *
 * The results equal those of the view `delivery_by_link` for a trace without stored totals. The
 * view's SQL sorts all messages for the percentile. If at most @p most messages arrived,
 * LinkTotals() does not sort them in SQL and is several times faster.
 * @param database database of the trace
 * @param most largest number of delays (8 bytes each) of all links in memory; with more delays,
 *        only the delays of one link at a time are in memory
 */
std::vector<DeliveryByLink> LinkTotals(SQLite::Database& database, std::size_t most = MOST_DELAYS);

/// Writes values to table `summary_item`, on which view `summary` is based; key: name of the item.
/// Items without an entry keep their values.
void WriteSummary(SQLite::Database& database, const std::map<std::string, SummaryValue>& values);

} // namespace dpdl

#endif // DPDL_TRACE_RUN_FIGURES_H
