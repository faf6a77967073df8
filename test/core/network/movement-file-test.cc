// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../mistakes.h"
#include "../mutated.h"
#include "../usage-message.h"
#include "dpdl/network/failure-event.h"
#include "dpdl/network/movement-file.h"

#include <cmath>
#include <sstream>

namespace dpdl
{
namespace
{

const std::string MOVEMENT = "# made by hand\n"
                             "$node_(0) set X_ 1.6\n"
                             "$node_(0) set Y_ 612.3\n"
                             "$node_(0) set Z_ 0\n"
                             "$ns_ at 1.0 \"$node_(0) setdest 1.6 612.3 0.00\"\n"
                             "\n"
                             "$node_(1) set X_ -5\n"
                             "$node_(1) set Y_ 7;\n"
                             "$ns_ at 1.5 \"$node_(0) setdest 1.6 612.92 1.23\"; # on\n"
                             "$ns_ at 9 \"$node_(1) set X_ 100\"\n"
                             "$ns_ at 9 \"$node_(1) set Y_ 8\"\n";

const std::string ACTIVITY = "$ns_ at 1.0 \"$g(1) start\"; # SUMO-ID: a\n"
                             "$ns_ at 118.5 \"$g(1) stop\"; # SUMO-ID: a\n"
                             "$ns_ at 2 \"$g(0) start\"\n";

/// A vehicle that arrives early, one that departs late, and one that leaves for a while.
const std::string FCD =
    "<?xml version=\"1.0\"?>\n<!-- by hand --><fcd-export>\n"
    "<timestep time=\"0.00\"/>\n"
    "<timestep time=\"0.50\"><vehicle id=\"b\" x=\"-5.00\" y=\"7\" speed=\"2.00\"/>\n"
    "<vehicle id=\"gone\" x=\"0\" y=\"0\"/><person id=\"b\" x=\"9\" y=\"9\"/></timestep>\n"
    "<timestep time=\"1.00\"><vehicle id=\"b\" x=\"-4\" y=\"7\" speed=\"2\" "
    "lane=\"-1_0\"/></timestep>\n"
    "<timestep time=\"1.50\"><vehicle id=\"a\" x=\"1.5\" y=\"612.5\" speed=\"0\"/></timestep>\n"
    "<timestep time=\"2.00\"><vehicle id=\"a\" x=\"1.5\" y=\"613\" speed=\"1.25\"/>\n"
    "<vehicle id=\"gone\" x=\"3\" y=\"0\" speed=\"9\"/></timestep>\n</fcd-export>\n";

Movement
Moves(const std::string& text)
{
    std::istringstream stream(text);
    return ParseMovement(stream, "m.tcl");
}

std::vector<Presence>
Acts(const std::string& text)
{
    std::istringstream stream(text);
    return ParseActivity(stream, "a.tcl", 3);
}

std::string
MoveError(const std::string& text)
{
    return UsageMessage([&text] { Moves(text); });
}

std::string
ActError(const std::string& text)
{
    return UsageMessage([&text] { Acts(text); });
}

TEST(MovementFile, IsReadAsSumoWritesIt)
{
    const Movement movement = Moves(MOVEMENT);
    EXPECT_EQ(movement.nodes, 2u);
    EXPECT_EQ(movement.step, 0.5);
    EXPECT_EQ(movement.last, 9.0);
    EXPECT_EQ(movement.low.x, -5.0);
    EXPECT_EQ(movement.high.x, 100.0);
    EXPECT_EQ(movement.low.y, 7.0);
    EXPECT_EQ(movement.high.y, 612.92);
}

TEST(MovementFile, FcdIsReadAsTraceExporterTranslatesIt)
{
    std::istringstream xml(FCD);
    EXPECT_EQ(*ParseMovement(xml, "", 0.5).commands,
              "$node_(0) set X_ -5.00\n$node_(0) set Y_ 7\n"
              "$ns_ at 0 \"$node_(0) setdest -5.00 7 2\"\n"
              "$node_(1) set X_ 0\n$node_(1) set Y_ 0\n"
              "$ns_ at 0 \"$node_(1) setdest 0 0 0\"\n"
              "$ns_ at 0.5 \"$node_(0) setdest -4 7 2\"\n"
              "$node_(2) set X_ 1.5\n$node_(2) set Y_ 612.5\n"
              "$ns_ at 1 \"$node_(2) setdest 1.5 612.5 0\"\n"
              "$ns_ at 1.5 \"$node_(2) setdest 1.5 613 1.25\"\n"
              // traceExporter.py loses it: 3 m in 1.5 s, from a step after 0.5 s on.
              "$ns_ at 0.5 \"$node_(1) setdest 3 0 2\"\n");
    const Movement movement = Moves(FCD);
    EXPECT_EQ(movement.nodes, 3u);
    EXPECT_EQ(movement.step, 0.5);
    EXPECT_EQ(movement.first, 0.5);
    const std::vector<std::pair<double, double>> times{{0.5, 1.5}, {0.5, 2.5}, {1.5, 2.5}};
    for (std::size_t i = 0; i < times.size(); ++i)
    {
        EXPECT_EQ(movement.presence.at(i).start, times[i].first) << i;
        EXPECT_EQ(movement.presence.at(i).stop, times[i].second) << i;
        EXPECT_EQ(movement.presence.at(i).missed, i == 1 ? 2u : 0u) << i;
    }
}

TEST(MovementFile, ActivitySaysWhoIsThereWhen)
{
    const std::vector<Presence> presence = Acts(ACTIVITY);
    ASSERT_EQ(presence.size(), 3u);
    EXPECT_EQ(presence[1].start, 1.0);
    EXPECT_EQ(presence[1].stop, 118.5);
    EXPECT_EQ(presence[0].start, 2.0);
    EXPECT_TRUE(std::isinf(presence[0].stop));
    EXPECT_EQ(presence[2].start, 0.0);
    EXPECT_TRUE(std::isinf(presence[2].stop));
}

TEST(MovementFile, AbsenceIsACrashThatTheFailureLanguageKnows)
{
    const auto events = AbsenceEvents(Acts(ACTIVITY), 1);
    EXPECT_EQ(events,
              (std::vector<std::string>{"node 1 crash with state at 0s recover 2s",
                                        "node 2 crash with state at 0s recover 1s",
                                        "node 2 crash with state at 118.5s"}));
    FailureScript script(3);
    for (const std::string& event : events)
    {
        script.AddText(event, "test");
    }
    EXPECT_EQ(script.Events().size(), 3u);
}

TEST(MovementFile, MistakesNameFileLineAndWord)
{
    for (const auto& [text, message] : MistakesOf("mobility file"))
    {
        EXPECT_NE(MoveError(text).find(message), std::string::npos) << MoveError(text);
    }
    EXPECT_NE(MoveError(MOVEMENT + "$ns_ at 9 $node_(0) setdest 1 2 3\n").find("line 12"),
              std::string::npos);
    EXPECT_NE(MoveError(MOVEMENT + "$ns_ at -1 \"$node_(0) setdest 1 2 3\"\n").find("word 3"),
              std::string::npos);
    EXPECT_NE(MoveError(MOVEMENT + "$ns_ at 1 \"$node_(0) setdest 1 2 -3\"\n").find("word 8"),
              std::string::npos);
}

TEST(MovementFile, MistakesOfActivitiesNameFileLineAndWord)
{
    for (const auto& [text, message] : MistakesOf("activity file"))
    {
        EXPECT_NE(ActError(text).find(message), std::string::npos) << ActError(text);
    }
    EXPECT_NE(ActError(ACTIVITY + "$ns_ at 5 \"$g(0) start\"\n").find("line 4, word 5"),
              std::string::npos);
    EXPECT_NE(ActError(ACTIVITY + "$ns_ at 2 \"$g(0) stop\"\n").find("line 4, word 5"),
              std::string::npos);
}

TEST(MovementFile, FilesThatCannotBeReadAreRefused)
{
    EXPECT_NE(UsageMessage([] { ReadMovement("/nowhere/m.tcl"); }).find("/nowhere/m.tcl"),
              std::string::npos);
    EXPECT_NE(UsageMessage([] { ReadActivity("/nowhere/a.tcl", 2); }).find("/nowhere/a.tcl"),
              std::string::npos);
}

TEST(MovementFile, SurvivesMutatedFiles)
{
    for (std::uint32_t i = 0; i < 20000; ++i)
    {
        const RandomStream random({1, 1}, RandomPurpose::TEST, 0, i);
        const bool moves = i % 3 > 0;
        const std::string& clean = i % 3 == 0 ? ACTIVITY : i % 3 == 1 ? MOVEMENT : FCD;
        const std::string text = Mutated(clean, "0123456789.e-$()\"_;# \nsetX", random);
        const std::string error = moves ? MoveError(text) : ActError(text);
        EXPECT_EQ(error.find('\n'), std::string::npos) << text;
    }
}

} // namespace
} // namespace dpdl
