// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/random.h"
#include "dpdl/network/processor-sharing.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace dpdl
{
namespace
{

TEST(ProcessorSharing, AJobAloneTakesItsWork)
{
    ProcessorSharing share;
    share.Add(3.0, 2.0, 7);
    EXPECT_DOUBLE_EQ(share.NextEnd(), 5.0);
    EXPECT_EQ(share.TakeNext(5.0), 7U);
    EXPECT_TRUE(share.IsEmpty());
}

TEST(ProcessorSharing, EqualJobsEndTogetherInTheirOrder)
{
    ProcessorSharing share;
    for (std::uint32_t job = 0; job < 4; ++job)
    {
        share.Add(1.0, 0.5, job);
    }
    for (std::uint32_t job = 0; job < 4; ++job)
    {
        EXPECT_DOUBLE_EQ(share.NextEnd(), 3.0);
        EXPECT_EQ(share.TakeNext(3.0), job);
    }
}

TEST(ProcessorSharing, JobsThatTakeTurnsEndATurnApart)
{
    ProcessorSharing share;
    for (std::uint32_t job = 0; job < 4; ++job)
    {
        share.Add(1.0, 0.5, job, 0.1);
    }
    for (std::uint32_t job = 0; job < 4; ++job)
    {
        const double end = 1.0 + 4 * 0.5 - (3 - job) * 0.1;
        EXPECT_NEAR(share.NextEnd(), end, 1e-12);
        EXPECT_EQ(share.TakeNext(share.NextEnd()), job);
    }
}

TEST(ProcessorSharing, ALateJobSlowsTheFirst)
{
    ProcessorSharing share;
    share.Add(0.0, 2.0, 0);
    share.Add(1.0, 0.25, 1);
    EXPECT_DOUBLE_EQ(share.NextEnd(), 1.5);
    EXPECT_EQ(share.TakeNext(1.5), 1U);
    EXPECT_DOUBLE_EQ(share.NextEnd(), 2.25);
    EXPECT_EQ(share.TakeNext(2.25), 0U);
}

/// The same resource in small steps of time: every job gets step / m of each step.
std::vector<double>
EndsInSteps(const std::vector<double>& arrivals, std::vector<double> work, double step)
{
    std::vector<double> ends(work.size(), 0.0);
    for (std::size_t k = 0; std::count(ends.begin(), ends.end(), 0.0) > 0; ++k)
    {
        const double now = static_cast<double>(k) * step;
        std::vector<std::size_t> active;
        for (std::size_t i = 0; i < work.size(); ++i)
        {
            if (arrivals[i] <= now && work[i] > 0.0)
            {
                active.push_back(i);
            }
        }
        for (const std::size_t i : active)
        {
            work[i] -= step / static_cast<double>(active.size());
            ends[i] = work[i] > 0.0 ? 0.0 : now + step;
        }
    }
    return ends;
}

TEST(ProcessorSharing, AgreesWithSharingInSmallSteps)
{
    const RandomStream random({5, 1}, RandomPurpose::TEST, 0, 0);
    constexpr std::uint32_t jobs = 40;
    std::vector<double> arrivals;
    std::vector<double> work;
    for (std::uint32_t i = 0; i < jobs; ++i)
    {
        arrivals.push_back(10.0 * random.Uniform(2 * i));
        work.push_back(0.01 + random.Uniform(2 * i + 1));
    }
    std::sort(arrivals.begin(), arrivals.end());
    std::vector<double> ends(jobs, 0.0);
    ProcessorSharing share;
    for (std::uint32_t next = 0; next < jobs || !share.IsEmpty();)
    {
        if (next < jobs && (share.IsEmpty() || arrivals[next] <= share.NextEnd()))
        {
            share.Add(arrivals[next], work[next], next);
            ++next;
            continue;
        }
        const double end = share.NextEnd();
        ends[share.TakeNext(end)] = end;
    }
    const std::vector<double> expected = EndsInSteps(arrivals, work, 1e-4);
    for (std::uint32_t i = 0; i < jobs; ++i)
    {
        EXPECT_NEAR(ends[i], expected[i], 0.02) << "job " << i;
    }
}

} // namespace
} // namespace dpdl
