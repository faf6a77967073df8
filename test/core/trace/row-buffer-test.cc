// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "row-buffer.h"
#include "run-figures.h"
#include "seal.h"

#include <SQLiteCpp/Statement.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace dpdl
{
namespace
{

/// A table of violations in memory, without words.
class RowBufferTest : public testing::Test
{
  protected:
    RowBufferTest()
        : m_database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
    {
        m_database.exec(std::string("CREATE TABLE ") + TABLE<Violation>.name +
                        "(round INTEGER, node INTEGER, assumption INTEGER, detail)");
    }

    /// Row number @p round; every third one has no node.
    static Violation Row(Round round)
    {
        Violation row{round, {}, "column-stochastic", "a line"};
        if (round % 3 > 0)
        {
            row.node = round;
        }
        return row;
    }

    static void Append(RowBuffer& buffer, const Violation& row)
    {
        buffer.Append(row, [](const auto& word) {
            return static_cast<std::int64_t>(std::string(word).size());
        });
    }

    static void AppendMany(RowBuffer& buffer, Round count)
    {
        for (Round round = 0; round < count; ++round)
        {
            Append(buffer, Row(round));
        }
    }

    RowBuffer Buffer()
    {
        return {m_database, TABLE<Violation>};
    }

    std::int64_t Count()
    {
        return m_database.execAndGet(std::string("SELECT COUNT(*) FROM ") + TABLE<Violation>.name)
            .getInt64();
    }

    RowChecksum Stored()
    {
        return ChecksumOf(m_database, TABLE<Violation>.name);
    }

    SQLite::Database m_database;
};

TEST_F(RowBufferTest, WritesEveryRowOnceInOrderWhateverTheirNumber)
{
    for (const Round rows : {1U, 63U, 64U, 65U, 200U})
    {
        m_database.exec(std::string("DELETE FROM ") + TABLE<Violation>.name);
        RowBuffer buffer = Buffer();
        AppendMany(buffer, rows);
        EXPECT_EQ(Count(), rows - rows % 64) << "whole blocks are written";
        buffer.Write();
        buffer.Write();
        EXPECT_EQ(Count(), rows);
        EXPECT_EQ(m_database
                      .execAndGet(std::string("SELECT SUM(round = rowid - 1) FROM ") +
                                  TABLE<Violation>.name)
                      .getInt64(),
                  rows);
        EXPECT_EQ(Stored().Rows(), buffer.Checksum().Rows());
        EXPECT_EQ(Stored().Value(), buffer.Checksum().Value());
    }
}

TEST_F(RowBufferTest, RepeatedRowsAreComparedAndNotWrittenAgain)
{
    RowBuffer first = Buffer();
    AppendMany(first, 100);
    first.Write();
    RowBuffer again = Buffer();
    again.Expect(first.Checksum(), true);
    EXPECT_TRUE(again.IsBehind());
    EXPECT_TRUE(again.Has(100));
    EXPECT_FALSE(again.Has(101));
    AppendMany(again, 100);
    EXPECT_FALSE(again.IsBehind());
    EXPECT_FALSE(again.Differs());
    Append(again, Row(100));
    again.Write();
    EXPECT_EQ(Count(), 101);
    EXPECT_EQ(Stored().Value(), again.Checksum().Value());
}

TEST_F(RowBufferTest, ARepeatedRowThatDiffersIsNoticedAtTheLast)
{
    RowBuffer first = Buffer();
    AppendMany(first, 10);
    RowBuffer again = Buffer();
    again.Expect(first.Checksum(), false);
    EXPECT_FALSE(again.Has(1));
    AppendMany(again, 4);
    Append(again, Row(77));
    for (Round round = 5; round < 10; ++round)
    {
        EXPECT_FALSE(again.Differs());
        Append(again, Row(round));
    }
    EXPECT_TRUE(again.Differs());
    again.Write();
    EXPECT_EQ(Count(), 10) << "what is not there is written";
}

TEST_F(RowBufferTest, TrustedRowsMayHaveAnyValues)
{
    RowBuffer first = Buffer();
    AppendMany(first, 10);
    first.Write();
    RowBuffer again = Buffer();
    again.Expect(first.Checksum(), true);
    RowBuffer six = Buffer();
    AppendMany(six, 6);
    again.Trust(six.Checksum());
    for (Round round = 0; round < 6; ++round)
    {
        Append(again, Row(1000 + round));
    }
    for (Round round = 6; round < 10; ++round)
    {
        Append(again, Row(round));
    }
    EXPECT_FALSE(again.Differs());
    again.Write();
    EXPECT_EQ(Count(), 10);
    EXPECT_EQ(Stored().Value(), again.Checksum().Value());
}

TEST(LinkTotals, AreTheSameHoweverFewDelaysAreHeld)
{
    SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    database.exec("CREATE TABLE message(source, target, fate, bytes, arrived_at, sent_at)");
    SQLite::Statement insert(database, "INSERT INTO message VALUES (?, ?, ?, ?, ?, 0.0)");
    for (int i = 0; i < 1000; ++i)
    {
        const int fate = 1 + i % 6;
        insert.bind(1, i % 7);
        insert.bind(2, i % 5);
        insert.bind(3, fate);
        insert.bind(4, i);
        insert.bind(5, i * 37 % 101);
        insert.exec();
        insert.reset();
    }
    const std::vector<DeliveryByLink> all = LinkTotals(database);
    ASSERT_EQ(all.size(), 35U);
    for (const std::size_t most : {1U, 3U, 50U, 999U})
    {
        const std::vector<DeliveryByLink> some = LinkTotals(database, most);
        ASSERT_EQ(some.size(), all.size());
        for (std::size_t i = 0; i < all.size(); ++i)
        {
            EXPECT_EQ(some[i].source, all[i].source);
            EXPECT_EQ(some[i].target, all[i].target);
            EXPECT_EQ(some[i].sent, all[i].sent);
            EXPECT_EQ(some[i].delivered, all[i].delivered);
            EXPECT_EQ(some[i].lost, all[i].lost);
            EXPECT_EQ(some[i].bytes, all[i].bytes);
            EXPECT_EQ(some[i].delayMean, all[i].delayMean) << most;
            EXPECT_EQ(some[i].delayP99, all[i].delayP99) << most;
        }
    }
}

} // namespace
} // namespace dpdl
