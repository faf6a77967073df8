// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/network/failure-event.h"

#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

/// Events for a network of 20 nodes, and what is said of them; `@` stands for file and `line`.
struct Mistake
{
    const char* text;
    const char* message;
};

const Mistake MISTAKES[] = {
    {"lnk 3->4 down",
     "@ 1: 'lnk' is not accepted; expected one of link, node, partition, region, jam, random, "
     "group (did you mean 'link'?)"},
    {"link",
     "@ 1: the event is incomplete after 'link'; expected links such as 3->4, {0-2}->* or *"},
    {"link 3->4",
     "@ 1: the event is incomplete after '3->4'; expected down, loss, delay, rate, gilbert-elliott "
     "or "
     "flap"},
    {"link 3->4 dwon at 1s",
     "@ 1: 'dwon' is not accepted; expected one of down, loss, delay, rate, gilbert-elliott, flap "
     "(did you mean 'down'?)"},
    {"link 3->20 down",
     "@ 1: '20' is not accepted; expected nodes in 0..19 as a number, a range 0-3, a list {0-3,7}, "
     "* or the name of a group"},
    {"link 3->x down",
     "@ 1: 'x' is not accepted; expected nodes in 0..19 as a number, a range 0-3, a list {0-3,7}, "
     "* or the name of a group"},
    {"link 3 down",
     "@ 1: '3' is not accepted; expected two sets of nodes and an arrow, such as 3->4, {0-2}->* or "
     "3<->4, or * for all links"},
    {"link ->4 down",
     "@ 1: 'link->4' is not accepted; expected one of link, node, partition, region, jam, random, "
     "group"},
    {"link 3->3 down", "@ 1: '3->3' is not accepted; expected a link between two different nodes"},
    {"link {3}<->3 down",
     "@ 1: '{3}<->3' is not accepted; expected a link between two different nodes"},
    {"link 7-5->1 down",
     "@ 1: '7-5' is not accepted; expected ranges from the smaller to the larger number"},
    {"link {1,}->2 down",
     "@ 1: '{1,}' is not accepted; expected nodes in 0..19 as a number, a range 0-3, a list "
     "{0-3,7}, * or the name of a group"},
    {"link {1,2->3 down", "@ 1: '{1,2->3down' is not accepted; expected a closing }"},
    {"link 3->4 down at", "@ 1: the event is incomplete after 'at'; expected a time such as 5s"},
    {"link 3->4 down at 10",
     "@ 1: '10' is not accepted; expected a time >= 0 with a unit, such as 5ms or 2s"},
    {"link 3->4 down at -1s",
     "@ 1: '-1s' is not accepted; expected a time >= 0 with a unit, such as 5ms or 2s"},
    {"link 3->4 down at 1s for 0s",
     "@ 1: '0s' is not accepted; expected a time > 0 with a unit, such as 5ms or 2s, of 4000000s "
     "at most"},
    {"link 3->4 down at 1s from 2s", "@ 1: 'from' is not accepted; expected at or from, once"},
    {"link 3->4 down at 1s untill 2s",
     "@ 1: 'untill' is not accepted; expected one of at, from, for"},
    {"link 3->4 down at 1s for 1s 5", "@ 1: '5' is not accepted; expected one of at, from, for"},
    {"link 3->4 down recover 5s", "@ 1: 'recover' is not accepted; expected one of at, from, for"},
    {"link 3->4 loss", "@ 1: the event is incomplete after 'loss'; expected a probability"},
    {"link 3->4 loss 1.5", "@ 1: '1.5' is not accepted; expected a probability in [0, 1]"},
    {"link 3->4 loss -0.1", "@ 1: '-0.1' is not accepted; expected a probability in [0, 1]"},
    {"link 3->4 loss nan", "@ 1: 'nan' is not accepted; expected a probability in [0, 1]"},
    {"link 3->4 loss 5%", "@ 1: '5%' is not accepted; expected a probability in [0, 1]"},
    {"link 3->4 delay -5ms",
     "@ 1: '-5ms' is not accepted; expected a time >= 0 with a unit, such as 5ms or 2s"},
    {"link 3->4 delay 5",
     "@ 1: '5' is not accepted; expected a time >= 0 with a unit, such as 5ms or 2s"},
    {"link 3->4 rate 0Mbps",
     "@ 1: '0Mbps' is not accepted; expected a data rate > 0 with a unit, such as 10Mbps or "
     "250kbps"},
    {"link 3->4 rate 10",
     "@ 1: '10' is not accepted; expected a data rate > 0 with a unit, such as 10Mbps or 250kbps"},
    {"link 3->4 gilbert-elliott",
     "@ 1: the event is incomplete after 'gilbert-elliott'; expected p=, r= and bad=, each with a "
     "probability"},
    {"link 3->4 gilbert-elliot p=1 r=1 bad=1",
     "@ 1: 'gilbert-elliot' is not accepted; expected one of down, loss, delay, rate, "
     "gilbert-elliott, flap (did you mean 'gilbert-elliott'?)"},
    {"link 3->4 gilbert-elliott p=0.1 r=0 bad=1",
     "@ 1: '0' is not accepted; expected a probability in (0, 1]: bursts have to end"},
    {"link 3->4 gilbert-elliott p=0.1 r=0.2",
     "@ 1: the event is incomplete after 'r=0.2'; expected p=, r= and bad=, each with a "
     "probability"},
    {"link 3->4 gilbert-elliott p=2 r=0.2 bad=1",
     "@ 1: '2' is not accepted; expected a probability in [0, 1]"},
    {"link 3->4 gilbert-elliott q=2 r=0.2 bad=1",
     "@ 1: 'q=' is not accepted; expected one of p=, r=, bad=, good=, at, from, for (did you mean "
     "'p='?)"},
    {"link 3->4 flap",
     "@ 1: the event is incomplete after 'flap'; expected up= and down=, or mean-up= and "
     "mean-down=, "
     "each with a time"},
    {"link 3->4 flap up=1s",
     "@ 1: the event is incomplete after 'up=1s'; expected up= and down=, or mean-up= and "
     "mean-down=, "
     "each with a time"},
    {"link 3->4 flap up=0 down=1s",
     "@ 1: '0' is not accepted; expected a time > 0 with a unit, such as 5ms or 2s, of 4000000s at "
     "most"},
    {"link 3->4 flap up=1s mean-down=1s",
     "@ 1: 'link 3->4 flap up=1s mean-down=1s' is not accepted; expected up= and down=, or "
     "mean-up= and mean-down=, not both"},
    {"link 3->4 flap mean-up=1s",
     "@ 1: the event is incomplete after 'mean-up=1s'; expected mean-up= and mean-down=, each with "
     "a "
     "time"},
    {"link 3->4 flap mean-up=1s mean-down=1s up=1s",
     "@ 1: 'link 3->4 flap mean-up=1s mean-down=1s up=1s' is not accepted; expected up= and down=, "
     "or mean-up= and mean-down=, not both"},
    {"node 20 crash",
     "@ 1: '20' is not accepted; expected nodes in 0..19 as a number, a range 0-3, a list {0-3,7}, "
     "* or the name of a group"},
    {"node 5 crsh",
     "@ 1: 'crsh' is not accepted; expected one of pause, crash, slow, lies, leaks (did you "
     "mean 'crash'?)"},
    {"node 5 crash at 20s recover 10s",
     "@ 1: '10s' is not accepted; expected a time after that of the crash, 20s"},
    {"node 5 crash at 20s recover 20s",
     "@ 1: '20s' is not accepted; expected a time after that of the crash, 20s"},
    {"node 5 crash at 20s recover 30s for 1s",
     "@ 1: 'recover' is not accepted; expected recover or for, not both"},
    {"node 5 crash with stat", "@ 1: 'stat' is not accepted; expected with state"},
    {"node 5 crash with state without state",
     "@ 1: 'with' is not accepted; expected with state or without state, not both"},
    {"node 5 slow 4", "@ 1: '4' is not accepted; expected a factor > 0 and x, such as 4x"},
    {"node 5 slow 0x", "@ 1: '0' is not accepted; expected a factor > 0 and x, such as 4x"},
    {"node 5 slow -2x", "@ 1: '-2' is not accepted; expected a factor > 0 and x, such as 4x"},
    {"node 5 pause pause", "@ 1: 'pause' is not accepted; expected one of at, from, for"},
    {"node {} crash",
     "@ 1: '{}' is not accepted; expected nodes in 0..19 as a number, a range 0-3, a list {0-3,7}, "
     "* or the name of a group"},
    {"node rsu crash",
     "@ 1: 'rsu' is not accepted; expected nodes in 0..19 as a number, a range 0-3, a list "
     "{0-3,7}, * or the name of a group"},
    {"partition {0-3}",
     "@ 1: the event is incomplete after '{0-3}'; expected two groups of nodes or more, such as "
     "{0-9} "
     "{10-19}"},
    {"partition {0-3} {3-5}",
     "@ 1: '{3-5}' is not accepted; expected groups that have no node in common"},
    {"region radius=5 down",
     "@ 1: the event is incomplete after 'down'; expected center=(X,Y) in metres"},
    {"region center=(1,2) down",
     "@ 1: the event is incomplete after 'down'; expected radius= with a number of metres > 0"},
    {"region center=(1) radius=5 down",
     "@ 1: 'center=(1)' is not accepted; expected a place in metres, such as center=(500,300)"},
    {"region center=(1,2) radius=0 down",
     "@ 1: '0' is not accepted; expected radius= with a number of metres > 0"},
    {"region center=(1,2) radius=5",
     "@ 1: the event is incomplete after 'radius=5'; expected down"},
    {"region center=(1,2 radius=5 down",
     "@ 1: 'center=(1,2radius=5down' is not accepted; expected a closing )"},
    {"jam center=(1,2) radius=5 loss",
     "@ 1: the event is incomplete after 'loss'; expected a probability"},
    {"jam center=(1,2) radius=5 loss 2",
     "@ 1: '2' is not accepted; expected a probability in [0, 1]"},
    {"jam center=(1,2) radius=5 down",
     "@ 1: 'down' is not accepted; expected one of center=, radius=, loss, at, from, for"},
    {"random",
     "@ 1: the event is incomplete after 'random'; expected link, node, partition, region or jam"},
    {"random link 3->4 flap",
     "@ 1: 'flap' is not accepted; expected one of down, loss, delay, rate, gilbert-elliott"},
    {"random link 3->4 down",
     "@ 1: the event is incomplete after 'down'; expected mean-up= and mean-down=, each with a "
     "time"},
    {"random link 3->4 down mean-up=1s",
     "@ 1: the event is incomplete after 'mean-up=1s'; expected mean-up= and mean-down=, each with "
     "a "
     "time"},
    {"random link 3->4 down mean-up=1s mean-down=0s",
     "@ 1: '0s' is not accepted; expected a time > 0 with a unit, such as 5ms or 2s, of 4000000s "
     "at most"},
    {"random node 5 crash mean-up=1s mean-down=1s recover 5s",
     "@ 1: 'recover' is not accepted; expected one of with, without, at, from, for, mean-up=, "
     "mean-down=, together"},
    {"group",
     "@ 1: the event is incomplete after 'group'; expected NAME = NODES, such as rsu = {0-3}"},
    {"group rsu", "@ 1: 'rsu' is not accepted; expected NAME = NODES, such as rsu = {0-3}"},
    {"group 5 = {1}",
     "@ 1: '5' is not accepted; expected a name of a letter and letters, digits, - and _"},
    {"group rsu = {1,25}",
     "@ 1: '{1,25}' is not accepted; expected nodes in 0..19 as a number, a range 0-3, a list "
     "{0-3,7}, * or the name of a group"},
    {"group rsu = {1}\ngroup rsu = {2}",
     "@ 2: 'rsu' is not accepted; expected a name that no other group has"},
    {"group rsu = {1}\nlink rsx->3 down",
     "@ 2: 'rsx' is not accepted; expected nodes in 0..19 as a number, a range 0-3, a list "
     "{0-3,7}, * or the name of a group (did you mean 'rsu'?)"},
    {"link * delay 5ms\nlink 3->4 delay 6ms at 5s for 1s",
     "@ 2: 'link 3->4 delay 6ms at 5s for 1s' is not accepted; expected one delay of a link at a "
     "time, not another one beside 'link * delay 5ms' (@ 1)"},
    {"link 3->4 rate 1Mbps at 0s for 6s\nlink *->4 rate 6Mbps at 5s for 1s",
     "@ 2: 'link *->4 rate 6Mbps at 5s for 1s' is not accepted; expected one rate of a link at a "
     "time, not another one beside 'link 3->4 rate 1Mbps at 0s for 6s' (@ 1)"},
    {"link 3->4 gilbert-elliott p=1 r=1 bad=1\nlink 4<->3 gilbert-elliott p=1 r=1 bad=1",
     "@ 2: 'link 4<->3 gilbert-elliott p=1 r=1 bad=1' is not accepted; expected one "
     "gilbert-elliott of a link at a time, not another one beside 'link 3->4 gilbert-elliott p=1 "
     "r=1 bad=1' (@ 1)"},
    {"node 5 crash at 20s\nnode {4,5} crash at 30s for 1s",
     "@ 2: 'node {4,5} crash at 30s for 1s' is not accepted; expected one crash of a node at a "
     "time, not another one beside 'node 5 crash at 20s' (@ 1)"},
    {"random node * crash mean-up=1s mean-down=1s\nnode 5 crash at 5s",
     "@ 2: 'node 5 crash at 5s' is not accepted; expected one crash of a node at a time, not "
     "another one beside 'random node * crash mean-up=1s mean-down=1s' (@ 1)"},
    {"node 5 slow 2x\nnode 4-6 slow 2x at 1s for 1s",
     "@ 2: 'node 4-6 slow 2x at 1s for 1s' is not accepted; expected one slowdown of a node at a "
     "time, not another one beside 'node 5 slow 2x' (@ 1)"},
    {"node 3 lies sign-flp from 2s",
     "@ 1: 'sign-flp' is not accepted; expected one of sign-flip, label-flip, noise, stale, zero "
     "(did you mean 'sign-flip'?)"},
    {"node 3 lies",
     "@ 1: the event is incomplete after 'lies'; expected one of sign-flip, label-flip, noise, "
     "stale, zero"},
    {"node 3 lies noise",
     "@ 1: the event is incomplete after 'noise'; expected scale= with a standard deviation > 0"},
    {"node 3 lies noise scale=0",
     "@ 1: '0' is not accepted; expected scale= with a standard deviation > 0"},
    {"node 3 lies zero scale=1",
     "@ 1: 'scale=' is not accepted; expected no scale: of the lies, noise alone has one"},
    {"node 5 lies zero\nnode 4-6 lies stale at 1s for 1s",
     "@ 2: 'node 4-6 lies stale at 1s for 1s' is not accepted; expected one lie of a node at a "
     "time, not another one beside 'node 5 lies zero' (@ 1)"},
    {"node 3 leaks for 2s",
     "@ 1: 'for' is not accepted; expected no end: what has leaked stays known"},
    {"random node 3 leaks mean-up=1s mean-down=1s",
     "@ 1: 'leaks' is not accepted; expected one of pause, crash, slow, lies"},
    {"node 3 leaks secrets", "@ 1: 'secrets' is not accepted; expected one of at, from, for"},
    {"link 3->4 down at 5000000s",
     "@ 1: '5000000s' is not accepted; expected a time of 4000000s at most"},
    {"link 3->4 down at 1e300s",
     "@ 1: '1e300s' is not accepted; expected a time of 4000000s at most"},
    {"partition rsu {0}",
     "@ 1: 'rsu' is not accepted; expected nodes in 0..19 as a number, a range 0-3, a list "
     "{0-3,7}, * or the name of a group"},
    {"partition {0-3} at 5s",
     "@ 1: 'partition {0-3} at 5s' is not accepted; expected two groups of nodes or more, such as "
     "{0-9} {10-19}"},
    {"node 0-25 pause",
     "@ 1: '0-25' is not accepted; expected nodes in 0..19 as a number, a range 0-3, a list "
     "{0-3,7}, * or the name of a group"},
    {"link 3->4 flap up=1s down=1s together=1",
     "@ 1: 'together=' is not accepted; expected one of up=, down=, mean-up=, mean-down=, "
     "together, at, from, for (did you mean 'together'?)"},
};

TEST(FailureMistakes, NameFileLineWordAndWhatWouldBeAccepted)
{
    for (const Mistake& mistake : MISTAKES)
    {
        std::string expected = mistake.message;
        for (std::size_t at = expected.find('@'); at != std::string::npos; at = expected.find('@'))
        {
            expected.replace(at, 1, "bad.txt, line");
        }
        try
        {
            ParseFailures(mistake.text, "bad.txt", 20);
            ADD_FAILURE() << mistake.text;
        }
        catch (const UsageError& error)
        {
            EXPECT_EQ(error.what(), expected);
        }
    }
}

} // namespace
} // namespace dpdl
