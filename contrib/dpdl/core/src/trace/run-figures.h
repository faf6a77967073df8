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

    /// The value of every figure of which a row has spoken, by name.
    std::map<std::string, SummaryValue> Values() const;

    /// True if a Delivery was seen, and no DeliveryByLink.
    bool HasOnlyDeliveries() const;

    /// No row follows: a run without messages has sent 0.
    void End()
    {
        m_hasDeliveries = true;
    }

  private:
    /// The value of a figure that does not exist.
    static constexpr double NONE = std::numeric_limits<double>::quiet_NaN();

    /// A geometric mean of contractions per round, weighted by the rounds they hold for.
    struct GeometricMean
    {
        double rounds{0};
        double sumOfLogs{0};
    };

    /// Raises figure @p name to @p value; NaN says nothing.
    void Raise(const char* name, double value);

    /// Lowers figure @p name to @p value; NaN says nothing.
    void Lower(const char* name, double value);

    /// Takes @p q over @p rounds rounds into the mean that is figure @p name; NaN says nothing.
    void Mean(const char* name, double q, double rounds);

    std::map<std::string, SummaryValue> m_latest; ///< figures of the last row; NaN: there is none
    std::map<std::string, double> m_extremes;     ///< largest and smallest values of any row
    std::map<std::string, GeometricMean> m_means;
    std::optional<Round> m_windowB;
    std::optional<unsigned> m_diameter;
    bool m_isConnected{true};    ///< no window of q lacked a B
    bool m_hasDeliveries{false}; ///< whether a Delivery was seen
    bool m_hasLinks{false};      ///< whether a DeliveryByLink was seen
    DeliveryByLink m_messages;   ///< totals of all links, of DeliveryByLink once there is one
};

/// Delays of messages that LinkTotals() holds at once.
constexpr std::size_t MOST_DELAYS = std::size_t{1} << 19;

/**
 * @brief The totals of every link from the stored messages, by source and target.
 *
 * The same numbers as the view `delivery_by_link`, several times faster than its SQL, which sorts
 * all messages for the percentile, as long as no more than @p most messages arrived.
 * @param database of the trace
 * @param most how many delays of all links are held at once, of eight bytes; beyond them, those of
 *        one link are
 */
std::vector<DeliveryByLink> LinkTotals(SQLite::Database& database, std::size_t most = MOST_DELAYS);

/// Writes values of the summary.
void WriteSummary(SQLite::Database& database, const std::map<std::string, SummaryValue>& values);

} // namespace dpdl

#endif // DPDL_TRACE_RUN_FIGURES_H
