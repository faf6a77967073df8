// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "seal.h"
#include "trace-fixture.h"

#include <set>

namespace dpdl
{
namespace
{

/// A row of each type of value.
void
AddRow(RowChecksum& sum, std::int64_t number, const std::string& text)
{
    sum.AddInteger(number);
    sum.AddReal(0.5);
    sum.AddText(text);
    sum.AddNull();
    sum.EndRow();
}

std::int64_t
SumOf(const std::vector<std::pair<std::int64_t, std::string>>& rows)
{
    RowChecksum sum;
    for (const auto& [number, text] : rows)
    {
        AddRow(sum, number, text);
    }
    return sum.Value();
}

// By Python: (2^64 + 5) 2^64 + 1, then the remainder.
TEST(RowChecksumTest, IsTheRemainderOfOneNumber)
{
    EXPECT_EQ(RowChecksum().Value(), 1);
    RowChecksum sum;
    sum.AddInteger(5);
    sum.EndRow();
    EXPECT_EQ(sum.Value(), 59 * 59 + 5 * 59 + 1);
    EXPECT_EQ(sum.Rows(), 1);
    // 59 + (2^64 - 1) is 59 + 58 more than the prime: large words are also reduced.
    RowChecksum large;
    large.AddInteger(-1);
    large.EndRow();
    EXPECT_EQ(large.Value(), (59 + 58) * 59 + 1);
}

TEST(RowChecksumTest, EveryChangeOfARowShows)
{
    const std::set<std::int64_t> sums{SumOf({}),
                                      SumOf({{1, "a"}}),
                                      SumOf({{2, "a"}}),
                                      SumOf({{1, "b"}}),
                                      SumOf({{1, std::string("a\0", 2)}}),
                                      SumOf({{1, "a"}, {2, "b"}}),
                                      SumOf({{2, "b"}, {1, "a"}}),
                                      SumOf({{1, "b"}, {2, "a"}})};
    EXPECT_EQ(sums.size(), 8U);
}

TEST(RowChecksumTest, TypesAreToldApart)
{
    RowChecksum sums[5];
    sums[0].AddNull();
    sums[1].AddInteger(0);
    sums[2].AddReal(0.0);
    sums[3].AddText("");
    sums[4].AddBlob("", 0);
    std::set<std::int64_t> values;
    for (RowChecksum& sum : sums)
    {
        sum.EndRow();
        values.insert(sum.Value());
    }
    EXPECT_EQ(values.size(), 5U);
    // What SQLite makes of them.
    RowChecksum nan;
    nan.AddReal(std::numeric_limits<double>::quiet_NaN());
    nan.EndRow();
    EXPECT_EQ(nan.Value(), sums[0].Value());
    RowChecksum negative;
    negative.AddReal(-0.0);
    negative.EndRow();
    EXPECT_EQ(negative.Value(), sums[2].Value());
}

using SealTest = TraceTest;

TEST_F(SealTest, EveryTableHoldsWhatWasNotedAfterEveryCommit)
{
    const auto check = [this] {
        SQLite::Database file(m_path, SQLite::OPEN_READONLY);
        const std::string tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name "
                                   "NOT IN ('checksum')";
        for (const std::string& table : Query(tables))
        {
            EXPECT_TRUE(HoldsSeal(file, table)) << table;
        }
    };
    TraceStore trace(m_path, {});
    check();
    trace.SetSetting("text", "\xff\xfe not UTF-8");
    trace.Add(AccuracyByRound{1, -0.0, INF, 0.5, std::nullopt, 1e300, 3.0});
    trace.Add(Release{0, 0, "gaussian", "poisson", 0.1, 1, 1, ReleaseFlag::BATCH_CLIP});
    const std::vector<float> z{1.0F, 2.0F, 3.0F};
    trace.Add(Snapshot{0, 1, 1.0, {z.data(), z.size()}});
    trace.Flush();
    check();
    trace.Add(GuaranteeByRound{1, 1.0, 2.0});
    trace.Finish(true);
    check();
}

TEST_F(SealTest, ARowThatIsGoneOrChangedBreaksIt)
{
    TraceStore trace(m_path, {});
    for (Round round = 1; round < 4; ++round)
    {
        trace.Add(AccuracyByRound{round, 1.0, 0.5, 0.5, 0.5, 1.0, 3.0});
    }
    trace.Finish(true);
    SQLite::Database file(m_path, SQLite::OPEN_READWRITE);
    for (const char* change : {"UPDATE evaluation SET loss_mean = 2 WHERE round = 3",
                               "DELETE FROM evaluation WHERE round = 2",
                               "UPDATE evaluation SET round = 4 - round"})
    {
        file.exec("BEGIN");
        file.exec(change);
        EXPECT_FALSE(HoldsSeal(file, "evaluation")) << change;
        file.exec("ROLLBACK");
    }
    EXPECT_TRUE(HoldsSeal(file, "evaluation"));
}

} // namespace
} // namespace dpdl
