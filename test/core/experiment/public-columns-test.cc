// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/experiment/option-table.h"
#include "experiment-fixture.h"
#include "held-releases.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>

namespace dpdl
{
namespace
{

/// A kind of run.
struct Kind
{
    std::string algorithm;
    std::vector<std::string> options; ///< NAME=VALUE

    std::string Name() const
    {
        std::string name = "held: " + algorithm;
        for (const std::string& option : options)
        {
            name += " " + option;
        }
        return name;
    }
};

std::vector<Kind>
Kinds()
{
    std::vector<Kind> kinds;
    for (const PartInfo& info : Algorithms().List())
    {
        if (info.name.rfind("held: ", 0) != 0)
        {
            kinds.push_back({info.name, {}});
            kinds.push_back({info.name, {"mode=paper"}});
        }
    }
    const std::vector<Kind> more{
        // Sums at a trusted server are exact where steps are whole multiples of a power of two.
        {"dp-fedavg", {"hyper=trusted=1", "init=zero", "batchSize=8"}},
        {"dp-fedavg", {"hyper=trusted=1", "init=zero", "batchSize=8", "average=0.5"}},
        {"dp-fedavg", {"hyper=trusted=1,clipUpdate=1,iterations=2,colluders=1", "init=zero"}},
        {"dp-fedavg", {"hyper=clipUpdate=1,iterations=2,clients=0.5"}},
        {"fedavg", {"hyper=server=0"}},
        {"const-d2p", {"sharedLayers=1"}},
        {"dfedsam", {"sharedLayers=1"}},
        {"fed-dpa", {"sharedLayers=1"}},
        {"momentum-d2p", {"sharedLayers=1", "average=0.5"}},
        {"partpsp-1", {"chunk=64"}},
        {"ppsgd", {"average=0.5"}},
        {"ppsgd", {"sharedLayers=all"}},
        {"const-d2p", {"chunk=64", "snapshotEvery=2"}},
        {"const-d2p", {"compress=top-k:0.1"}},
        {"const-d2p", {"compress=random-k:0.1"}},
        {"const-d2p", {"compress=quantize:4"}},
        {"ppsgd", {"compress=top-k:0.1"}},
        {"sgp", {"compress=top-k:0.1"}},
        {"const-d2p", {"mix=trimmed:1", "topology=complete"}},
        {"const-d2p", {"mix=clipped:0.5", "fail=node 3 lies stale"}},
        {"const-d2p", {"fail=node 1 lies label-flip"}},
        {"const-d2p", {"fail=node 1 lies sign-flip", "compress=quantize:4"}},
        {"decor", {"fail=node 2 leaks", "hyper=secrets=1,colluders=1"}},
        {"decor", {"hyper=secrets=1,colluders=1", "topology=complete"}},
        {"const-d2p", {"noise=off"}},
        {"const-d2p", {"stopAt=0.8"}},
        {"const-d2p", {"noiseSource=discrete-gaussian"}},
        {"const-d2p", {"noiseSource=system", "traceLevel=noise"}},
        {"const-d2p", {"sampler=full", "adjacency=replace"}},
        {"const-d2p", {"sampler=shuffle"}},
        {"dyn-d2p", {"sampler=fixed", "stepScale=plain"}},
        {"dpps", {"hyper=measureEvery=1,oracle=1", "mode=paper"}},
        {"muffliato", {"hyper=phase=2"}},
        {"fed-dpa", {"unit=node"}},
    };
    kinds.insert(kinds.end(), more.begin(), more.end());
    return kinds;
}

class PublicColumns : public ExperimentTest
{
  protected:
    using Columns = std::map<std::string, std::vector<std::string>>;

    /// A table of examples. @param changed one of them, which trains, has other values
    void WriteTable(bool changed) const
    {
        std::string table = "a,b,c,d,label\n";
        for (int row = 0; row < 120; ++row)
        {
            const int other = changed && row == 42 ? 1 : 0;
            for (int column = 0; column < 4; ++column)
            {
                table += std::to_string(((row + other * 7) * (3 * column + 5)) % 11) + ",";
            }
            table += std::to_string((row + other) % 3) + "\n";
        }
        Write("table.csv", table);
    }

