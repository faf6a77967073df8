// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BENCH_BENCH_REPORT_H
#define DPDL_BENCH_BENCH_REPORT_H

#include "interleaved-benchmark.h"

#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// How seconds are shown.
struct Unit
{
    std::string name;   ///< for example ms
    double size{1.0};   ///< seconds of one unit; of a rate: how much is done in the seconds
    bool isRate{false}; ///< shown is size / seconds instead of seconds / size
};

/// Seconds in thousandths.
Unit Milliseconds();

/// Seconds in millionths.
Unit Microseconds();

/// A value in its unit, which may be a number without one. @param value seconds, or what Plain() is
double InUnit(const Unit& unit, double value);

/// What should be true of a number.
struct Goal
{
    bool atMost{true}; ///< the bound is the largest number, else the smallest
    double bound{0.0}; ///< of the number

    /// True if the number is within the bound.
    bool MetBy(double value) const;
};

/// A largest number. @param bound infinity: no goal
std::optional<Goal> AtMost(double bound);

/// A smallest number. @param bound 0: no goal
std::optional<Goal> AtLeast(double bound);

/// What a ratio says.
enum class RatioOf
{
    FLOOR,   ///< ours / the floor's time: how many times the least time it takes
    PEER,    ///< the peer's time / ours: how many times faster ours is
    VARIANT, ///< ours / the time of another way of ours: what is paid for the difference
};

/// What ours is compared with.
struct Comparison
{
    RatioOf kind;             ///< what the ratio says
    std::string with;         ///< name of the other
    Measurement seconds;      ///< of the other
    Measurement ratio;        ///< by repetition
    std::optional<Goal> goal; ///< what the median of the ratio should be
};

/// One measurement of ours and all that it is compared with.
struct BenchRow
{
    std::string what;                    ///< what was measured
    Unit unit;                           ///< how it is shown
    Measurement ours;                    ///< seconds, or plain numbers
    std::optional<Goal> goal;            ///< what the median of `ours` should be, in the unit
    std::vector<Comparison> comparisons; ///< in the order in which they are shown

    /// Compares with a floor. @param goal largest ratio; infinity: none
    void AddFloor(const std::string& with,
                  const Measurement& seconds,
                  double goal = std::numeric_limits<double>::infinity());

    /// Compares with a peer. @param goal smallest ratio; 0: none
    void AddPeer(const std::string& with, const Measurement& seconds, double goal = 0.0);

    /// Compares with another way of ours. @param goal largest ratio; infinity: none
    void AddVariant(const std::string& with,
                    const Measurement& seconds,
                    double goal = std::numeric_limits<double>::infinity());
};

/// What a benchmark has found.
class BenchReport
{
  public:
    /// A row to which comparisons are added; valid as long as the report.
    BenchRow& AddRow(const std::string& what, const Unit& unit, const Measurement& ours);

    /// A number that is no time, such as a share or a size of memory.
    void AddFigure(const std::string& what,
                   const std::string& unit,
                   const Measurement& values,
                   const std::optional<Goal>& goal = std::nullopt);

    /// Names the device on which rows were measured; the head of the report shows it.
    void SetDevice(const std::string& name)
    {
        m_device = name;
    }

    /// The device on which rows were measured; empty: none.
    const std::string& Device() const
    {
        return m_device;
    }

    /// A line below the table: what could not be measured, and why.
    void AddNote(const std::string& line);

    /// All rows, in their order.
    const std::deque<BenchRow>& Rows() const;

    /// All notes, in their order.
    const std::vector<std::string>& Notes() const;

  private:
    std::deque<BenchRow> m_rows;      ///< stay where they are while others are added
    std::vector<std::string> m_notes; ///< lines
    std::string m_device;             ///< see Device()
};

/// Names and values of what a report depends on, see MachineFacts().
using BenchFacts = std::vector<std::pair<std::string, std::string>>;

/// The report as an aligned table with the facts above and the notes below it.
std::string ReportTable(const BenchReport& report, const BenchFacts& facts);

/// The same rows as a Markdown table, for a page.
std::string ReportMarkdown(const BenchReport& report);

/**
 * @brief The report as JSON, with every repetition (doc/performance.md).
 * @param name of the benchmark
 */
std::string ReportJson(const std::string& name, const BenchReport& report, const BenchFacts& facts);

} // namespace dpdl

#endif // DPDL_BENCH_BENCH_REPORT_H
