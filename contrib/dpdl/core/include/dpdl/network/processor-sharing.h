// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_PROCESSOR_SHARING_H
#define DPDL_NETWORK_PROCESSOR_SHARING_H

#include <cstdint>
#include <vector>

namespace dpdl
{

/**
 * @brief A resource that its jobs share evenly (egalitarian processor sharing): each of m jobs is
 *        served at 1/m of the full speed.
 *
 * A virtual clock runs at 1/m of the speed of real time. A job ends when this clock has advanced by
 * the job's work, so the virtual end time of a job is known at its arrival.
 *
 * With a quantum above 0, the class approximates round-robin service, in which each job in turn is
 * served for one quantum. In its last turn, a job is served before the jobs that arrived after it.
 * The job therefore ends earlier than under ideal processor sharing, by one quantum for each of
 * these later jobs. A quantum of 0 means ideal processor sharing.
 */
class ProcessorSharing
{
  public:
    /**
     * @brief Adds a job.
     * @param now current time in s, not less than in earlier calls
     * @param work duration of the job without other jobs, in s, >= 0
     * @param job identifier that TakeNext() returns
     * @param quantum service per turn, in s, at most @p work; 0: ideal processor sharing
     */
    void Add(double now, double work, std::uint32_t job, double quantum = 0.0);

    /// True if the resource has no job.
    bool IsEmpty() const
    {
        return m_jobs.empty();
    }

    /// Time at which the next job ends if no job arrives before, in s. Requires at least one job.
    double NextEnd() const;

    /**
     * @brief Removes the job that ends first. If several jobs end together, it removes the job that
     *        was added first.
     * @param now current time in s: NextEnd(), up to rounding
     * @return identifier of the job, see Add()
     */
    std::uint32_t TakeNext(double now);

  private:
    /// A job that has not ended.
    struct Job
    {
        double end;          ///< end of the job on the virtual clock, s
        std::uint64_t order; ///< index in the order of arrival
        std::uint32_t job;   ///< identifier that TakeNext() returns
        double quantum;      ///< service per turn, s; 0: ideal processor sharing
    };

    static bool EndsLater(const Job& a, const Job& b);

    std::vector<Job> m_jobs;   ///< heap of the jobs; the front is the next to end
    double m_now{0.0};         ///< real time of the last Add() or TakeNext(), s
    double m_virtual{0.0};     ///< virtual time at m_now, s
    std::uint64_t m_orders{0}; ///< number of jobs added so far
};

} // namespace dpdl

#endif // DPDL_NETWORK_PROCESSOR_SHARING_H
