// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/energy-log.h"
#include "experiment-fixture.h"

namespace dpdl
{
namespace
{

class EnergyLogTest : public ExperimentTest
{
};

TEST_F(EnergyLogTest, WritesEveryStateAndTheLastTotals)
{
    {
        TraceStore store(m_path, {});
        EnergyLog log(3, store);
        log.Write(0);
        double scale = 1.0;
        log.SetMeter([&scale](NodeId node) {
            std::vector<EnergyUse> uses;
            if (node != 1)
            {
                uses = {{"off", 4.0 * scale, 0.5 * scale}, {"sending", node * 1.0, node * 2.0}};
            }
            return uses;
        });
        log.Write(2);
        scale = 2.0;
        log.Write(4);
        store.Finish(true);
    }
    EXPECT_EQ(Value("SELECT COUNT(*), MIN(round) FROM energy_by_node"), "8|2");
    EXPECT_EQ(Value("SELECT * FROM energy_by_node WHERE round = 4 AND node = 2 AND state = 'off'"),
              "4|2|off|8.0|1.0");
    EXPECT_EQ(Value("SELECT value FROM summary WHERE name = 'energy_total'"), "6.0");
    EXPECT_EQ(Value("SELECT value FROM summary WHERE name = 'energy_worst'"), "5.0");
}

TEST_F(EnergyLogTest, SaysNothingWithoutAMeasurement)
{
    Run(Small());
    EXPECT_EQ(Value("SELECT COUNT(*) FROM energy_by_node"), "0");
    EXPECT_EQ(
        Value("SELECT COUNT(*) FROM summary WHERE (name LIKE 'energy%' OR name LIKE 'frames%' "
              "OR name = 'fragments_sent') AND value IS NULL"),
        "5");
}

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