    RunOptions OptionsOf(const Kind& kind) const
    {
        RunOptions settings = Small();
        settings.dataset = "file:" + (m_folder / "table.csv").string();
        settings.samples = 0;
        settings.testSamples = 0;
        settings.nodes = 4;
        settings.rounds = 8;
        settings.batchSize = 6;
        settings.stepSize = 1.0;
        settings.evaluateEvery = 1;
        settings.snapshotEvery = 1;
        std::string hyper;
        for (const std::string& option : kind.options)
        {
            const std::size_t sign = option.find('=');
            const std::string name = option.substr(0, sign);
            const std::string value = option.substr(sign + 1);
            if (name == "hyper")
            {
                hyper = value;
                continue;
            }
            SetOption(settings, name, value);
        }
        const bool isShared = kind.Name().find("sharedLayers") != std::string::npos;
        const bool hasOwnPart =
            kind.algorithm.rfind("partpsp", 0) == 0 || kind.algorithm == "ppsgd";
        settings.model = isShared || hasOwnPart ? "mlp-1" : settings.model;
        settings.algorithm = Register(kind, hyper);
        return settings;
    }

    /// The algorithm with the steps that hold their releases, under a name of its own.
    static std::string Register(const Kind& kind, const std::string& hyper)
    {
        const std::vector<std::string> names = Algorithms().Names();
        if (std::find(names.begin(), names.end(), kind.Name()) == names.end())
        {
            const std::string algorithm = kind.algorithm;
            const Algorithm held{{}, [algorithm, hyper](const HyperParameters&) {
                                     AlgorithmPreset preset = MakeAlgorithm(algorithm, hyper);
                                     preset.step = HeldStep(preset.step);
                                     return preset;
                                 }};
            RegisterAlgorithm({kind.Name(), "for a test"}, held, "for a test");
        }
        return kind.Name();
    }

    /// Every column that is public in the run, and its values.
    Columns Public() const
    {
        Columns columns;
        const SQLite::Database database(m_path, SQLite::OPEN_READONLY);
        const std::string except = " WHERE name NOT IN (SELECT item FROM column_privacy WHERE item "
                                   "IS NOT NULL AND standing = 'private' AND \"view\" = '";
        for (const std::string& row :
             Bits(database,
                  "SELECT \"view\", group_concat('\"' || \"column\" || '\"') FROM column_privacy "
                  "WHERE item IS NULL AND standing = 'public' GROUP BY \"view\""))
        {
            const std::string view = row.substr(0, row.find('|'));
            const std::string list = row.substr(view.size() + 1);
            const bool hasItems = view == "summary" || view == "settings";
            std::vector<std::vector<std::string>*> ofView;
            std::istringstream names(list);
            for (std::string name; std::getline(names, name, ',');)
            {
                ofView.push_back(&columns[view + "." + name.substr(1, name.size() - 2)]);
            }
            for (const std::string& values : Bits(database,
                                                  "SELECT " + list + " FROM \"" + view + "\"" +
                                                      (hasItems ? except + view + "')" : "")))
            {
                std::istringstream cells(values);
                for (std::vector<std::string>* column : ofView)
                {
                    std::getline(cells, column->emplace_back(), '|');
                }
            }
        }
        return columns;
    }

    bool IsCertified() const
    {
        return Value("SELECT value < 9e999 FROM summary WHERE name = 'epsilon_certified'") == "1";
    }

    bool IsTrusted() const
    {
        return Value("SELECT COUNT(*) > 0 FROM release WHERE flags LIKE '%TRUSTED_SERVER%'") == "1";
    }

    /// The first run of a pair: with the examples as they are.
    Columns First(const Kind& kind)
    {
        g_held.Clear();
        g_held.onGrid = kind.Name().find("trusted=1") != std::string::npos;
        WriteTable(false);
        Run(OptionsOf(kind));
        return Public();
    }

    /// The second: one example of one node has other values.
    Columns Second(const Kind& kind, ReleasesHeld::Mode mode)
    {
        g_held.mode = mode;
        WriteTable(true);
        Run(OptionsOf(kind));
        return Public();
    }

