// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"

#include <gtest/gtest.h>
#include <new>

namespace dpdl
{
namespace
{

TEST(LineOf, IsTheTextOfAnError)
{
    EXPECT_EQ(LineOf(UsageError("option 'drop'", "2", "a probability in [0, 1)")),
              "option 'drop': '2' is not accepted; expected a probability in [0, 1)");
}

TEST(LineOf, IsOneLine)
{
    EXPECT_EQ(LineOf(std::runtime_error("shapes differ\nat Tensor.cpp:7")), "shapes differ");
}

TEST(LineOf, SaysWhatToChangeWhereMemoryRanOut)
{
    const std::string line = "out of memory; expected fewer nodes, or a smaller model or batchSize";
    EXPECT_EQ(LineOf(std::bad_alloc()), line);
    EXPECT_EQ(LineOf(std::runtime_error("DefaultCPUAllocator: can't allocate memory: 9 bytes\n.")),
              line);
}

} // namespace
} // namespace dpdl
