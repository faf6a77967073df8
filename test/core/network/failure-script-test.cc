// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/network/failure-event.h"

#include <fstream>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

using Pattern = FailureTiming::Pattern;

/// Reads one event for a network of 20 nodes.
FailureEvent
Read(const std::string& event)
{
    return ParseFailures(event, "test", 20).at(0);
}

TEST(FailureScript, Lies)
{
    const FailureEvent lie = Read("node {3,5} lies sign-flip from 2s for 1s");
    EXPECT_EQ(lie.kind, FailureKind::NODE_LIE);
    EXPECT_EQ(lie.nodes.Members(), (std::vector<NodeId>{3, 5}));
    EXPECT_EQ(lie.timing.begin, 2.0);
    EXPECT_EQ(lie.timing.end, 3.0);
    for (const PartInfo& info : Lies().List())
    {
        const bool isNoise = info.name == "noise";
        const Lie read = Read("node 3 lies " + info.name + (isNoise ? " scale=0.5" : "")).lie;
        EXPECT_EQ(Lies().NameOf(read.kind), info.name);
        EXPECT_EQ(read.scale, isNoise ? 0.5 : 0.0);
    }
    EXPECT_EQ(Read("random node * lies zero mean-up=2s mean-down=1s").timing.pattern,
              Pattern::RANDOM);
}

TEST(FailureScript, Random)
{
    const FailureEvent link = Read("random link {0-2}->{3-5} down mean-up=30s mean-down=5s");
    EXPECT_EQ(link.timing.pattern, Pattern::RANDOM);
    EXPECT_FALSE(link.timing.together);
    EXPECT_EQ(link.timing.up, 30.0);
    EXPECT_EQ(link.timing.down, 5.0);
    const FailureEvent node =
        Read("random node * crash mean-up=1h mean-down=1min with state together from 5s");
    EXPECT_EQ(node.kind, FailureKind::NODE_CRASH);
    EXPECT_TRUE(node.timing.together);
    EXPECT_TRUE(node.keepsState);
    EXPECT_EQ(node.timing.begin, 5.0);
    EXPECT_TRUE(Read("random partition {0} {1} mean-up=1s mean-down=1s").timing.together);
}

TEST(FailureScript, GroupsCommentsAndBlanks)
{
    const auto events = ParseFailures("# roadside units\n"
                                      "group rsu = {0-3}\n"
                                      "\n"
                                      "  link  rsu -> {rsu, 7}   down  # until the end\r\n"
                                      "group all={0-19}\n"
                                      "node all pause at 1s for 1s\n",
                                      "test",
                                      20);
    ASSERT_EQ(events.size(), 2U);
    EXPECT_TRUE(events[0].links.Covers(0, 7));
    EXPECT_FALSE(events[0].links.Covers(7, 0));
    EXPECT_EQ(events[0].text, "link rsu->{rsu,7} down");
    EXPECT_EQ(events[0].place, "test, line 4");
    EXPECT_TRUE(events[1].nodes.IsAll());
}

TEST(FailureScript, FilesAndSeveralPlaces)
{
    const std::string path = ::testing::TempDir() + "failures.txt";
    std::ofstream(path) << "group rsu = 2\n";
    FailureScript script(20);
    script.AddFile(path);
    script.AddLine("node rsu crash at 1s", "--fail", 2);
    EXPECT_EQ(script.Events().at(0).place, "--fail, line 2");
    EXPECT_THROW(script.AddFile(path + ".missing"), UsageError);
}

TEST(FailureScript, FailuresThatAddUp)
{
    EXPECT_EQ(ParseFailures("link * loss 0.05\nlink 3->4 loss 0.5 at 10s for 5s\n"
                            "link 3->4 down at 1s for 5s\nlink * down at 2s for 5s\n"
                            "node 1 pause at 1s for 5s\nnode * pause at 2s for 5s\n"
                            "node 1 crash at 2s for 1s\n"
                            "jam center=(0,0) radius=1 loss 0.5\njam center=(0,0) radius=2 loss 1\n"
                            "link 3->4 delay 1s at 1s for 1s\nlink 3->4 delay 2s at 2s\n"
                            "link 4->3 delay 2s at 1s\nnode 3 slow 2x\nnode 4 slow 3x\n"
                            "link {3}->{3,5} rate 1bps\nlink {3,5}->{3} rate 2bps\n",
                            "test",
                            20)
                  .size(),
              16U);
}

TEST(FailureScript, ExamplesOfTheDocumentation)
{
    std::ifstream page(std::string(DPDL_SOURCE_DIR) + "/doc/failures.md");
    std::string example;
    std::size_t events = 0;
    bool within = false;
    for (std::string line; std::getline(page, line);)
    {
        if (line.rfind("```", 0) == 0)
        {
            events += ParseFailures(example, "doc/failures.md", 20).size();
            example.clear();
            within = line == "```failures";
        }
        else if (within)
        {
            example += line + "\n";
        }
    }
    EXPECT_EQ(events, 15U);
}

} // namespace
} // namespace dpdl