    /// Sums over the training examples that steps saw, which no noise protects.
    std::vector<std::string> Losses() const
    {
        return Bits("SELECT SUM(loss), SUM(gradient_norm) FROM round_by_node");
    }
};

TEST_F(PublicColumns, FollowFromCertifiedReleasesInEveryKindOfRun)
{
    for (const Kind& kind : Kinds())
    {
        SCOPED_TRACE(kind.Name());
        const Columns first = First(kind);
        const std::vector<std::string> losses = Losses();
        const auto mode = !IsCertified() ? ReleasesHeld::Mode::FREE
                          : IsTrusted()  ? ReleasesHeld::Mode::SHIFTED
                                         : ReleasesHeld::Mode::REPEATED;
        const Columns second = Second(kind, mode);
        EXPECT_NE(Losses(), losses) << "the example is in no batch";
        ASSERT_EQ(second.size(), first.size());
        for (const auto& [column, values] : first)
        {
            ASSERT_EQ(second.count(column), 1u) << column;
            EXPECT_EQ(second.at(column), values) << column;
        }
    }
}

TEST_F(PublicColumns, AreThoseThatTheCertificateCovers)
{
    struct Row
    {
        Kind kind;
        bool model;
        bool shared;
        bool ledger;
    };

    for (const Row& row : {Row{{"const-d2p", {}}, true, true, true},
                           {{"const-d2p", {"sharedLayers=1"}}, true, true, true},
                           {{"dp-fedavg", {"hyper=trusted=1"}}, true, true, true},
                           {{"ppsgd", {}}, false, true, true},
                           {{"ppsgd", {"sharedLayers=all"}}, true, true, true},
                           {{"ada-d2p", {}}, false, false, false},
                           {{"dpps", {"mode=paper"}}, false, false, false},
                           {{"const-d2p", {"noise=off"}}, false, false, false},
                           {{"sgp", {}}, false, false, false}})
    {
        SCOPED_TRACE(row.kind.Name());
        const Columns columns = First(row.kind);
        EXPECT_EQ(columns.count("snapshot.z"), row.model ? 1u : 0u);
        EXPECT_EQ(columns.count("accuracy_by_round.accuracy_mean"), row.model ? 1u : 0u);
        EXPECT_EQ(columns.count("mass_by_round.x_error"), row.model ? 1u : 0u);
        EXPECT_EQ(columns.count("accuracy_by_round.consensus_distance"), row.shared ? 1u : 0u);
        EXPECT_EQ(columns.count("release.noise"), row.ledger ? 1u : 0u);
        EXPECT_EQ(columns.count("delivery.fate"), 1u);
        EXPECT_EQ(columns.count("guarantee_by_node.certified"), 1u);
        EXPECT_EQ(columns.count("round_by_node.loss"), 0u);
    }
}

TEST_F(PublicColumns, ChangeIfTheReleasesAreNotHeld)
{
    const Kind kind{"const-d2p", {}};
    const Columns first = First(kind);
    const Columns second = Second(kind, ReleasesHeld::Mode::FREE);
    EXPECT_NE(second.at("snapshot.z"), first.at("snapshot.z"));
}

TEST_F(PublicColumns, OfATrustedServerAreOfTheRoundsInWhichItHasAnswered)
{
    First({"dp-fedavg", {"hyper=trusted=1"}});
    for (const char* view : {"snapshot", "accuracy_by_node", "accuracy_by_round"})
    {
        EXPECT_EQ(Value("SELECT group_concat(round) FROM (SELECT DISTINCT round FROM " +
                        std::string(view) + " ORDER BY round)"),
                  "0,2,4,6,8")
            << view;
    }
    EXPECT_EQ(Value("SELECT COUNT(DISTINCT z) FROM snapshot WHERE round = 8"), "1");
    EXPECT_EQ(Value("SELECT group_concat(x_error IS NULL) FROM mass_by_round"), "1,0,1,0,1,0,1,0");
}

TEST_F(PublicColumns, FollowNoTimeThatStepsReallyTook)
{
    const Columns columns = First({"const-d2p", {"compute=measured"}});
    for (const auto& [column, values] : columns)
    {
        const std::string view = column.substr(0, column.find('.'));
        EXPECT_TRUE(view == "settings" || view == "summary" || view == "guarantee_by_node" ||
                    view == "guarantee_by_round" || view == "release" || view == "audit" ||
                    view == "building" || view == "resumption" || view == "column_privacy")
            << column;
    }
    EXPECT_EQ(Value("SELECT COUNT(*) FROM column_privacy WHERE item = 'messages_lost' AND standing "
                    "= 'private'"),
              "1");
}

} // namespace
} // namespace dpdl
