// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "worker-runner.h"

#include <atomic>
#include <future>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>

namespace dpdl
{
namespace
{

TEST(WorkerPool, BeginsTasksBeforeTheyAreWaitedFor)
{
    std::promise<void> opened;
    std::promise<void> begun;
    std::promise<void> second;
    WorkerPool pool(2);
    const WorkerPool::TaskId first = pool.Add([&](unsigned) {
        begun.set_value();
        opened.get_future().wait();
    });
    pool.Add([&](unsigned) { second.set_value(); });
    begun.get_future().wait();
    opened.set_value();
    second.get_future().wait(); // no task has been waited for yet
    pool.Await(first);
    pool.AwaitAll();
}

TEST(WorkerPool, OfOneWorkerDoesWhatIsWaitedForAndNothingElse)
{
    WorkerPool pool(1);
    std::vector<int> done;
    pool.Add([&](unsigned) { done.push_back(1); });
    const WorkerPool::TaskId second = pool.Add([&](unsigned) { done.push_back(2); });
    const WorkerPool::TaskId third = pool.Add([&](unsigned) { done.push_back(3); });
    pool.Add([&](unsigned) { done.push_back(4); });
    EXPECT_TRUE(done.empty());
    pool.Await(second);
    pool.Await(second);
    EXPECT_EQ(done, std::vector<int>({2}));
    pool.Drop(third);
    pool.Drop(third);
    pool.Await(third);
    pool.AwaitAll();
    EXPECT_EQ(done, std::vector<int>({2, 1, 4}));
    pool.Await(0);
}

TEST(WorkerPool, WorksOnWhileAnotherIsAtWhatIsWaitedFor)
{
    std::promise<void> opened;
    std::promise<void> begun;
    WorkerPool pool(2);
    const WorkerPool::TaskId first = pool.Add([&](unsigned) {
        begun.set_value();
        opened.get_future().wait();
    });
    begun.get_future().wait();
    // The one worker is running the first task, which ends after the second.
    pool.Add([&](unsigned) { opened.set_value(); });
    pool.Await(first);
    pool.AwaitAll();
}

TEST(WorkerPool, DestroysTasksBeforeTheyAreDone)
{
    WorkerPool pool(2);
    for (int i = 0; i < 1000; ++i)
    {
        auto held = std::make_shared<int>(i);
        const std::weak_ptr<int> left = held;
        const WorkerPool::TaskId id = pool.Add([held](unsigned) {});
        held.reset();
        pool.Await(id);
        ASSERT_TRUE(left.expired());
    }
}

TEST(WorkerPool, RunsTasksAmongTasks)
{
    for (const unsigned workers : {1U, 2U, 4U})
    {
        std::atomic<int> tasks{0};
        WorkerPool pool(workers);
        for (int i = 0; i < 100; ++i)
        {
            pool.Add([&](unsigned) { ++tasks; });
        }
        std::vector<int> done(200, 0);
        pool.Run(done.size(), [&](unsigned worker, std::size_t index) {
            EXPECT_LT(worker, workers);
            ++done[index];
        });
        EXPECT_EQ(done, std::vector<int>(200, 1));
        pool.AwaitAll();
        EXPECT_EQ(tasks, 100);
        EXPECT_THROW(pool.Run(3, [](unsigned, std::size_t) { throw std::runtime_error("no"); }),
                     std::runtime_error);
        EXPECT_NO_THROW(pool.Run(3, [](unsigned, std::size_t) {}));
    }
}

} // namespace
} // namespace dpdl
