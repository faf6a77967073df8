// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../mistakes.h"
#include "../mutated.h"
#include "../usage-message.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/random.h"
#include "dpdl/privacy/step-group.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace dpdl
{
namespace
{

std::vector<StepGroup>
Parse(const std::string& text)
{
    std::istringstream stream(text);
    return ParseSchedule(stream, "s.csv");
}

std::string
MessageFor(const std::string& text)
{
    return UsageMessage([&]() { Parse(text); });
}

TEST(ScheduleFile, ReadsRowsInTheirOrder)
{
    const auto groups = Parse("noise,rate,steps\r\n1.1,0.01,500\n\n 0.9 ,\t1,7\r\n2e1,1e-3,1");
    ASSERT_EQ(groups.size(), 3U);
    EXPECT_EQ(groups[0].noise, 1.1);
    EXPECT_EQ(groups[0].rate, 0.01);
    EXPECT_EQ(groups[0].steps, 500U);
    EXPECT_EQ(groups[1].noise, 0.9);
    EXPECT_EQ(groups[1].rate, 1.0);
    EXPECT_EQ(groups[1].steps, 7U);
    EXPECT_EQ(groups[2].noise, 20.0);
    EXPECT_EQ(groups[2].rate, 0.001);
    EXPECT_EQ(groups[0].mechanism, "gaussian");
    EXPECT_EQ(groups[0].sampler, "poisson");
}

TEST(ScheduleFile, RefusesMistakesWithTheirLine)
{
    for (const auto& [text, expected] : MistakesOf("schedule file"))
    {
        EXPECT_EQ(MessageFor(text).rfind(expected, 0), 0U)
            << "got: " << MessageFor(text) << "\nexpected: " << expected;
    }
}

TEST(ScheduleFile, ReadsAFileAndNothingElse)
{
    const std::string path = testing::TempDir() + "dpdl-schedule-test.csv";
    std::ofstream(path) << "noise,rate,steps\n1,0.5,3\n";
    EXPECT_EQ(ReadScheduleFile(path).size(), 1U);
    std::ofstream(path, std::ios::trunc).close();
    EXPECT_THROW(ReadScheduleFile(path), UsageError) << "empty";
    std::remove(path.c_str());
    EXPECT_THROW(ReadScheduleFile(path), UsageError) << "no such file";
    EXPECT_THROW(ReadScheduleFile(testing::TempDir()), UsageError) << "a folder";
}

TEST(ScheduleFile, SurvivesAnyBytes)
{
    const std::vector<std::string> texts{
        "noise,rate,steps\n1.1,0.01,500\n0.9,0.02,7\n1,1,1\n",
        "noise,rate,steps\r\n\r\n5e-1,0.000001,9223372036854775807\r\n"};
    std::size_t accepted = 0;
    for (Round k = 0; k < 10000; ++k)
    {
        const RandomStream random({1, 1}, RandomPurpose::TEST, 0, k);
        try
        {
            for (const StepGroup& group : Parse(Mutated(texts[k % 2], "0123456789,.\ne-", random)))
            {
                ASSERT_TRUE(std::isfinite(group.noise) && group.noise > 0.0);
                ASSERT_TRUE(group.rate > 0.0 && group.rate <= 1.0);
                ASSERT_GE(group.steps, 1U);
            }
            ++accepted;
        }
        catch (const UsageError& error)
        {
            const std::string message = error.what();
            ASSERT_EQ(message.find('\n'), std::string::npos);
            ASSERT_NE(message.find("s.csv"), std::string::npos);
        }
    }
    EXPECT_GT(accepted, 100U);
    EXPECT_LT(accepted, 9900U);
}

} // namespace
} // namespace dpdl
