// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../pieces.h"
#include "../usage-message.h"
#include "dpdl/base/random.h"
#include "dpdl/trace/run-origin.h"
#include "dpdl/trace/trace-reader.h"
#include "trace-fixture.h"

#include <cmath>
#include <fstream>
#include <iterator>

namespace dpdl
{
namespace
{

class TraceReaderTest : public TraceTest
{
  protected:
    /// Two nodes, two rounds, a row of every kind that is read back.
    void WriteSmall(bool complete = true) const
    {
        TraceStore::Options options;
        options.overwrite = true;
        TraceStore store(m_path, options);
        store.SetSetting("nodes", "2");
        store.SetSetting("delta", "1e-05");
        for (Round k = 0; k < 2; ++k)
        {
            for (NodeId i = 0; i < 2; ++i)
            {
                store.Add(Release{i, k, "gaussian", "poisson", 0.1, 2.0, 3.0});
                store.Add(RoundByNode{k, i});
            }
            store.Add(Delivery{k, 1, 0, 0.5, 99, 1.0, 2.0, k, DeliveryFate::DELIVERED});
            store.Add(Delivery{k, 0, 1, 0.5, 99, 1.0, {}, {}, DeliveryFate::LOST});
        }
        store.Add(GuaranteeByNode{0, 1.0, INF, {}, 1e-5, "add-remove", "because"});
        store.Add(GuaranteeByNode{1, 1.0, 3.0, 0.25, 1e-5, "add-remove", ""});
        store.SetSummary("rounds", 2);
        store.Finish(complete);
    }

    /// What an attempt to open the trace, or another file, is answered; "" if it opens.
    std::string ErrorOf(const std::string& path) const
    {
        return UsageMessage([&] { const TraceReader reader(path); });
    }

    void Execute(const std::string& sql) const
    {
        SQLite::Database(m_path, SQLite::OPEN_READWRITE).exec(sql);
    }

    static AuditEntry Audit(NodeId node, double observed)
    {
        return {node, observed, 0.9, 1000, "canary", "a test", "2026-01-02T03:04:05Z"};
    }

    /// Takes away what schema version 2 has added.
    void MakeVersionOne() const
    {
        Execute("DROP VIEW column_privacy; DROP VIEW audit; DROP VIEW summary; DROP VIEW "
                "guarantee_by_node; DROP VIEW round_by_node; DROP TABLE audit_entry; DROP TABLE "
                "checksum; DROP VIEW resumption; DROP TABLE resumption_entry; DROP TABLE origin; "
                "DROP TABLE settled; DROP TABLE checkpoint;"
                "ALTER TABLE node_round RENAME COLUMN examples_drawn TO batch;"
                "DROP VIEW \"release\"; ALTER TABLE ledger DROP COLUMN epoch;"
                "CREATE VIEW \"release\" AS SELECT node, round, "
                "(SELECT text FROM word WHERE id = mechanism) AS mechanism, "
                "(SELECT text FROM word WHERE id = sampler) AS sampler, rate, sensitivity, noise, "
                "noise_multiplier, (SELECT text FROM word WHERE id = flags) AS flags FROM ledger;"
                "CREATE VIEW summary AS SELECT name, value, unit, meaning FROM summary_item ORDER "
                "BY position;"
                "CREATE VIEW round_by_node AS SELECT * FROM node_round;"
                "CREATE VIEW guarantee_by_node AS SELECT node, claimed, certified, observed, "
                "delta, (SELECT text FROM word WHERE id = adjacency) AS adjacency, reason, "
                "(SELECT text FROM word WHERE id = accountant) AS accountant, claim_reason, "
                "stopped_in_round, budget FROM guarantee;"
                "ALTER TABLE guarantee DROP COLUMN as_sent; PRAGMA user_version=1");
    }

