// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BENCH_INTERLEAVED_BENCHMARK_H
#define DPDL_BENCH_INTERLEAVED_BENCHMARK_H

#include <cstddef>
#include <functional>
#include <vector>

namespace dpdl
{

/// What the repetitions of one measurement gave, in their order.
class Measurement
{
  public:
    Measurement() = default;

    /// @param values one of each repetition
    explicit Measurement(std::vector<double> values);

    /// Adds a repetition.
    void Add(double value);

    /// One value of each repetition, in their order.
    const std::vector<double>& Values() const;

    /// The value below which a share of the repetitions lies, interpolated; NaN without values.
    double Quantile(double share) const;

    /// The middle value; NaN without values.
    double Median() const;

    /// The smallest value; NaN without values.
    double Minimum() const;

  private:
    std::vector<double> m_values; ///< in the order of the repetitions
};

/**
 * @brief above / below, repetition by repetition: what slows the machine for a while hits both.
 *
 * Where one of them has fewer repetitions, each of these stands for as many of the other.
 */
Measurement Ratios(const Measurement& above, const Measurement& below);

/// above + below * factor, repetition by repetition as in Ratios().
Measurement Sum(const Measurement& above, const Measurement& below, double factor);

/// What time is.
enum class TimeOf
{
    PROCESSOR, ///< processor time of the process: for one thread
    WALL,      ///< for what several threads do together
};

/// The clock of that kind, in seconds since some moment.
double SecondsOf(TimeOf kind);

/**
 * @brief Times several workloads round-robin: A B C, A B C, ...
 *
 * A shared machine gets slower and faster while it is measured. As every repetition has all of the
 * work in it, ratios within a repetition are hardly moved.
 */
class InterleavedBenchmark
{
  public:
    /// How to measure.
    struct Rules
    {
        std::size_t repeats{9};         ///< repetitions, unless that takes longer than `budget`
        double sample{0.02};            ///< least seconds of one work in a repetition
        double budget{20.0};            ///< seconds for all of it; 3 repetitions are always done
        TimeOf time{TimeOf::PROCESSOR}; ///< what time is
    };

    /// @param rules how to measure
    explicit InterleavedBenchmark(const Rules& rules);

    /**
     * @brief Adds a workload.
     * @param work done once a call; what it needs outlives the benchmark
     * @return its number
     */
    std::size_t Add(std::function<void()> work);

    /**
     * @brief Adds a workload that measures its own time.
     * @param work done once a call; gives the seconds that it took
     * @return its number
     */
    std::size_t AddTimed(std::function<double()> work);

    /// Warms up once, then measures; a second call adds as many repetitions.
    void Run();

    /// Seconds of one call of a workload. @param work its number
    const Measurement& Seconds(std::size_t work) const;

  private:
    /// One of those that are compared.
    struct Entry
    {
        /// does the work so many times and gives the seconds
        std::function<double(std::size_t)> time;
        std::size_t calls{0}; ///< in one repetition; 0 before the warm-up
        Measurement seconds;  ///< of one call
    };

    double WarmUp();

    Rules m_rules;                ///< how to measure
    std::vector<Entry> m_entries; ///< in the order of their turns
    std::size_t m_repeats{0};     ///< repetitions of one Run()
};

} // namespace dpdl

#endif // DPDL_BENCH_INTERLEAVED_BENCHMARK_H
