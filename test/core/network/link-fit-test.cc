// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../mistakes.h"
#include "../usage-message.h"
#include "dpdl/network/building-file.h"
#include "dpdl/network/link-fit.h"

#include <sstream>

namespace dpdl
{
namespace
{

/// Volleys of one and of three messages of several sizes over a link of message mode.
std::vector<TimedMessage>
Measure(const LinkParameters& link)
{
    std::vector<TimedMessage> messages;
    std::uint32_t volley = 0;
    double clock = 0.0;
    for (const std::uint64_t bytes : {10000U, 100000U, 1000000U})
    {
        for (const std::uint32_t count : {1U, 3U})
        {
            double busyUntil = clock;
            double queued = 0.0;
            for (std::uint32_t i = 0; i < count; ++i)
            {
                TimedMessage message{0, 1, bytes, volley, clock};
                const double size = static_cast<double>(bytes);
                if (link.queue.bytes == 0 || queued + size <= static_cast<double>(link.queue.bytes))
                {
                    queued += size;
                    busyUntil += 8.0 * (size + link.overhead) / link.dataRate;
                    message.arrivedAt = busyUntil + link.delay;
                }
                messages.push_back(message);
            }
            clock = busyUntil + 1.0;
            ++volley;
        }
    }
    return messages;
}

TEST(LinkFit, FindsWhatALinkOfMessageModeIsLike)
{
    LinkParameters link;
    link.dataRate = 3e6;
    link.delay = 0.02;
    link.overhead = 400.0;
    const LinkParameters fit = FitLink(Measure(link));
    EXPECT_NEAR(fit.dataRate / link.dataRate, 1.0, 1e-9);
    EXPECT_NEAR(fit.delay, link.delay, 1e-9);
    EXPECT_NEAR(fit.overhead, link.overhead, 1e-3);
    EXPECT_EQ(fit.drop, 0.0);
    EXPECT_TRUE(fit.queue.IsUnbounded());
}

TEST(LinkFit, ALossBehindOthersIsAQueueAndALossAloneIsADrop)
{
    LinkParameters link;
    link.queue.bytes = 2000000;
    std::vector<TimedMessage> messages = Measure(link);
    EXPECT_EQ(FitLink(messages).queue.bytes, 2000000U);
    EXPECT_EQ(FitLink(messages).drop, 0.0);
    messages[4].arrivedAt = std::nan("");
    EXPECT_NEAR(FitLink(messages).drop, 1.0 / 3.0, 1e-12);
    EXPECT_TRUE(FitLink(messages).queue.IsUnbounded());
}

TEST(LinkFit, OneSizeIsNotEnough)
{
    std::vector<TimedMessage> messages = Measure({});
    messages.resize(4);
    EXPECT_THROW(FitLink(messages), Error);
}

TEST(LinkFit, ErrorsAreRelativeAndLossesCounted)
{
    std::vector<TimedMessage> truth(20);
    for (TimedMessage& message : truth)
    {
        message.arrivedAt = 2.0;
    }
    std::vector<TimedMessage> model = truth;
    model[3].arrivedAt = 2.2;
    model[5].arrivedAt = 1.9;
    model[7].arrivedAt = std::nan("");
    truth[8].arrivedAt = std::nan("");
    model[8].arrivedAt = std::nan("");
    const DurationError error = CompareDurations(model, truth);
    EXPECT_EQ(error.messages, 18U);
    EXPECT_EQ(error.lost, 1U);
    EXPECT_DOUBLE_EQ(error.median, 0.0);
    EXPECT_NEAR(error.largest, 0.1, 1e-12);
    EXPECT_NEAR(error.p95, 0.1, 1e-12);
}

const std::string HEADER = "x_min,x_max,y_min,y_max,height\n";

std::vector<Building>
Parsed(const std::string& rows)
{
    std::istringstream text(HEADER + rows);
    return ParseBuildings(text, "b.csv");
}

std::string
BuildingError(const std::string& rows)
{
    return UsageMessage([&rows] { Parsed(rows); });
}

TEST(BuildingFile, HasABoxInEachRow)
{
    const std::vector<Building> buildings = Parsed("10, 190,-10,7.5,20\n\n0,1,0,1,1000\n");
    ASSERT_EQ(buildings.size(), 2u);
    EXPECT_EQ(buildings[0].xMin, 10.0);
    EXPECT_EQ(buildings[0].xMax, 190.0);
    EXPECT_EQ(buildings[0].yMin, -10.0);
    EXPECT_EQ(buildings[0].yMax, 7.5);
    EXPECT_EQ(buildings[0].height, 20.0);
    EXPECT_EQ(buildings[1].height, 1000.0);
}

TEST(BuildingFile, MistakesNameFileLineAndColumn)
{
    for (const auto& [text, message] : MistakesOf("buildings file"))
    {
        EXPECT_NE(BuildingError(text).find(message), std::string::npos) << BuildingError(text);
    }
}

} // namespace
} // namespace dpdl
