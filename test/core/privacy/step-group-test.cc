// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../mistakes.h"
#include "../mutated.h"
#include "../usage-message.h"
#include "dpdl/privacy/accountant.h"
#include "dpdl/privacy/step-group.h"

#include <cmath>
#include <cstdio>
#include <limits>
#include <sstream>

namespace dpdl
{
namespace
{

StepGroup
Group(const std::string& sampler, double rate, double noise, std::uint64_t steps)
{
    StepGroup group;
    group.sampler = sampler;
    group.rate = rate;
    group.noise = noise;
    group.steps = steps;
    return group;
}

bool
operator==(const PrivacyStep& a, const PrivacyStep& b)
{
    return !(a < b) && !(b < a);
}

void
ExpectEqual(const StepCounts& a, const StepCounts& b)
{
    ASSERT_EQ(a.size(), b.size());
    for (auto x = a.begin(), y = b.begin(); x != a.end(); ++x, ++y)
    {
        EXPECT_TRUE(x->first == y->first);
        EXPECT_EQ(x->second, y->second);
    }
}

/// The steps of the same schedule as a run would have recorded them.
StepCounts
Recorded(const std::vector<StepGroup>& groups, std::uint32_t stepsPerEpoch)
{
    std::vector<Release> releases;
    for (const StepGroup& group : groups)
    {
        for (std::uint64_t k = 0; k < group.steps; ++k)
        {
            Release fields = ReleaseOf(group);
            fields.round = static_cast<Round>(releases.size());
            fields.epoch = fields.round / stepsPerEpoch;
            releases.emplace_back(fields);
        }
    }
    return ReleaseTally(releases).Steps();
}

TEST(ReleaseTally, TheOrderOfAnEpochsReleasesDoesNotMatter)
{
    Release weak = ReleaseOf(Group("cyclic-poisson", 0.3, 1.3, 1));
    Release strong = ReleaseOf(Group("cyclic-poisson", 0.2, 0.7, 1));
    weak.epoch = strong.epoch = 4;
    ExpectEqual(ReleaseTally({weak, strong}).Steps(), ReleaseTally({strong, weak}).Steps());
}

TEST(StepGroup, CountsAsTheReleasesOfARunDo)
{
    for (const char* sampler : {"poisson", "fixed", "full", "shuffle"})
    {
        const double rate = sampler == std::string("full") ? 1.0 : 0.1;
        std::vector<StepGroup> groups{Group(sampler, rate, 1.1, 13),
                                      Group(sampler, rate, 0.7, 4),
                                      Group(sampler, rate, 0.9, 30),
                                      Group(sampler, rate, 1.1, 2)};
        ExpectEqual(CountSteps(groups), Recorded(groups, 10));
        groups[1].flags = ReleaseFlag::BATCH_CLIP;
        ExpectEqual(CountSteps(groups), Recorded(groups, 10));
        for (StepGroup& group : groups)
        {
            group.mechanism = "laplace";
        }
        ExpectEqual(CountSteps(groups), Recorded(groups, 10));
    }
}

// 100 of 101 examples, once: an epoch of `shuffle` and a step of `fixed` are the same mechanism.
// Its rival holds 100 examples and takes them all, so that one of them stands where the other was:
// with probability 100 / 101 the sum moves by twice the clip bound.
TEST(StepGroup, InABatchOfFixedSizeAnotherTakesTheFreePlace)
{
    const double rate = 100.0 / 101.0;
    AccountingQuery question;
    question.delta = 1e-5;
    const auto epsilon = [&question](const StepGroup& group) {
        return Accountants().Get("pld")->Evaluate(CountSteps({group}), question).epsilon;
    };
    const auto deltaOfTwice = [rate](double at) {
        const double x = 0.5 * std::log((std::expm1(at) + rate) / rate) + 1.0;
        const auto above = [](double y) { return 0.5 * std::erfc(y / std::sqrt(2.0)); };
        return (1.0 - rate - std::exp(at)) * above(x) + rate * above(x - 2.0);
    };
    const double shuffled = epsilon(Group("shuffle", rate, 1.0, 1));
    EXPECT_LE(deltaOfTwice(epsilon(Group("fixed", rate, 1.0, 1))), question.delta);
    EXPECT_LE(deltaOfTwice(shuffled), question.delta);
    for (const char* sampler : {"fixed", "shuffle"})
    {
        EXPECT_GE(epsilon(Group(sampler, 1.0, 1.0, 1)), shuffled) << "with one more example";
    }
    question.adjacency = Adjacency::REPLACE;
    EXPECT_EQ(epsilon(Group("shuffle", rate, 1.0, 1)), shuffled);
}

TEST(StepGroup, ShuffledSchedulesOfAnyShape)
{
    for (Round k = 0; k < 300; ++k)
    {
        const RandomStream random({1, 1}, RandomPurpose::TEST, 0, k);
        const std::uint32_t stepsPerEpoch = 1 + random.Integer(0, 20);
        std::vector<StepGroup> groups;
        const std::uint32_t rows = 1 + random.Integer(1, 12);
        for (std::uint32_t row = 0; row < rows; ++row)
        {
            groups.push_back(Group("shuffle",
                                   1.0 / stepsPerEpoch,
                                   0.5 + random.Integer(2 * row + 2, 4),
                                   1 + random.Integer(2 * row + 3, 50)));
        }
        ExpectEqual(CountSteps(groups), Recorded(groups, stepsPerEpoch));
    }
}

TEST(StepGroup, PassesHoldWholeBatchesAndAreRoundedUp)
{
    const auto passes = [](double rate, std::uint64_t steps) {
        const StepCounts counts = CountSteps({Group("shuffle", rate, 1.0, steps)});
        return counts.begin()->second;
    };
    EXPECT_EQ(passes(1.0 / 49, 49), 1U) << "1 / (1 / 49) is less than 49 in floating point";
    EXPECT_EQ(passes(1.0 / 49, 50), 2U);
    EXPECT_EQ(passes(64.0 / 2500, 90 * 39), 90U);
    EXPECT_EQ(passes(64.0 / 2500, 90 * 39 + 1), 91U) << "the last 4 of 2500 are left out";
    EXPECT_EQ(passes(0.6, 5), 5U) << "one batch a pass";
    EXPECT_EQ(passes(1e-9, 1), 1U);
    EXPECT_EQ(passes(1e-300, 1), 1U);
    EXPECT_EQ(passes(0.5, 1), 1U);
    EXPECT_EQ(passes(1e-3, 1000000000), 1000000U);
}

TEST(StepGroup, ManyStepsCostNoMemory)
{
    const StepCounts counts = CountSteps({Group("poisson", 0.01, 1.0, MOST_STEPS)});
    EXPECT_EQ(counts.size(), 1U);
    EXPECT_EQ(counts.begin()->second, MOST_STEPS);
}

TEST(StepGroup, RefusesWhatIsOutOfRange)
{
    const double inf = std::numeric_limits<double>::infinity();
    for (const double noise : {0.0, -1.0, inf, double(NAN), 1e-310})
    {
        EXPECT_THROW(CountSteps({Group("poisson", 0.1, noise, 1)}), UsageError) << noise;
    }
    for (const double rate : {0.0, -0.1, 1.1, inf, double(NAN)})
    {
        EXPECT_THROW(CountSteps({Group("poisson", rate, 1.0, 1)}), UsageError) << rate;
    }
    EXPECT_THROW(CountSteps({}), UsageError);
    EXPECT_THROW(CountSteps({Group("poisson", 0.1, 1.0, 0)}), UsageError);
    EXPECT_THROW(CountSteps({Group("poisson", 0.1, 1.0, MOST_STEPS + 1)}), UsageError);
    EXPECT_THROW(
        CountSteps({Group("poisson", 0.1, 1.0, MOST_STEPS), Group("poisson", 0.1, 1.0, 1)}),
        UsageError);
    EXPECT_THROW(CountSteps({Group("full", 0.1, 1.0, 1)}), UsageError);
    EXPECT_THROW(CountSteps({Group("balls", 0.1, 1.0, 1)}), UsageError);
    EXPECT_THROW(CountSteps({Group("poisson", 0.1, 1.0, 1), Group("shuffle", 0.1, 1.0, 1)}),
                 UsageError);
}

TEST(EpochOf, CountsPassesOfWholeBatches)
{
    for (std::uint32_t examples = 1; examples <= 400; ++examples)
    {
        for (std::uint32_t batch = 1; batch <= examples; ++batch)
        {
            const std::uint32_t rounds = examples / batch;
            const double rate = static_cast<double>(batch) / examples;
            ASSERT_EQ(EpochOf(rounds - 1, rate), 0u) << examples << " " << batch;
            ASSERT_EQ(EpochOf(rounds, rate), 1u) << examples << " " << batch;
            ASSERT_EQ(EpochOf(7 * rounds, rate), 7u) << examples << " " << batch;
        }
    }
    for (const double rate : {0.0, -0.5, 1.5, std::nan("")})
    {
        EXPECT_EQ(EpochOf(5, rate), 5u);
    }
}

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
