// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "cuda/cuda-executor.h"

#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

TEST(CudaExecutor, SaysWhyThereIsNoDevice)
{
    const std::string why = cuda::WhyNoDevice();
    if (why.empty())
    {
        GTEST_SKIP() << "needs a machine without a CUDA device";
    }
    EXPECT_EQ(why.find('\n'), std::string::npos);
    EXPECT_THROW(cuda::MakeCudaExecutor(), cuda::DeviceError);
}

} // namespace
} // namespace dpdl
