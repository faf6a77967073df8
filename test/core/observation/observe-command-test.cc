// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../experiment/experiment-fixture.h"
#include "dpdl/experiment/recorded-run.h"
#include "dpdl/observation/network-observer.h"
#include "dpdl/observation/observe-command.h"
#include "dpdl/privacy/accountant.h"

#include <sstream>

namespace dpdl
{
namespace
{

class ObserveCommandTest : public ExperimentTest
{
  protected:
    std::string Answer(const std::vector<std::string>& arguments) const
    {
        std::vector<std::string> all{m_path};
        all.insert(all.end(), arguments.begin(), arguments.end());
        std::ostringstream out;
        Observe(all, out);
        return out.str();
    }

    /// Writes a setting into the trace.
    void Set(const std::string& name, const std::string& value) const
    {
        SQLite::Database database(m_path, SQLite::OPEN_READWRITE);
        database.exec("INSERT OR REPLACE INTO setting(name, value) VALUES ('" + name + "', '" +
                      value + "')");
    }

    /// What is certified of a node for another one.
    double Certified(const std::string& observer, NodeId target) const
    {
        const std::string json =
            Answer({"--observer=" + observer, "--target=" + std::to_string(target), "--json"});
        const std::string name = "\"epsilon\": ";
        return std::stod(json.substr(json.find(name, json.find("\"certificate\"")) + name.size()));
    }

