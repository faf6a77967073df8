// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * One run of sensors with IEEE 802.15.4 radios that learn together: through a gateway, in range or
 * along a tree, or in a mesh. The study of the same name compares them.
 */

#include "iot/sensors.h"

int
main(int argc, char* argv[])
{
    ns3::DpdlScenario scenario("iot",
                               "sensors with 802.15.4 radios that learn together",
                               {{"model", "cnn-xs"},
                                {"nodes", "8"},
                                {"rounds", "60"},
                                {"batchSize", "128"},
                                {"epsilon", "2"},
                                {"stepSize", "4"},
                                {"clip", "1"},
                                {"chunk", "500"},
                                {"network", "packet"},
                                {"transport", "broadcast"},
                                {"deadline", "40s"},
                                {"evaluateEvery", "2"},
                                {"testSamples", "2000"},
                                {"accountant", "rdp"}});
    Sensors sensors(scenario);
    scenario.SetNetwork(
        [&sensors](const ns3::NodeContainer& nodes, const dpdl::RunOptions& settings) {
            sensors.Build(nodes, settings);
        });
    return scenario.Main(argc, argv, [&sensors](ns3::DpdlScenario& s) {
        sensors.Apply(s.Settings());
        ns3::DpdlScenario::RunOnce(s);
    });
}
