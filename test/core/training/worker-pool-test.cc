// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "worker-pool.h"

#include <atomic>
#include <future>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>

namespace dpdl
{
namespace
{

TEST(WorkerPool, BeginsErrandsThatNobodyWaitsFor)
{
    std::promise<void> opened;
    std::promise<void> begun;
    std::promise<void> second;
    WorkerPool pool(2);
    const WorkerPool::Ticket first = pool.Add([&](unsigned) {
        begun.set_value();
        opened.get_future().wait();
    });
    pool.Add([&](unsigned) { second.set_value(); });
    begun.get_future().wait();
    EXPECT_EQ(pool.Open(), 2U);
    opened.set_value();
    second.get_future().wait(); // nobody has waited for an errand so far
    pool.Await(first);
    pool.AwaitAll();
    EXPECT_EQ(pool.Open(), 0U);
}

TEST(WorkerPool, OfOneWorkerDoesWhatIsWaitedForAndNothingElse)
{
    WorkerPool pool(1);
    std::vector<int> done;
    pool.Add([&](unsigned) { done.push_back(1); });
    const WorkerPool::Ticket second = pool.Add([&](unsigned) { done.push_back(2); });
    const WorkerPool::Ticket third = pool.Add([&](unsigned) { done.push_back(3); });
    pool.Add([&](unsigned) { done.push_back(4); });
    EXPECT_TRUE(done.empty());
    pool.Await(second);
    pool.Await(second);
    EXPECT_EQ(done, std::vector<int>({2}));
    pool.Drop(third);
    pool.Drop(third);
    pool.Await(third);
    EXPECT_EQ(pool.Open(), 2U);
    pool.AwaitAll();
    EXPECT_EQ(done, std::vector<int>({2, 1, 4}));
    pool.Await(0);
}

TEST(WorkerPool, WorksOnWhileAnotherIsAtWhatIsWaitedFor)
{
    std::promise<void> opened;
    std::promise<void> begun;
    WorkerPool pool(2);
    const WorkerPool::Ticket first = pool.Add([&](unsigned) {
        begun.set_value();
        opened.get_future().wait();
    });
    begun.get_future().wait();
    // The one worker is at the first errand, which ends after the second.
    pool.Add([&](unsigned) { opened.set_value(); });
    pool.Await(first);
    pool.AwaitAll();
    EXPECT_EQ(pool.Open(), 0U);
}

TEST(WorkerPool, DestroysErrandsBeforeTheyAreDone)
{
    WorkerPool pool(2);
    for (int i = 0; i < 1000; ++i)
    {
        auto held = std::make_shared<int>(i);
        const std::weak_ptr<int> left = held;
        const WorkerPool::Ticket ticket = pool.Add([held](unsigned) {});
        held.reset();
        pool.Await(ticket);
        ASSERT_TRUE(left.expired());
    }
}

TEST(WorkerPool, RunsTasksAmongErrands)
{
    for (const unsigned workers : {1U, 2U, 4U})
    {
        std::atomic<int> errands{0};
        WorkerPool pool(workers);
        for (int i = 0; i < 100; ++i)
        {
            pool.Add([&](unsigned) { ++errands; });
        }
        std::vector<int> done(200, 0);
        pool.Run(done.size(), [&](unsigned worker, std::size_t task) {
            EXPECT_LT(worker, workers);
            ++done[task];
        });
        EXPECT_EQ(done, std::vector<int>(200, 1));
        pool.AwaitAll();
        EXPECT_EQ(errands, 100);
        EXPECT_THROW(pool.Run(3, [](unsigned, std::size_t) { throw std::runtime_error("no"); }),
                     std::runtime_error);
        EXPECT_NO_THROW(pool.Run(3, [](unsigned, std::size_t) {}));
    }
}

} // namespace
} // namespace dpdl
