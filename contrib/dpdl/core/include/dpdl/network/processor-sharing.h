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
 * A virtual clock runs at 1/m of the real one, and a job ends when this clock has advanced by the
 * job's work. Hence the virtual end time of a job is known when it arrives.
 *
 * Round-robin service with a quantum is similar: when a job gets its last quantum, the jobs that
 * arrived after it still wait for theirs, so it ends one quantum earlier for each of them. A
 * quantum of 0 means ideal processor sharing.
 */
class ProcessorSharing
{
  public:
    /**
     * @brief Adds a job.
     * @param now seconds, not less than any time given earlier
     * @param work seconds that the job would take alone, >= 0
     * @param job identifier that TakeNext() returns
     * @param quantum seconds of service per turn, at most the work; 0: processor sharing
     */
    void Add(double now, double work, std::uint32_t job, double quantum = 0.0);

    /// True if there is no job.
    bool IsEmpty() const
    {
        return m_jobs.empty();
    }

    /// Time in s at which the next job ends, if no job arrives earlier; requires a job.
    double NextEnd() const;

    /**
     * @brief Removes the job that ends first; of several that end together, the one added first.
     * @param now seconds, NextEnd() up to rounding
     * @return its identifier, see Add()
     */
    std::uint32_t TakeNext(double now);

  private:
    /// A job that has not ended.
    struct Job
    {
        double end;          ///< end of the job on the virtual clock, s
        std::uint64_t order; ///< number in the order of arrival
        std::uint32_t job;   ///< identifier, see Add()
        double quantum;      ///< service per turn, s; 0: processor sharing
    };

    static bool EndsLater(const Job& a, const Job& b);

    std::vector<Job> m_jobs;   ///< heap of jobs, the first to end in front
    double m_now{0.0};         ///< real clock at the last change, s
    double m_virtual{0.0};     ///< virtual clock at that time, s
    std::uint64_t m_orders{0}; ///< number of jobs added so far
};

} // namespace dpdl

#endif // DPDL_NETWORK_PROCESSOR_SHARING_H
