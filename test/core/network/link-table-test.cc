// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../mistakes.h"
#include "../mutated.h"
#include "../usage-message.h"
#include "dpdl/network/link-table.h"

#include <sstream>

namespace dpdl
{
namespace
{

constexpr std::size_t TABLE_NODES = 5;

LinkTable
Parse(const std::string& text,
      LinkColumn own = LinkColumn::DATA_RATE,
      std::set<LinkColumn> claimed = {})
{
    LinkTable table(TABLE_NODES);
    std::istringstream stream(text);
    table.Read(stream, "l.txt", own, claimed);
    return table;
}

std::string
MessageFor(const std::string& text, LinkColumn own = LinkColumn::DATA_RATE)
{
    return UsageMessage([&]() { Parse(text, own); });
}

TEST(LinkTable, LinksThatNoLineNamesHaveTheDefaults)
{
    const LinkTable table = Parse("# source target dataRate\n0 1 1Mbps # slow\n\n3 2 2.5Gbps");
    EXPECT_DOUBLE_EQ(table.At(0, 1).dataRate, 1e6);
    EXPECT_DOUBLE_EQ(table.At(3, 2).dataRate, 2.5e9);
    EXPECT_DOUBLE_EQ(table.At(1, 0).dataRate, LinkParameters{}.dataRate);
    EXPECT_DOUBLE_EQ(table.At(0, 1).delay, LinkParameters{}.delay);
    EXPECT_FALSE(table.MayLose());
}

TEST(LinkTable, NamesBeatStarsWhateverTheOrder)
{
    const LinkTable table = Parse("0 1 10ms\n0 * 20ms\n* 1 30ms\n* * 40ms\n", LinkColumn::DELAY);
    EXPECT_DOUBLE_EQ(table.At(0, 1).delay, 0.010);
    EXPECT_DOUBLE_EQ(table.At(0, 2).delay, 0.020);
    EXPECT_DOUBLE_EQ(table.At(2, 1).delay, 0.030);
    EXPECT_DOUBLE_EQ(table.At(2, 3).delay, 0.040);
}

TEST(LinkTable, ALineOfNamesGivesSeveralColumns)
{
    const LinkTable table = Parse("target source queue dataRate delay drop overhead group\n"
                                  "1 0 64000B 5Mbps 2ms 0.25 28 radio\n"
                                  "2 0 3msg 5Mbps 2ms 0 0 radio\n"
                                  "3 0 none 5Mbps 2ms 0 0 none\n"
                                  "4 0 none 5Mbps 2ms 0 0 wire\n");
    const LinkParameters link = table.At(0, 1);
    EXPECT_EQ(link.queue.bytes, 64000U);
    EXPECT_DOUBLE_EQ(link.dataRate, 5e6);
    EXPECT_DOUBLE_EQ(link.delay, 2e-3);
    EXPECT_DOUBLE_EQ(link.drop, 0.25);
    EXPECT_DOUBLE_EQ(link.overhead, 28.0);
    EXPECT_EQ(table.At(0, 2).queue.messages, 3U);
    EXPECT_EQ(table.At(0, 2).group, link.group);
    EXPECT_EQ(table.At(0, 3).group, 0U);
    EXPECT_NE(table.At(0, 4).group, link.group);
    EXPECT_TRUE(table.MayLose());
}

TEST(LinkTable, ClaimedColumnsAreLeftAlone)
{
    const LinkTable table = Parse("source target dataRate delay\n0 1 1Mbps 7ms\n",
                                  LinkColumn::DATA_RATE,
                                  {LinkColumn::DATA_RATE, LinkColumn::DELAY});
    EXPECT_DOUBLE_EQ(table.At(0, 1).dataRate, 1e6);
    EXPECT_DOUBLE_EQ(table.At(0, 1).delay, LinkParameters{}.delay);
}

TEST(LinkTable, AQueueLimitMeansThatMessagesMayBeLost)
{
    EXPECT_TRUE(Parse("source target dataRate queue\n* * 1Mbps 1msg\n").MayLose());
    EXPECT_FALSE(Parse("source target dataRate queue\n* * 1Mbps none\n").MayLose());
}

TEST(LinkTable, TellsWhatAFileSaysOfItsErrors)
{
    const LinkTable table = Parse("# error median 1.5 %\n# other\n# error max 3 %\n0 1 1Mbps\n");
    EXPECT_EQ(table.Errors(), (std::vector<std::string>{"median 1.5 %", "max 3 %"}));
}

TEST(LinkTable, MistakesAreNamedWithLineAndWord)
{
    for (const auto& [text, message] : MistakesOf("link file"))
    {
        EXPECT_NE(MessageFor(text).find(message), std::string::npos) << MessageFor(text);
    }
    EXPECT_EQ(
        MessageFor("0 1 -1ms\n", LinkColumn::DELAY),
        "link file 'l.txt', line 1, word 3: '-1ms' is not accepted; expected a time >= 0 with "
        "a unit, such as 5ms or 2s");
    EXPECT_EQ(MessageFor("0 1 1\n", LinkColumn::DROP),
              "link file 'l.txt', line 1, word 3: '1' is not accepted; expected a probability in "
              "[0, 1)");
}

TEST(LinkTable, AFileThatCannotBeReadIsNamed)
{
    LinkTable table(TABLE_NODES);
    std::set<LinkColumn> claimed;
    EXPECT_THROW(table.ReadFile("/no/such/file", LinkColumn::DELAY, claimed), UsageError);
}

TEST(LinkTable, DamagedFilesAreReadOrRefused)
{
    const std::string text = "source target dataRate delay drop overhead queue group\n"
                             "0 1 10Mbps 5ms 0.1 28 64000B a\n* 2 1Gbps 1us 0 0 none none\n";
    for (std::uint32_t i = 0; i < 2000; ++i)
    {
        const std::string message =
            MessageFor(Mutated(text, "0129*#mMbpsB \n", {{1, 1}, RandomPurpose::TEST, 0, i}));
        EXPECT_TRUE(message == "accepted" || message.rfind("link file 'l.txt'", 0) == 0) << message;
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }
}

} // namespace
} // namespace dpdl
