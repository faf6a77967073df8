// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../trace/trace-fixture.h"
#include "dpdl/experiment/energy-log.h"

#include <filesystem>

namespace dpdl
{
namespace
{

class PositionLogTest : public TraceTest
{
  protected:
    /// Two nodes begin rounds 0 to 3: node 0 moves before every odd round, node 1 never does.
    void Drive(PositionLog& log)
    {
        log.SetLocator([this](NodeId node) { return m_places[node]; });
        for (Round round = 0; round < 4; ++round)
        {
            m_places[0]->x += round % 2 == 1 ? 10.0 : 0.0;
            log.Begin(0, round);
            log.Begin(1, round);
        }
    }

    std::vector<std::optional<Position>> m_places{Position{1.0, 2.0}, Position{5.0, 6.0}};
};

TEST_F(PositionLogTest, OnlyNodesThatMovedGetFurtherRows)
{
    TraceStore store(m_path, TraceStore::Options{});
    PositionLog log(2, &store);
    Drive(log);
    store.Finish(true);
    EXPECT_EQ(Value("SELECT group_concat(round || ':' || x || ',' || y, ' ') "
                    "FROM position_by_round WHERE node = 0"),
              "0:1.0,2.0 1:11.0,2.0 3:21.0,2.0");
    EXPECT_EQ(Value("SELECT round, x, y FROM position_by_round WHERE node = 1"), "0|5.0|6.0");
}

TEST_F(PositionLogTest, ARoundThatBeginsAgainAddsNothing)
{
    TraceStore store(m_path, TraceStore::Options{});
    PositionLog log(2, &store);
    Drive(log);
    m_places[0]->x += 1.0;
    log.Begin(0, 3);
    store.Finish(true);
    EXPECT_EQ(Value("SELECT COUNT(*), MAX(x) FROM position_by_round WHERE node = 0"), "3|21.0");
}

TEST_F(PositionLogTest, NodesWithoutAPlaceHaveNoRows)
{
    TraceStore store(m_path, TraceStore::Options{});
    PositionLog log(2, &store);
    log.Begin(0, 0);
    m_places[1].reset();
    Drive(log);
    store.Finish(true);
    EXPECT_EQ(Value("SELECT MIN(node), MAX(node) FROM position_by_round"), "0|0");
}

TEST_F(PositionLogTest, NothingIsWrittenWithoutAStore)
{
    PositionLog log(2, nullptr);
    Drive(log);
    EXPECT_FALSE(std::filesystem::exists(m_path));
}

} // namespace
} // namespace dpdl
