// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../experiment/experiment-fixture.h"
#include "large-allocations.h"

#include <cstdlib>
#include <new>

namespace dpdl
{
namespace
{

/// Rounds after which nothing large is allocated.
constexpr Round WARM_UP = 3;

class SteadyRounds : public ExperimentTest
{
  protected:
    void SetUp() override
    {
        ExperimentTest::SetUp();
        if (!CountsAllocations())
        {
            GTEST_SKIP() << "this program cannot count allocations";
        }
    }

    /// Large allocations between the ends of the warm-up and of the last round.
    std::size_t Allocations(const std::string& model, std::size_t nodes, unsigned workers)
    {
        RunOptions settings = Small();
        settings.model = model;
        settings.nodes = nodes;
        settings.samples = 64 * nodes;
        settings.batchSize = 16;
        settings.rounds = 8;
        settings.evaluateEvery = 1;
        settings.workers = workers;
        settings.overwrite = true;
        Experiment experiment(settings, {});
        std::size_t before = 0;
        std::size_t after = 0;
        experiment.Recorder().SetProgressCallback([&](const Progress& progress) {
            before = progress.round <= WARM_UP ? LargeAllocations() : before;
            after = LargeAllocations();
        });
        LockstepRun(experiment);
        return after - before;
    }
};

TEST_F(SteadyRounds, CounterSeesEveryWayToAskForMemory)
{
    constexpr std::size_t LARGE = LARGE_ALLOCATION + 1;
    const std::size_t before = LargeAllocations();
    // Compilers leave out what they see through.
    void* volatile memory = std::malloc(LARGE);
    memory = std::realloc(memory, 2 * LARGE);
    std::free(memory);
    memory = std::calloc(LARGE, 1);
    std::free(memory);
    memory = std::aligned_alloc(64, 64 * LARGE);
    std::free(memory);
    memory = ::operator new(LARGE);
    ::operator delete(memory);
    memory = ::operator new (LARGE, std::align_val_t{64});
    ::operator delete (memory, std::align_val_t{64});
    EXPECT_EQ(LargeAllocations() - before, 6U);
    memory = std::malloc(LARGE_ALLOCATION);
    std::free(memory);
    EXPECT_EQ(LargeAllocations() - before, 6U);
}

TEST_F(SteadyRounds, AskForNoLargePieceOfMemory)
{
    for (const unsigned workers : {1U, 2U})
    {
        EXPECT_EQ(Allocations("mlp", 20, workers), 0U) << LastLargeAllocation();
        EXPECT_EQ(Allocations("cnn-s", 6, workers), 0U) << LastLargeAllocation();
        EXPECT_EQ(Allocations("cnn-m", 3, workers), 0U) << LastLargeAllocation();
    }
}

} // namespace
} // namespace dpdl
