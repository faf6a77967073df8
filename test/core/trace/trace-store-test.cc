// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/base/random.h"
#include "trace-fixture.h"

#include <cmath>
#include <cstring>

namespace dpdl
{
namespace
{

using Rows = std::vector<std::string>;

class TraceStoreRows : public TraceTest
{
  protected:
    /// Messages of three links with every fate, drawn from a seeded stream.
    static void AddMixedMessages(TraceStore& trace, Round rounds)
    {
        const RandomStream random({1, 1}, RandomPurpose::TEST, 0, 0);
        for (Round round = 0; round < rounds; ++round)
        {
            for (NodeId source = 0; source < 3; ++source)
            {
                const std::uint64_t element = 3ULL * round + source;
                Delivery row{round, source, (source + 1) % 3, 0.5, 1000 + source, 1.0 * round};
                row.fate = static_cast<DeliveryFate>(1 + random.Integer(2 * element, 6));
                if (row.fate != DeliveryFate::LOST && row.fate != DeliveryFate::REFUNDED)
                {
                    row.arrivedAt = row.sentAt + random.Uniform(2 * element + 1);
                }
                trace.Add(row);
            }
        }
    }
};

TEST_F(TraceStoreRows, EveryKindOfRowComesBackThroughItsView)
{
    TraceStore trace(m_path, {});
    trace.Add(AccuracyByRound{10, 2.5, 0.75, 0.5, 0.875, 1.25, 0.0625, 50});
    trace.Add(AccuracyByNode{10, 3, 0.5, 1.5, 50});
    trace.Add(RoundByNode{9, 3, 1.5, 64, 2.5, 0.25, 0.125, 1.5, 2.5});
    trace.Add(GuaranteeByRound{10, 0.5, 0.75});
    trace.Add(Release{3, 9, "gaussian", "poisson", 0.25, 1.5, 3.0});
    trace.Add(Delivery{9, 3, 4, 0.5, 104, 1.5, {}, 9, DeliveryFate::REFUNDED});
    trace.Add(MassByRound{10, 19.5, 0.25, 0.25, 0.0, 0.5});
    trace.Add(
        QByWindow{0, 4, 0.99, 0.5, 0.75, false, 19.5, 1.0, 1.5, 0.25, 2.5, 0.01, 3, 7, 0.125});
    trace.Add(Violation{9, {}, "column-stochastic", "1 share lost"});
    trace.Add(SensitivityByRound{9, 3, 1.5, 2.5, 1, {}});
    trace.Add(PositionByRound{9, 3, 100.5, -2.25});
    trace.Add(FramesByDistance{25.0, 50.0, 9, 4, 3, 2, false});
    trace.Add(Building{10.0, 190.0, -5.0, 7.5, 20.0});
    trace.Add(EnergyByNode{10, 3, "listening", 2.5, 0.141});
    trace.Finish(true);
    EXPECT_EQ(Value("SELECT * FROM position_by_round"), "9|3|100.5|-2.25");
    EXPECT_EQ(Value("SELECT * FROM frames_by_distance"), "25.0|50.0|9|4|3|2|0");
    EXPECT_EQ(Value("SELECT * FROM building"), "10.0|190.0|-5.0|7.5|20.0");
    EXPECT_EQ(Value("SELECT * FROM sensitivity_by_round"), "9|3|1.5|2.5|1|NULL");
    EXPECT_EQ(Value("SELECT * FROM energy_by_node"), "10|3|listening|2.5|0.141");
    EXPECT_EQ(Value("SELECT * FROM accuracy_by_round"), "10|2.5|0.75|0.5|0.875|1.25|0.0625|50");
    EXPECT_EQ(Value("SELECT * FROM accuracy_by_node"), "10|3|0.5|1.5|50");
    EXPECT_EQ(Value("SELECT * FROM round_by_node"), "9|3|1.5|64|2.5|0.25|0.125|1.5|2.5|1.0|64");
    EXPECT_EQ(Value("SELECT * FROM guarantee_by_round"), "10|0.5|0.75");
    EXPECT_EQ(Value("SELECT * FROM release"), "3|9|gaussian|poisson|0.25|1.5|3.0|2.0||NULL");
    EXPECT_EQ(Value("SELECT * FROM delivery"), "9|3|4|0.5|104|1.5|NULL|9|refunded|0|NULL|NULL");
    EXPECT_EQ(Value("SELECT * FROM mass_by_round"), "10|19.5|0.25|0.25|0.0|0.5");
    EXPECT_EQ(Value("SELECT * FROM q_by_window"),
              "0|4|0.99|0.5|0.75|0|19.5|1.0|1.5|0.25|2.5|0.01|3|7|0.125");
    EXPECT_EQ(Value("SELECT * FROM violation"), "9|NULL|column-stochastic|1 share lost");
}

TEST_F(TraceStoreRows, InfinityStaysInfiniteAndNanBecomesNull)
{
    TraceStore trace(m_path, {});
    trace.Add(GuaranteeByNode{0, 1.0, INF, {}, 1e-4, "add-remove", "noise off"});
    trace.Add(GuaranteeByNode{1, 1.0, 2.0, 0.5, 1e-4, "add-remove", ""});
    trace.Add(GuaranteeByRound{0, std::nan(""), INF});
    trace.SetSummary("wall_seconds", -INF);
    trace.Finish(true);
    EXPECT_EQ(Query("SELECT certified = 9e999, typeof(certified), observed, reason "
                    "FROM guarantee_by_node"),
              (Rows{"1|real|NULL|noise off", "0|real|0.5|NULL"}));
    EXPECT_EQ(Value("SELECT claimed_max, certified_max = 9e999 FROM guarantee_by_round"), "NULL|1");
    EXPECT_EQ(Value("SELECT value = 9e999 FROM summary WHERE name = 'epsilon_certified'"), "1");
    EXPECT_EQ(Value("SELECT value = -9e999 FROM summary WHERE name = 'wall_seconds'"), "1");
    EXPECT_EQ(Summary("epsilon_observed"), "0.5");
}

TEST_F(TraceStoreRows, SnapshotAndNoiseKeepEveryBit)
{
    const std::vector<float> z{0.1F, -0.0F, 1e-42F, std::numeric_limits<float>::infinity()};
    const double w = 1.0 / 3;
    TraceStore trace(m_path, {});
    trace.Add(Snapshot{7, 2, w, {z.data(), z.size()}});
    trace.Add(NoiseByRound{6, 1, 3, {z.data(), 2}});
    trace.Finish(true);
    SQLite::Database database(m_path, SQLite::OPEN_READONLY);
    SQLite::Statement row(database, "SELECT round, node, w, z FROM snapshot");
    ASSERT_TRUE(row.executeStep());
    EXPECT_EQ(row.getColumn(1).getInt(), 2);
    EXPECT_EQ(row.getColumn(2).getDouble(), w);
    ASSERT_EQ(row.getColumn(3).getBytes(), 16);
    EXPECT_EQ(std::memcmp(row.getColumn(3).getBlob(), z.data(), 16), 0);
    EXPECT_EQ(Value("SELECT round, node, hex(noise), iteration FROM noise_by_round"),
              "6|1|CDCCCC3D00000080|3");
}

TEST_F(TraceStoreRows, RowsKeepTheirOrderAndNumberAcrossBlocksAndTransactions)
{
    TraceStore trace(m_path, {false, 100});
    for (Round round = 0; round < 1000; ++round)
    {
        trace.Add(Delivery{round, round % 7, round % 5, 1.0 / (round + 1), round});
    }
    trace.Finish(true);
    EXPECT_EQ(Value("SELECT COUNT(*), SUM(round), SUM(source = round % 7), SUM(target = round % 5),"
                    " SUM(weight = 1.0 / (round + 1)), SUM(bytes = round) FROM delivery"),
              "1000|499500|1000|1000|1000|1000");
    EXPECT_EQ(Value("SELECT COUNT(*) FROM message WHERE rowid = round + 1"), "1000");
}

TEST_F(TraceStoreRows, LinkTotalsOfAKnownLink)
{
    TraceStore trace(m_path, {});
    for (Round round = 0; round < 200; ++round)
    {
        const double sent = 10.0 * round;
        trace.Add(Delivery{round, 4, 2, 0.5, 10, sent, sent + (round + 1), round});
    }
    trace.Add(Delivery{200, 4, 2, 0.5, 10, 0, {}, {}, DeliveryFate::LOST});
    trace.Add(Delivery{200, 4, 2, 0.5, 10, 0, 5000, {}, DeliveryFate::CORRUPT});
    trace.Add(Delivery{200, 4, 2, 0.5, 10, 0, 7000, {}, DeliveryFate::DUPLICATE});
    trace.Finish(true);
    EXPECT_EQ(Value("SELECT * FROM delivery_by_link"), "4|2|202|200|2|2020|100.5|198.0");
    EXPECT_EQ(Summary("messages_sent"), "202");
    EXPECT_EQ(Summary("messages_delivered"), "200");
    EXPECT_EQ(Summary("messages_lost"), "2");
    EXPECT_EQ(Summary("bytes_sent"), "2020");
}

TEST_F(TraceStoreRows, ARunWithoutMessagesHasSentNone)
{
    TraceStore trace(m_path, {});
    trace.Flush();
    EXPECT_EQ(Summary("messages_sent"), "NULL");
    trace.Finish(true);
    EXPECT_EQ(Summary("messages_sent"), "0");
    EXPECT_EQ(Summary("messages_lost"), "0");
    EXPECT_EQ(Summary("bytes_sent"), "0");
}

TEST_F(TraceStoreRows, LinkTotalsByCodeEqualThoseBySql)
{
    const std::string sql = "SELECT source, target, sent, delivered, lost, bytes, "
                            "round(delay_mean, 9), delay_p99 FROM delivery_by_link";
    TraceStore trace(m_path, {});
    AddMixedMessages(trace, 777);
    trace.Flush();
    const Rows bySql = Query(sql);
    trace.Finish(true);
    ASSERT_EQ(bySql.size(), 3U);
    EXPECT_EQ(Value("SELECT COUNT(*) FROM link_total"), "3");
    EXPECT_EQ(Query(sql), bySql);
    EXPECT_EQ(Value("SELECT COUNT(*) FROM delivery_by_link WHERE sent = delivered + lost"), "3");
    EXPECT_EQ(Value("SELECT SUM(sent) FROM delivery_by_link"), Summary("messages_sent"));
    EXPECT_EQ(Value("SELECT SUM(lost) FROM delivery_by_link"), Summary("messages_lost"));
    EXPECT_EQ(Value("SELECT SUM(bytes) FROM delivery_by_link"), Summary("bytes_sent"));
}

TEST_F(TraceStoreRows, LinkTotalsOfTheCallerStandWithoutMessages)
{
    TraceStore trace(m_path, {});
    trace.Add(DeliveryByLink{0, 1, 10, 7, 3, 1000, 0.25, 0.5});
    trace.Add(DeliveryByLink{1, 0, 10, 0, 10, 1000, {}, {}});
    trace.Finish(true);
    EXPECT_EQ(Query("SELECT * FROM delivery_by_link"),
              (Rows{"0|1|10|7|3|1000|0.25|0.5", "1|0|10|0|10|1000|NULL|NULL"}));
    EXPECT_EQ(Summary("messages_lost"), "13");
}

TEST_F(TraceStoreRows, SummaryFollowsTheRowsUnlessTheCallerSaysOtherwise)
{
    TraceStore trace(m_path, {});
    trace.Add(AccuracyByRound{10, 1.0, 0.5, 0.25, {}, 2.0, {}});
    trace.Add(AccuracyByRound{20, 2.0, 0.75, 0.5, 0.8125, 1.0, 0.5});
    trace.Add(MassByRound{10, 20, 0, 0, -0.5, 0});
    trace.Add(MassByRound{20, 20, 0, 0, 0.25, 0});
    trace.Add(QByWindow{0, 4, 0.9, 0.25, 0.5, true, 20});
    trace.Add(QByWindow{5, 9, 0.95, 1.0, 0.0, true, 20});
    trace.SetSummary("rounds", std::size_t{20});
    trace.SetSummary("loss_mean", 3.5);
    EXPECT_THROW(trace.SetSummary("state", "complete"), Error);
    EXPECT_THROW(trace.SetSummary("acuracy", 1.0), Error);
    trace.Finish(true);
    EXPECT_EQ(Summary("accuracy_mean"), "0.75");
    EXPECT_EQ(Summary("accuracy_of_mean_model"), "0.8125");
    EXPECT_EQ(Summary("loss_mean"), "3.5");
    EXPECT_EQ(Summary("mass_error"), "0.5");
    EXPECT_EQ(Summary("q_bound"), "0.95");
    EXPECT_EQ(Summary("q_designed"), "0.5");
    EXPECT_EQ(Summary("q_realised"), "0.0");
    EXPECT_EQ(Summary("epsilon_observed"), "NULL");
    EXPECT_EQ(Value("SELECT typeof(value) FROM summary WHERE name = 'rounds'"), "integer");
}

TEST_F(TraceStoreRows, LastSettingWinsInThePlaceOfTheFirst)
{
    TraceStore trace(m_path, {});
    trace.SetSetting("algorithm", "sgp");
    trace.SetSetting("nodes", "20");
    trace.SetSetting("algorithm", "dyn-d2p");
    trace.Finish(true);
    EXPECT_EQ(Query("SELECT * FROM settings"), (Rows{"algorithm|dyn-d2p", "nodes|20"}));
}

TEST_F(TraceStoreRows, UnsettledMessagesStandInEachCommitAndAreTakenBack)
{
    TraceStore trace(m_path, {true, 0});
    Delivery row;
    row.fate = DeliveryFate::DELIVERED;
    row.bytes = 10;
    trace.Add(row);
    Delivery open = row;
    open.round = 1;
    open.fate = DeliveryFate::LOST;
    trace.Flush({open, open});
    EXPECT_EQ(trace.Pending(), 0U);
    EXPECT_EQ(Query("SELECT round, fate FROM delivery"), (Rows{"0|delivered", "1|lost", "1|lost"}));
    EXPECT_EQ(Summary("messages_sent"), "3");
    EXPECT_EQ(Summary("messages_lost"), "2");
    open.fate = DeliveryFate::LATE;
    trace.Add(open);
    EXPECT_EQ(trace.Pending(), 1U);
    trace.Flush({row});
    EXPECT_EQ(Query("SELECT round, fate FROM delivery"),
              (Rows{"0|delivered", "1|late", "0|delivered"}));
    trace.Finish(true);
    EXPECT_EQ(Query("SELECT rowid, round, fate FROM message"), (Rows{"1|0|1", "2|1|3"}));
    EXPECT_EQ(Summary("messages_sent"), "2");
    EXPECT_EQ(Summary("bytes_sent"), "20");
}

TEST_F(TraceStoreRows, TheSummaryOfACommitSaysWhatHoldsThen)
{
    TraceStore trace(m_path, {});
    trace.SetSummary("rounds", 7);
    EXPECT_EQ(Summary("rounds"), "NULL");
    trace.Flush();
    EXPECT_EQ(Summary("rounds"), "7");
    EXPECT_EQ(Summary("epsilon_certified"), "NULL");
    GuaranteeByNode node;
    node.claimed = 0.5;
    node.certified = 0.7;
    trace.Add(node);
    trace.Finish(true);
    EXPECT_EQ(Summary("epsilon_certified"), "0.7");
}

TEST_F(TraceStoreRows, EqualCallsGiveEqualFilesWhateverTheTransactions)
{
    Rows contents[2];
    for (const std::uint32_t rowsPerTransaction : {7U, 65536U})
    {
        TraceStore trace(m_path, {true, rowsPerTransaction});
        AddMixedMessages(trace, 100);
        trace.Add(Release{0, 0, "gaussian", "poisson", 0.1, 1, 1, ReleaseFlag::BATCH_CLIP});
        trace.Add(Release{0, 1, "laplace", "delivered", 0.1, 1, 1});
        trace.Finish(true);
        Rows& rows = contents[rowsPerTransaction == 7U ? 0 : 1];
        for (const char* table :
             {"message", "ledger", "word", "link_total", "summary_item", "checksum"})
        {
            const Rows more = Query(std::string("SELECT rowid, * FROM ") + table);
            rows.insert(rows.end(), more.begin(), more.end());
        }
    }
    EXPECT_GT(contents[0].size(), 300U);
    EXPECT_EQ(contents[0], contents[1]);
}

} // namespace
} // namespace dpdl
