// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * One run of sensors with IEEE 802.15.4 radios that learn together, through a gateway or in a mesh.
 * The study of the same name runs both, with the whole model and with its first part alone.
 */

#include "dpdl/base/quantity.h"

#include "ns3/dpdl-lr-wpan-network.h"
#include "ns3/dpdl-scenario.h"

namespace
{

using ::dpdl::RunOptions;

/// What the user may say of the sensors.
struct Sensors
{
    std::string layout{"gateway"}; ///< how they are connected
    double dutyCycle{0.5};         ///< share of the time that radios are awake
    double wakePeriod{4.0};        ///< from one waking to the next, in s
    double distance{20.0};         ///< metres to the gateway, or between neighbours of the mesh
    bool isContending{false};      ///< all send at the same time

    void Build(const ns3::NodeContainer& nodes, const RunOptions& settings) const
    {
        ns3::DpdlLrWpanNetwork network;
        network.SetDutyCycle(ns3::Seconds(wakePeriod), dutyCycle);
        network.SetContention(isContending);
        network.FitTo(settings);
        settings.topology == "star" ? network.PlaceAroundGateway(nodes, distance)
                                    : network.PlaceOnGrid(nodes, distance);
        network.Install(nodes);
    }
};

/// A number above 0 and up to @p most.
::dpdl::Codec<double>
UpTo(double most)
{
    return ::dpdl::Number("a number above 0 and up to " + ::dpdl::ShowNumber(most),
                          [most](double value) { return value > 0 && value <= most; });
}

void
AddOptions(ns3::DpdlScenario& scenario, Sensors& sensors)
{
    const ::dpdl::Choices<std::string> layouts{{"gateway", "gateway"}, {"mesh", "mesh"}};
    const auto time = ::dpdl::Quantity("a time like 2s", ::dpdl::ParseSeconds, "s");
    scenario.AddOption("layout", ::dpdl::OneOf(layouts), sensors.layout, "how nodes are connected");
    scenario.AddOption("dutyCycle", UpTo(1.0), sensors.dutyCycle, "time that radios are awake");
    scenario.AddOption("wakePeriod", time, sensors.wakePeriod, "from waking to waking");
    scenario.AddOption("distance",
                       UpTo(1000.0),
                       sensors.distance,
                       "metres to the gateway, or between neighbours of the mesh");
    scenario
        .AddOption("contention",
                   ::dpdl::Switch(true),
                   sensors.isContending,
                   "all nodes send at the same time")
        .Accepts("nothing");
}

} // namespace

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
    Sensors sensors;
    AddOptions(scenario, sensors);
    scenario.SetNetwork([&sensors](const ns3::NodeContainer& nodes, const RunOptions& settings) {
        sensors.Build(nodes, settings);
    });
    return scenario.Main(argc, argv, [&sensors](ns3::DpdlScenario& s) {
        const double reach = 1.1 * sensors.distance;
        s.Settings().topology =
            sensors.layout == "gateway" ? "star" : "mobility:" + ::dpdl::ShowNumber(reach);
        ns3::DpdlScenario::RunOnce(s);
    });
}