    /// What a mistake is answered; nothing may have been printed.
    static std::string Mistake(const std::vector<std::string>& arguments)
    {
        std::ostringstream out;
        try
        {
            Observe(arguments, out);
        }
        catch (const UsageError& error)
        {
            EXPECT_EQ(out.str(), "");
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
            return error.what();
        }
        return "";
    }
};

TEST_F(ObserveCommandTest, RecomputedGuaranteesAreThoseOfTheTrace)
{
    for (const char* algorithm : {"dyn-d2p", "sgp"})
    {
        RunOptions settings = Small();
        settings.algorithm = algorithm;
        Run(settings);
        const std::string text = Answer({"--accountant=rdp"});
        EXPECT_NE(text.find("The recomputed values are those of the trace."), std::string::npos)
            << text;
        EXPECT_NE(Answer({"--delta=1e-7"}).find("own values are for delta"), std::string::npos);
    }
}

TEST_F(ObserveCommandTest, ARunForReplacedExamplesIsRecomputedForThem)
{
    for (const char* sampler : {"poisson", "fixed", "full"})
    {
        RunOptions settings = Small();
        settings.adjacency = Adjacency::REPLACE;
        settings.sampler = sampler;
        settings.topology = "ring";
        Run(settings);
        EXPECT_NE(Answer({"--accountant=rdp"}).find("values are those of the trace."),
                  std::string::npos)
            << sampler;
        EXPECT_NE(Answer({"--json"}).find("\"adjacency\": \"replace\""), std::string::npos);
    }
    // Without sampling, who sees everything of a target knows what the guarantee allows for.
    const ObservedRun observed = ReadObservedRun(RecordedRun(m_path));
    const TargetView view = NetworkObserver(observed, ParseObserver("nodes:0,1,2,4", 5)).View(3);
    AccountingQuery question;
    question.delta = observed.delta;
    question.adjacency = Adjacency::REPLACE;
    const double exact = Accountants().Get("gdp")->Evaluate(observed.releases[3], question).epsilon;
    EXPECT_NEAR(view.localEpsilon, exact, 1e-8 * exact);
}

TEST_F(ObserveCommandTest, ATraceThatClaimsAnotherValueIsFoundOut)
{
    Run(Small());
    SQLite::Database(m_path, SQLite::OPEN_READWRITE)
        .exec("UPDATE guarantee SET certified = 0.01 WHERE node = 3");
    EXPECT_NE(Answer({"--accountant=rdp"}).find("differ from those of the trace at 1 of 5 nodes"),
              std::string::npos);
    EXPECT_EQ(Answer({"--accountant=rdp", "--node=2"}).find("differ"), std::string::npos);
}

TEST_F(ObserveCommandTest, AWhatIfStandsBesideTheLocalGuaranteeAndSaysSo)
{
    RunOptions settings = Small();
    settings.topology = "ring";
    Run(settings);
    const std::string text = Answer({"--observer=node:3"});
    EXPECT_NE(text.find("what-if for node 3; nothing below is certified"), std::string::npos);
    EXPECT_NE(text.find("rank 6 of 24 private inputs"), std::string::npos) << text;
    const std::string json = Answer({"--observer=node:3", "--target=2", "--json"});
    EXPECT_NE(json.find("\"certified\": false"), std::string::npos);
    EXPECT_EQ(json, Answer({"--observer=node:3", "--victim=2", "--json"})) << "its former name";
    EXPECT_NE(json.find("\"victim\": 2"), std::string::npos);
    EXPECT_EQ(json.find("\"victim\": 1"), std::string::npos);
}

TEST_F(ObserveCommandTest, WhatIsCertifiedForAnObserverStandsApartFromTheWhatIf)
{
    RunOptions settings = Small();
    settings.algorithm = "muffliato";
    settings.topology = "ring";
    Run(settings);
    const std::string text = Answer({"--observer=final:3"});
    const std::size_t certified = text.find("certified for an observer");
    const std::size_t whatIf = text.find("what-if for an observer");
    EXPECT_LT(certified, text.find("one-input"));
    EXPECT_LT(text.find("one-input"), whatIf);
    EXPECT_NE(whatIf, std::string::npos);
    EXPECT_NE(text.find("rank 1 of 5 private inputs"), std::string::npos) << text;
    const std::string json = Answer({"--observer=final:3", "--target=2", "--json"});
    EXPECT_NE(json.find("\"certificate\": {\"certified\": true, \"statement\": \"one-input\""),
              std::string::npos)
        << json;
    // What is proven does not depend on the rounds that the what-if looks at.
    const auto proven = [](const std::string& answer) {
        const std::size_t begin = answer.find("\"certificate\"");
        return answer.substr(begin, answer.find('}', begin) - begin);
    };
    EXPECT_EQ(proven(json),
              proven(Answer({"--observer=final:3", "--target=2", "--json", "--rounds=0:1"})));
    EXPECT_NE(
        Answer({"--observer=node:3", "--json", "--accountant=clt"}).find("\"certificate\": null"),
        std::string::npos);
}

TEST_F(ObserveCommandTest, OfALostMessageThatPacketsCarriedAllCountsAsSeen)
{
    RunOptions settings = Small();
    settings.topology = "ring";
    Run(settings);
    const auto change = [this](const std::string& statement) {
        SQLite::Database(m_path, SQLite::OPEN_READWRITE).exec(statement);
    };
    const auto certified = [this](const std::string& statement) {
        return Answer({"--observer=node:4", "--target=2", "--json"})
                   .find("\"statement\": \"" + statement + "\", \"why\"") != std::string::npos;
    };
    EXPECT_TRUE(certified("all-states"));
    change("UPDATE message SET fate = (SELECT id FROM word WHERE text = 'lost'), arrived_at = NULL,"
           " used_in_round = NULL WHERE source = 2 AND round > 2");
    EXPECT_TRUE(certified("suffix"));
    change("UPDATE setting SET value = 'packet' WHERE name = 'network'");
    Set("overheard", "4:4,");
    EXPECT_TRUE(certified("all-states"));
}

struct MediumCase
{
    const char* network;
    const char* fidelity;
    const char* overheard;
    const char* says;   ///< the view, or what a refusal names
    bool isKnown{true}; ///< not refused
    bool hearsFirst{false};
    bool hearsLast{false};
};

TEST_F(ObserveCommandTest, TheNetworkOfTheRunSaysWhoCouldHear)
{
    const char* const addressed = "view: messages addressed to it\n";
    const char* const stacks = "packet: stacks of the program''s own";
    const char* const refusal = "setting 'overheard' of trace";
    const MediumCase cases[] = {
        {"ideal", "ideal: no time, no loss", "", addressed},
        {"message", "message: not calibrated", "", addressed},
        {"packet", "packet: point-to-point links of the run''s own", "", addressed},
        {"packet", stacks, "all", "view: all messages of the run", true, true, true},
        {"packet", stacks, "0:0,3:3,", "to it, and all of nodes for which it forwards"},
        {"packet", stacks, "3:0,3:3", "for which it forwards", true, true, true}, // 4 sends to 0
        {"packet", stacks, "3:4,2:0,", "for which it forwards", true, false, true},
        {"packet", stacks, "", "'not recorded'", false}, // an older trace
        {"packet", stacks, "ns3::VirtualNetDevice", "'ns3::VirtualNetDevice'", false},
        {"packet", stacks, "none", refusal, false},
        {"packet", stacks, "3:0,x", refusal, false},
    };
    RunOptions settings = Small();
    settings.algorithm = "muffliato";
    settings.topology = "ring";
    settings.rounds = 2;
    for (const MediumCase& one : cases)
    {
        Run(settings);
        Set("network", one.network);
        Set("networkFidelity", one.fidelity);
        const std::string where = one.overheard;
        where.empty() ? void() : Set("overheard", where);
        if (!one.isKnown)
        {
            EXPECT_NE(Mistake({m_path, "--observer=node:3"}).find(one.says), std::string::npos)
                << where << Mistake({m_path, "--observer=node:3"});
            EXPECT_NE(Answer({}).find("recomputed values are those"), std::string::npos);
            continue;
        }
        EXPECT_NE(Answer({"--observer=node:3"}).find(one.says), std::string::npos) << where;
        // In two rounds node 3 gets something of the nodes 1 and 2, and nothing of 0 and 4.
        const double all = Certified("node:3", 2);
        EXPECT_GT(all, 0.0);
        EXPECT_DOUBLE_EQ(Certified("node:3", 0), one.hearsFirst ? all : 0.0) << where;
        EXPECT_DOUBLE_EQ(Certified("node:3", 4), one.hearsLast ? all : 0.0) << where;
    }
}

TEST_F(ObserveCommandTest, RoundsThatOneNodeDidNotFinishStillCount)
{
    Run(Small());
    SQLite::Database(m_path, SQLite::OPEN_READWRITE)
        .exec("DELETE FROM node_round WHERE node = 4 AND round > 2");
    EXPECT_EQ(RecordedRun(m_path).Rounds(), 3u);
    EXPECT_EQ(ReadObservedRun(RecordedRun(m_path)).rounds, 6u);
}

TEST_F(ObserveCommandTest, InfinityIsATextInJson)
{
    RunOptions settings = Small();
    settings.noise = false;
    Run(settings);
    EXPECT_NE(Answer({"--json"}).find("\"epsilon\": \"inf\""), std::string::npos);
    const std::string json = Answer({"--observer=final", "--json"});
    EXPECT_NE(json.find("\"epsilon_what_if\": \"inf\""), std::string::npos);
    EXPECT_EQ(json.find("nan"), std::string::npos);
}

TEST_F(ObserveCommandTest, TextAndJsonSayTheSameOfWhatIsCertified)
{
    const auto ends = [this](const std::string& words, const std::string& isCertified) {
        const std::string text = Answer({"--accountant=rdp"});
        EXPECT_NE(text.find("accountant rdp, " + words + "; delta"), std::string::npos) << text;
        const std::string json = Answer({"--accountant=rdp", "--json"});
        EXPECT_NE(json.find("\"certified\": " + isCertified + ", \"standing\": \"" + words + "\""),
                  std::string::npos)
            << json;
    };
    const char* const kill = "UPDATE summary_item SET value = 'incomplete' WHERE name = 'state'";
    Run(Small());
    ends("certified", "true");
    SQLite::Database(m_path, SQLite::OPEN_READWRITE).exec(kill);
    ends("certified of the releases that were committed, not of the run", "false");
    RunOptions settings = Small();
    settings.algorithm = "sgp";
    Run(settings);
    ends("not certified at every node", "false");
    SQLite::Database(m_path, SQLite::OPEN_READWRITE).exec(kill);
    ends("not certified at every node, of the releases that were committed", "false");
    EXPECT_NE(Answer({"--accountant=clt"}).find("clt, a claim only, of the releases"),
              std::string::npos);
}

TEST_F(ObserveCommandTest, MistakesGetOneLineAndNoOutput)
{
    Run(Small());
    const std::pair<std::vector<std::string>, const char*> cases[] = {
        {{}, "needs a trace file"},
        {{m_path + "x"}, "a file that exists"},
        {{m_path, m_path}, "one trace"},
        {{m_path, "--observer=everybody"}, "option 'observer'"},
        {{m_path, "--observer=node:5"}, "option 'observer'"},
        {{m_path, "--observer=node:1", "--target=1"}, "does not watch itself"},
        {{m_path, "--observer=node:1", "--target=9"}, "option 'target'"},
        {{m_path, "--observer=node:1", "--node=2"}, "--target"},
        {{m_path, "--observer=node:1", "--rounds=3:9"}, "option 'rounds'"},
        {{m_path, "--observer=node:1", "--rounds=3:2"}, "option 'rounds'"},
        {{m_path, "--observer=node:1", "--rounds=3"}, "FIRST:LAST"},
        {{m_path, "--rounds=0:1"}, "goes with --observer"},
        {{m_path, "--target=0"}, "goes with --observer"},
        {{m_path, "--node=5"}, "option 'node'"},
        {{m_path, "--delta=0"}, "option 'delta'"},
        {{m_path, "--delta=nan"}, "option 'delta'"},
        {{m_path, "--accountant=rpd"}, "rdp"},
        {{m_path, "--observr=final"}, "observer"},
        {{m_path, "--observer"}, "--observer=VALUE"},
        {{m_path, "--json=yes"}, "--json"},
        {{m_path, "--delta=0.1", "--delta=0.2"}, "every option once"},
    };
    for (const auto& [arguments, words] : cases)
    {
        EXPECT_NE(Mistake(arguments).find(words), std::string::npos)
            << Mistake(arguments) << " lacks " << words;
    }
    SQLite::Database(m_path, SQLite::OPEN_READWRITE)
        .exec("UPDATE summary_item SET value = 'incomplete' WHERE name = 'state'");
    EXPECT_NE(Mistake({m_path, "--observer=final"}).find("reached its end"), std::string::npos);
    EXPECT_NE(Answer({}).find("has not reached its end"), std::string::npos);
}

} // namespace
} // namespace dpdl
