// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "device-timing.h"
#include "dpdl/base/errors.h"
#include "dpdl/training/cuda-device.h"
#include "host-executor.h"
#include "test-images.h"

#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

TEST(DeviceTiming, TimesEveryPartOfARound)
{
    HostExecutor executor;
    const auto images = MakeTestImages(IMAGE, 20, 5);
    const DeviceTiming timing =
        TimeExecutor(executor, MakeModel("softmax-regression", IMAGE, 10), *images, {3, 4, 2, 1});
    EXPECT_EQ(timing.device, "host");
    EXPECT_GT(timing.copyBandwidth, 0.0);
    EXPECT_GT(timing.updateBandwidth, 0.0);
    EXPECT_GT(timing.mixBandwidth, 0.0);
    EXPECT_GT(timing.stepSeconds, 0.0);
    EXPECT_GT(timing.productSeconds, 0.0);
    EXPECT_EQ(timing.nodesAtOnce, 3U);
}

TEST(DeviceTiming, SaysWhyThereIsNoDevice)
{
    if (WhyNoCudaDevice().empty())
    {
        GTEST_SKIP() << "needs a machine without a CUDA device";
    }
    const auto images = MakeTestImages(IMAGE, 20, 5);
    EXPECT_THROW(TimeCudaDevice(MakeModel("mlp", IMAGE, 10), *images, {}), Error);
}

} // namespace
} // namespace dpdl
