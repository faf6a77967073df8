// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/network/failure-event.h"
#include "failure-fixture.h"

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

TEST(FailureScript, LinkDown)
{
    const FailureEvent event = Read("link 3->4 down at 10s for 5s");
    EXPECT_EQ(event.kind, FailureKind::LINK_DOWN);
    EXPECT_TRUE(event.links.Covers(3, 4));
    EXPECT_FALSE(event.links.Covers(4, 3));
    EXPECT_FALSE(event.links.Covers(3, 5));
    EXPECT_EQ(event.timing.pattern, Pattern::ONCE);
    EXPECT_EQ(event.timing.begin, 10.0);
    EXPECT_EQ(event.timing.end, 15.0);
    EXPECT_EQ(event.text, "link 3->4 down at 10s for 5s");
    EXPECT_EQ(event.place, "test, line 1");
}

TEST(FailureScript, LinkLoss)
{
    const FailureEvent event = Read("link * loss 0.05 from 0s");
    EXPECT_EQ(event.kind, FailureKind::LINK_LOSS);
    EXPECT_EQ(event.value, 0.05);
    EXPECT_EQ(event.timing.begin, 0.0);
    EXPECT_EQ(event.timing.end, NEVER);
    EXPECT_TRUE(event.links.sources.IsAll());
    EXPECT_TRUE(event.links.targets.IsAll());
}

TEST(FailureScript, LinkDelayAndRate)
{
    const FailureEvent delay = Read("link 0->* delay 200ms at 30s for 10s");
    EXPECT_EQ(delay.kind, FailureKind::LINK_DELAY);
    EXPECT_EQ(delay.value, 0.2);
    EXPECT_TRUE(delay.links.Covers(0, 7));
    EXPECT_FALSE(delay.links.Covers(7, 0));
    const FailureEvent rate = Read("link *->5 rate 250kbps at 1min for 1h");
    EXPECT_EQ(rate.kind, FailureKind::LINK_RATE);
    EXPECT_EQ(rate.value, 250e3);
    EXPECT_EQ(rate.timing.begin, 60.0);
    EXPECT_EQ(rate.timing.end, 3660.0);
}

TEST(FailureScript, GilbertElliott)
{
    const FailureEvent event = Read("link 2->7 gilbert-elliott p=0.02 r=0.3 bad=0.9");
    EXPECT_EQ(event.kind, FailureKind::LINK_BURST);
    EXPECT_EQ(event.burst.toBad, 0.02);
    EXPECT_EQ(event.burst.toGood, 0.3);
    EXPECT_EQ(event.burst.lossBad, 0.9);
    EXPECT_EQ(event.burst.lossGood, 0.0);
    EXPECT_EQ(Read("link * gilbert-elliott bad=1 good=0.01 r=1 p=0").burst.lossGood, 0.01);
}

TEST(FailureScript, Flap)
{
    const FailureEvent event = Read("link 3<->4 flap up=20s down=500ms from 10s for 60s");
    EXPECT_EQ(event.kind, FailureKind::LINK_DOWN);
    EXPECT_EQ(event.timing.pattern, Pattern::FLAP);
    EXPECT_TRUE(event.timing.together);
    EXPECT_EQ(event.timing.up, 20.0);
    EXPECT_EQ(event.timing.down, 0.5);
    EXPECT_EQ(event.timing.end, 70.0);
    EXPECT_TRUE(event.links.Covers(3, 4));
    EXPECT_TRUE(event.links.Covers(4, 3));
    const FailureEvent random = Read("link * flap mean-up=20s mean-down=1s");
    EXPECT_EQ(random.timing.pattern, Pattern::RANDOM);
    EXPECT_FALSE(random.timing.together);
}

TEST(FailureScript, Nodes)
{
    const FailureEvent crash = Read("node 5 crash at 20s recover 40s");
    EXPECT_EQ(crash.kind, FailureKind::NODE_CRASH);
    EXPECT_EQ(crash.timing.end, 40.0);
    EXPECT_FALSE(crash.keepsState);
    EXPECT_TRUE(Read("node 5 crash at 20s for 5s with state").keepsState);
    EXPECT_FALSE(Read("node 5 crash without state").keepsState);
    const FailureEvent slow = Read("node 8 slow 4x at 10s for 30s");
    EXPECT_EQ(slow.kind, FailureKind::NODE_SLOW);
    EXPECT_EQ(slow.value, 4.0);
    const FailureEvent pause = Read("node {0-3,7} pause at 1s for 2s");
    EXPECT_EQ(pause.kind, FailureKind::NODE_PAUSE);
    EXPECT_EQ(pause.nodes.Members(), (std::vector<NodeId>{0, 1, 2, 3, 7}));
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

TEST(FailureScript, Leaks)
{
    const FailureEvent leak = Read("node {3,5} leaks at 2s");
    EXPECT_EQ(leak.kind, FailureKind::NODE_LEAK);
    EXPECT_EQ(leak.nodes.Members(), (std::vector<NodeId>{3, 5}));
    EXPECT_EQ(leak.timing.begin, 2.0);
    EXPECT_TRUE(std::isinf(leak.timing.end));
    EXPECT_TRUE(leak.IsOfNodes());
}

TEST(FailureScript, PartitionAndCircles)
{
    const FailureEvent partition = Read("partition {0-9} {10-19} at 60s for 15s");
    EXPECT_EQ(partition.kind, FailureKind::PARTITION);
    ASSERT_EQ(partition.groups.size(), 2U);
    EXPECT_TRUE(partition.groups[1].Contains(19));
    const FailureEvent region = Read("region center=(500,500) radius=200 down at 5s for 5s");
    EXPECT_EQ(region.kind, FailureKind::REGION);
    EXPECT_EQ(region.center.x, 500.0);
    EXPECT_EQ(region.radius, 200.0);
    const FailureEvent jam = Read("jam center=(-1.5, 2) radius=20 loss 0.7 at 5s for 5s");
    EXPECT_EQ(jam.kind, FailureKind::JAM);
    EXPECT_EQ(jam.center.x, -1.5);
    EXPECT_EQ(jam.center.y, 2.0);
    EXPECT_EQ(jam.value, 0.7);
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
