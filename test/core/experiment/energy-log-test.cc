// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/energy-log.h"
#include "experiment-fixture.h"

#include <gtest/gtest.h>

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

} // namespace
} // namespace dpdl