    /// Everything that a reader reads; the number of rows.
    static std::size_t ReadAll(const std::string& path)
    {
        const TraceReader reader(path);
        std::size_t rows = reader.Complete() ? 1 : 0;
        rows += reader.Setting("nodes").value_or("").size();
        rows += reader.SummaryNumber("rounds").has_value() ? 1 : 0;
        rows += reader.RoundsByNode(2).size();
        reader.ReadReleases(2, [&](const Release&) { ++rows; });
        reader.ReadGuarantees(2, [&](const GuaranteeByNode&) { ++rows; });
        return rows + reader.Deliveries(2).size();
    }
};

TEST_F(TraceReaderTest, ReadsBackWhatWasWritten)
{
    WriteSmall();
    const TraceReader reader(m_path);
    EXPECT_TRUE(reader.Complete());
    EXPECT_EQ(reader.Setting("delta"), "1e-05");
    EXPECT_FALSE(reader.Setting("no-such-setting").has_value());
    EXPECT_EQ(reader.SummaryNumber("rounds"), 2.0);
    EXPECT_FALSE(reader.SummaryNumber("state").has_value());
    EXPECT_EQ(reader.RoundsByNode(2), (std::vector<Round>{2, 2}));
    std::vector<Release> releases;
    reader.ReadReleases(2, [&](const Release& row) {
        EXPECT_EQ(row.mechanism, "gaussian");
        EXPECT_EQ(row.sampler, "poisson");
        EXPECT_EQ(row.flags, ReleaseFlag::NONE);
        releases.push_back(row);
    });
    ASSERT_EQ(releases.size(), 4u);
    EXPECT_EQ(releases[1].node, 0u);
    EXPECT_EQ(releases[1].round, 1u);
    EXPECT_EQ(releases[2].node, 1u);
    EXPECT_EQ(releases[3].noise, 3.0);
    std::vector<std::string> reasons;
    reader.ReadGuarantees(2, [&](const GuaranteeByNode& row) {
        EXPECT_EQ(row.observed.has_value(), row.node == 1);
        EXPECT_EQ(std::isinf(row.certified), row.node == 0);
        reasons.emplace_back(row.reason);
    });
    EXPECT_EQ(reasons, (std::vector<std::string>{"because", ""}));
    const std::vector<Delivery> deliveries = reader.Deliveries(2);
    ASSERT_EQ(deliveries.size(), 4u);
    EXPECT_EQ(deliveries[0].fate, DeliveryFate::LOST);
    EXPECT_FALSE(deliveries[0].arrivedAt.has_value());
    EXPECT_EQ(deliveries[3].usedInRound, 1u);
    EXPECT_EQ(Files(), (std::vector<std::string>{"run.db"}));
}

TEST_F(TraceReaderTest, IncompleteTracesAreReadAndSaySo)
{
    WriteSmall(false);
    EXPECT_FALSE(TraceReader(m_path).Complete());
    EXPECT_EQ(TraceReader(m_path).Deliveries(2).size(), 4u);
}

TEST_F(TraceReaderTest, WhatIsNoTraceIsRefusedInOneLine)
{
    EXPECT_NE(ErrorOf(m_path).find("a file that exists"), std::string::npos);
    EXPECT_NE(ErrorOf(m_folder.string()).find("a file that exists"), std::string::npos);
    std::ofstream(m_path) << "a text, and a long one, that no database begins with, at any time";
    EXPECT_NE(ErrorOf(m_path).find("not a database"), std::string::npos) << ErrorOf(m_path);
    std::ofstream(m_path, std::ios::trunc).flush();
    EXPECT_NE(ErrorOf(m_path).find("a trace of dpdl"), std::string::npos) << ErrorOf(m_path);
    WriteSmall();
    Execute("PRAGMA user_version=7");
    EXPECT_EQ(ErrorOf(m_path),
              "trace: '" + m_path +
                  "' is not accepted; expected a trace of schema version 1 or 2, and this one has "
                  "7");
    Execute("PRAGMA application_id=1");
    EXPECT_NE(ErrorOf(m_path).find("a trace of dpdl"), std::string::npos);
}

TEST_F(TraceReaderTest, ValuesOutsideTheirRangeAreRefused)
{
    for (const std::string& sql :
         Pieces("UPDATE message SET source = 2;UPDATE message SET target = -1;"
                "UPDATE message SET weight = 1.5;UPDATE message SET weight = NULL;"
                "UPDATE message SET weight = 9e999;UPDATE message SET round = 4294967296;"
                "UPDATE message SET used_in_round = 'soon';UPDATE message SET fate = 77;"
                "UPDATE ledger SET node = 2;UPDATE ledger SET noise = 'none';"
                "UPDATE ledger SET mechanism = 99;UPDATE guarantee SET node = 5;"
                "UPDATE node_round SET node = 5;DROP VIEW delivery",
                ';'))
    {
        WriteSmall();
        EXPECT_EQ(ReadAll(m_path), 15u);
        Execute(sql);
        try
        {
            ReadAll(m_path);
            ADD_FAILURE() << sql;
        }
        catch (const UsageError& error)
        {
            EXPECT_EQ(std::string(error.what()).rfind("trace: '" + m_path + "'", 0), 0u);
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
        }
    }
}

TEST_F(TraceReaderTest, AuditsAppendAndTheLargestBoundCounts)
{
    WriteSmall();
    const TraceReader before(m_path);
    EXPECT_FALSE(before.StrongestAudit(0).has_value());
    AppendAudit(m_path, Audit(0, 0.5));
    AppendAudit(m_path, Audit(0, 0.125));
    // Node 1 was written with 0.25.
    AppendAudit(m_path, Audit(1, 0.2));
    EXPECT_EQ(Query("SELECT observed FROM guarantee_by_node ORDER BY node"),
              (std::vector<std::string>{"0.5", "0.25"}));
    EXPECT_EQ(Summary("epsilon_observed"), "0.5");
    EXPECT_EQ(Query("SELECT * FROM audit"),
              (std::vector<std::string>{
                  "0|0.5|0.9|1000|canary|a test|2026-01-02T03:04:05Z",
                  "0|0.125|0.9|1000|canary|a test|2026-01-02T03:04:05Z",
                  "1|0.2|0.9|1000|canary|a test|2026-01-02T03:04:05Z",
              }));
    EXPECT_EQ(TraceReader(m_path).StrongestAudit(0)->observed, 0.5);
    EXPECT_EQ(TraceReader(m_path).StrongestAudit(0)->confidence, 0.9);
    EXPECT_EQ(Value("SELECT value FROM settings WHERE name = 'observedBy'"),
              "canary game, 1000 runs, confidence 0.9");
    AppendAudit(m_path, Audit(1, INF));
    EXPECT_EQ(Summary("epsilon_observed"), "Inf");
    AppendAudit(m_path, Audit(1, 0.0));
    EXPECT_EQ(Summary("epsilon_observed"), "Inf");
    EXPECT_EQ(Summary("state"), "complete");
    EXPECT_EQ(Files(), (std::vector<std::string>{"run.db"}));
}

TEST_F(TraceReaderTest, AnAuditNeedsACompleteTraceWithThatNode)
{
    WriteSmall();
    EXPECT_THROW(AppendAudit(m_path, Audit(2, 0.5)), UsageError);
    EXPECT_THROW(AppendAudit(m_path, Audit(0, -1.0)), UsageError);
    EXPECT_THROW(AppendAudit(m_path, Audit(0, std::nan(""))), UsageError);
    EXPECT_THROW(AppendAudit(m_path + "x", Audit(0, 0.5)), UsageError);
    EXPECT_EQ(Summary("epsilon_observed"), "0.25");
    WriteSmall(false);
    EXPECT_THROW(AppendAudit(m_path, Audit(0, 0.5)), UsageError);
    EXPECT_EQ(Summary("epsilon_observed"), "0.25");
    EXPECT_EQ(Value("SELECT COUNT(*) FROM audit"), "0");
}

TEST_F(TraceReaderTest, ATraceOfTheVersionBeforeIsReadAndTakesAudits)
{
    WriteSmall();
    Execute("CREATE VIEW own_view AS SELECT * FROM guarantee");
    const std::vector<std::string> schema =
        Query("SELECT type, name, sql FROM sqlite_master ORDER BY name");
    MakeVersionOne();
    EXPECT_EQ(ReadAll(m_path), 15u);
    EXPECT_EQ(TraceReader(m_path).StrongestAudit(1)->observed, 0.25);
    EXPECT_TRUE(std::isnan(TraceReader(m_path).StrongestAudit(1)->confidence));
    EXPECT_FALSE(TraceReader(m_path).StrongestAudit(0).has_value());
    // Adding an audit makes it a trace of today, with all that it held.
    AppendAudit(m_path, Audit(0, 0.5));
    EXPECT_EQ(Value("PRAGMA user_version"), "2");
    EXPECT_EQ(Query("SELECT type, name, sql FROM sqlite_master ORDER BY name"), schema);
    EXPECT_EQ(ReadAll(m_path), 15u);
    EXPECT_EQ(Query("SELECT observed FROM guarantee_by_node ORDER BY node"),
              (std::vector<std::string>{"0.5", "0.25"}));
    EXPECT_EQ(Value("SELECT COUNT(*) FROM own_view"), "2");
}

TEST_F(TraceReaderTest, DamagedFilesNeverDoMoreThanThrow)
{
    WriteSmall();
    std::ifstream file(m_path, std::ios::binary);
    const std::string intact{std::istreambuf_iterator<char>(file), {}};
    const RandomStream stream({20260, 1}, RandomPurpose::TEST, 0, 0);
    std::uint64_t drawn = 0;
    const auto below = [&](std::size_t bound) {
        return stream.Integer(drawn++, static_cast<std::uint32_t>(bound));
    };
    std::size_t refused = 0;
    constexpr std::size_t CASES = 1500;
    for (std::size_t i = 0; i < CASES; ++i)
    {
        std::string bytes = intact;
        const std::uint32_t changes = 1 + below(20);
        for (std::uint32_t change = 0; change < changes; ++change)
        {
            // Every other change hits the first page, where the schema begins.
            const std::size_t range = change % 2 == 0 ? 4096 : bytes.size();
            const std::size_t place = below(range);
            bytes[place] = static_cast<char>(below(256));
        }
        if (i % 10 == 0)
        {
            bytes.resize(below(bytes.size()));
        }
        std::ofstream(m_path, std::ios::binary | std::ios::trunc) << bytes;
        try
        {
            ReadAll(m_path);
        }
        catch (const UsageError& error)
        {
            ++refused;
            EXPECT_EQ(std::string(error.what()).rfind("trace: ", 0), 0u) << error.what();
        }
    }
    EXPECT_GT(refused, CASES / 10);
    EXPECT_LT(refused, CASES);
}

} // namespace
} // namespace dpdl
