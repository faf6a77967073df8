// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "interleaved-benchmark.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <utility>

namespace dpdl
{

namespace
{

/// Joins two measurements repetition by repetition.
template <typename Join>
Measurement
Joined(const Measurement& above, const Measurement& below, Join join)
{
    const std::vector<double>& a = above.Values();
    const std::vector<double>& b = below.Values();
    const std::size_t count = a.empty() || b.empty() ? 0 : std::max(a.size(), b.size());
    Measurement joined;
    for (std::size_t i = 0; i < count; ++i)
    {
        joined.Add(join(a[i * a.size() / count], b[i * b.size() / count]));
    }
    return joined;
}

constexpr std::size_t LEAST_REPEATS = 3;
/// Seconds of a call that need not be warmed up.
constexpr double LONG = 0.5;

} // namespace

Measurement::Measurement(std::vector<double> values)
    : m_values(std::move(values))
{
}

void
Measurement::Add(double value)
{
    m_values.push_back(value);
}

const std::vector<double>&
Measurement::Values() const
{
    return m_values;
}

double
Measurement::Quantile(double share) const
{
    if (m_values.empty())
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
    std::vector<double> sorted = m_values;
    std::sort(sorted.begin(), sorted.end());
    const double position = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(position));
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (position - std::floor(position)) * (sorted[above] - sorted[below]);
}

double
Measurement::Median() const
{
    return Quantile(0.5);
}

double
Measurement::Minimum() const
{
    return Quantile(0.0);
}

Measurement
Ratios(const Measurement& above, const Measurement& below)
{
    return Joined(above, below, [](double a, double b) { return a / b; });
}

Measurement
Sum(const Measurement& above, const Measurement& below, double factor)
{
    return Joined(above, below, [factor](double a, double b) { return a + factor * b; });
}

double
SecondsOf(TimeOf kind)
{
    if (kind == TimeOf::WALL)
    {
        const auto now = std::chrono::steady_clock::now().time_since_epoch();
        return std::chrono::duration<double>(now).count();
    }
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

InterleavedBenchmark::InterleavedBenchmark(const Rules& rules)
    : m_rules(rules)
{
}

std::size_t
InterleavedBenchmark::Add(std::function<void()> work)
{
    const TimeOf kind = m_rules.time;
    m_entries.push_back({[work = std::move(work), kind](std::size_t calls) {
                             const double start = SecondsOf(kind);
                             for (std::size_t call = 0; call < calls; ++call)
                             {
                                 work();
                             }
                             return SecondsOf(kind) - start;
                         },
                         0,
                         {}});
    return m_entries.size() - 1;
}

std::size_t
InterleavedBenchmark::AddTimed(std::function<double()> work)
{
    m_entries.push_back({[work = std::move(work)](std::size_t calls) {
                             double seconds = 0.0;
                             for (std::size_t call = 0; call < calls; ++call)
                             {
                                 seconds += work();
                             }
                             return seconds;
                         },
                         0,
                         {}});
    return m_entries.size() - 1;
}

double
InterleavedBenchmark::WarmUp()
{
    double repetition = 0.0;
    for (Entry& entry : m_entries)
    {
        entry.calls = 1;
        // The first call touches memory, and makes what is made once; where it is long that is
        // little of it.
        double seconds = entry.time(1);
        seconds = seconds < LONG ? entry.time(1) : seconds;
        while (seconds < m_rules.sample / 2.0)
        {
            entry.calls *= 2;
            seconds = entry.time(entry.calls);
        }
        const double one = seconds / static_cast<double>(entry.calls);
        entry.calls = static_cast<std::size_t>(std::max(1.0, std::ceil(m_rules.sample / one)));
        // The budget is real time: what is not timed also takes some of it.
        const double start = SecondsOf(TimeOf::WALL);
        entry.time(1);
        repetition += (SecondsOf(TimeOf::WALL) - start) * static_cast<double>(entry.calls);
    }
    return repetition;
}

void
InterleavedBenchmark::Run()
{
    if (m_repeats == 0)
    {
        const double affordable = m_rules.budget / WarmUp();
        const double wanted = std::min(affordable, static_cast<double>(m_rules.repeats));
        const std::size_t least = std::min(LEAST_REPEATS, m_rules.repeats);
        m_repeats = std::max(least, static_cast<std::size_t>(wanted));
    }
    for (std::size_t repeat = 0; repeat < m_repeats; ++repeat)
    {
        for (Entry& entry : m_entries)
        {
            entry.seconds.Add(entry.time(entry.calls) / static_cast<double>(entry.calls));
        }
    }
}

const Measurement&
InterleavedBenchmark::Seconds(std::size_t work) const
{
    return m_entries.at(work).seconds;
}

} // namespace dpdl
