// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_PROCESSOR_SHARING_H
#define DPDL_NETWORK_PROCESSOR_SHARING_H

#include <cstdint>
#include <vector>

namespace dpdl
{

/**
 * @brief A resource that all jobs in it share evenly: with m jobs, each advances at 1/m of the
 * speed it would have alone (egalitarian processor sharing).
 *
 * A virtual clock runs at 1/m of the real one, and a job ends when it has advanced by the job's
 * work: jobs end in the order of a number that is known when they arrive.
 *
 * A resource that serves jobs in turns of a quantum is almost the same: when a job gets its last
 * turn, those that arrived after it still wait for theirs, so that it ends a quantum earlier for
 * each of them. With a quantum of 0 jobs are served all at once.
 */
class ProcessorSharing
{
  public:
    /**
     * @brief A job arrives.
     * @param now seconds, not less than any time given earlier
     * @param work seconds that the job would take alone, >= 0
     * @param job what TakeNext() gives back
     * @param quantum seconds of a turn of the job if it were alone, at most its work
     */
    void Add(double now, double work, std::uint32_t job, double quantum = 0.0);

    /// True if there is no job.
    bool IsEmpty() const
    {
        return m_jobs.empty();
    }

    /// When the next job ends if none arrives before, in seconds; there has to be a job.
    double NextEnd() const;

    /**
     * @brief The job that ends first leaves; of several that end together, the one that came first.
     * @param now seconds, NextEnd() up to rounding
     * @return what Add() was given
     */
    std::uint32_t TakeNext(double now);

  private:
    /// A job that has not ended.
    struct Job
    {
        double end;          ///< on the virtual clock
        std::uint64_t order; ///< of arrival
        std::uint32_t job;   ///< seconds of a turn, at most the work
        double quantum;      ///< see Add()
    };

    static bool EndsLater(const Job& a, const Job& b);

    std::vector<Job> m_jobs;   ///< a heap, the first to end in front
    double m_now{0.0};         ///< real clock at the last change, s
    double m_virtual{0.0};     ///< virtual clock at that time, s
    std::uint64_t m_orders{0}; ///< jobs that have arrived
};

} // namespace dpdl

#endif // DPDL_NETWORK_PROCESSOR_SHARING_H
