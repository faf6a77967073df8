// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "experiment-fixture.h"

namespace dpdl
{
namespace
{

/// Runs in which nodes leak secrets.
class RunLeaksTest : public ExperimentTest
{
  protected:
    RunOptions Leaking(const std::vector<std::string>& events) const
    {
        RunOptions settings = Small();
        settings.algorithm = "decor";
        settings.hyper = "secrets=1,colluders=1";
        settings.fail = events;
        return settings;
    }

    std::vector<std::string> Models() const
    {
        return Bits("SELECT round, node, w, z FROM snapshot ORDER BY round, node");
    }
};

TEST_F(RunLeaksTest, ALeakChangesWhatIsCertifiedAndNothingElse)
{
    Run(Leaking({}));
    const std::vector<std::string> models = Models();
    const std::vector<std::string> others = Bits("SELECT certified FROM guarantee_by_node WHERE "
                                                 "node <> 3 ORDER BY node");
    Run(Leaking({"node 3 leaks at 20ms"}));
    EXPECT_EQ(Models(), models);
    EXPECT_EQ(Bits("SELECT certified FROM guarantee_by_node WHERE node <> 3 ORDER BY node"),
              others);
    EXPECT_EQ(Query("SELECT certified > 1.5 AND certified = as_sent AND reason IS NULL FROM "
                    "guarantee_by_node WHERE node = 3"),
              std::vector<std::string>{"1"});
    EXPECT_EQ(Query("SELECT time || ' ' || event || ' ' || node FROM link_event"),
              std::vector<std::string>{"0.02 leak 3"});
    EXPECT_EQ(Query("SELECT round || ' ' || node FROM violation WHERE assumption = 'secrets-kept'"),
              std::vector<std::string>{"0 3"});
    EXPECT_EQ(Query("SELECT value FROM settings WHERE name = 'leakers'"),
              std::vector<std::string>{"3"});
}

TEST_F(RunLeaksTest, WhenItHappensMakesNoDifferenceToCertificates)
{
    const std::string rows = "SELECT node, certified, reason, as_sent FROM guarantee_by_node";
    for (const char* nodes : {"3", "{1,3}"})
    {
        const std::string event = std::string("node ") + nodes + " leaks";
        Run(Leaking({event}));
        const std::vector<std::string> first = Bits(rows);
        for (const char* time : {" at 35ms", " from 1h"})
        {
            Run(Leaking({event + time}));
            EXPECT_EQ(Bits(rows), first) << event << time;
        }
    }
    EXPECT_EQ(Query("SELECT DISTINCT certified || ': ' || reason FROM guarantee_by_node"),
              std::vector<std::string>{"Inf: 2 nodes leak their secrets, and what is certified "
                                       "allows for 1 colluder"});
    EXPECT_EQ(Query("SELECT COUNT(*) FROM guarantee_by_node WHERE as_sent < 1000"),
              std::vector<std::string>{"5"});
}

TEST_F(RunLeaksTest, CornDoesNotSayWhoHasWhichSecret)
{
    RunOptions settings = Leaking({"node 3 leaks"});
    settings.algorithm = "corn";
    settings.hyper = "";
    Run(settings);
    EXPECT_EQ(Query("SELECT COUNT(*) FROM guarantee_by_node WHERE certified = 9e999 AND as_sent = "
                    "9e999 AND reason LIKE '1 node leaks its secrets%0 colluders'"),
              std::vector<std::string>{"5"});
}

TEST_F(RunLeaksTest, WhatDoesNotGoTogetherIsRefused)
{
    RunOptions settings = Small();
    settings.fail = {"node 3 leaks at 2s"};
    EXPECT_EQ(
        ErrorOf(settings),
        "--fail, line 1: 'node 3 leaks at 2s' is not accepted with dyn-d2p, whose nodes share "
        "no secrets; expected --algorithm=decor or corn");
    settings = Leaking({"node 3 leaks at 2s"});
    settings.stopAt = 0.5;
    EXPECT_EQ(ErrorOf(settings),
              "option 'stopAt': '0.5' is not accepted; expected none with nodes that leak: what "
              "they have spent is known only once they have leaked");
}

} // namespace
} // namespace dpdl
