// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * One run of sensors with IEEE 802.15.4 radios that learn together, through a gateway or in a mesh.
 * The study of the same name runs both, with the whole model and with its first part alone.
 */

#include "dpdl/base/quantity.h"
#include "dpdl/base/registry.h"

#include "ns3/dpdl-lr-wpan-network.h"
#include "ns3/dpdl-scenario.h"

namespace
{

using ::dpdl::RunSettings;

/// What the user may say of the sensors.
struct Sensors
{
    std::string layout{"gateway"}; ///< how they are connected
    std::string dutyCycle{"0.5"};  ///< share of the time that radios are awake
    std::string wakePeriod{"4s"};  ///< from one waking to the next
    std::string distance{"20"};    ///< metres to the gateway, or between neighbours of the mesh
    bool isContending{false};      ///< all send at the same time

    double Number(const std::string& option, const std::string& text, double most) const
    {
        return ::dpdl::ParseNumber("option '" + option + "'",
                                   text,
                                   "a number above 0 and up to " + ::dpdl::ShowNumber(most),
                                   [most](double value) { return value > 0 && value <= most; });
    }

    void Build(const ns3::NodeContainer& nodes, const RunSettings& settings) const
    {
        ns3::DpdlLrWpanNetwork network;
        network.SetDutyCycle(ns3::Seconds(::dpdl::ParseSeconds("option 'wakePeriod'", wakePeriod)),
                             Number("dutyCycle", dutyCycle, 1.0));
        network.SetContention(isContending);
        network.FitTo(settings);
        settings.topology == "star"
            ? network.PlaceAroundGateway(nodes, Number("distance", distance, 1000.0))
            : network.PlaceOnGrid(nodes, Number("distance", distance, 1000.0));
        network.Install(nodes);
    }
};

void
AddOptions(ns3::DpdlScenario& scenario, Sensors& sensors)
{
    const std::string share = "a number above 0 and up to 1";
    scenario.AddText("layout", "how nodes are connected", "gateway, mesh", sensors.layout);
    scenario.AddText("dutyCycle", "time that radios are awake", share, sensors.dutyCycle);
    scenario.AddText("wakePeriod", "from waking to waking", "a time like 2s", sensors.wakePeriod);
    scenario.AddText("distance",
                     "metres to the gateway, or between neighbours of the mesh",
                     "a number above 0 and up to 1000",
                     sensors.distance);
    scenario.AddOption(
        {"contention",
         "",
         "nothing",
         "all nodes send at the same time",
         true,
         [&sensors](RunSettings&, const std::string&) { sensors.isContending = true; },
         {}});
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
    scenario.SetNetwork([&sensors](const ns3::NodeContainer& nodes, const RunSettings& settings) {
        sensors.Build(nodes, settings);
    });
    return scenario.Main(argc, argv, [&sensors](ns3::DpdlScenario& s) {
        if (sensors.layout != "gateway" && sensors.layout != "mesh")
        {
            ::dpdl::ThrowUnknownName("layout", sensors.layout, {"gateway", "mesh"});
        }
        const double reach = 1.1 * sensors.Number("distance", sensors.distance, 1000.0);
        s.Settings().topology =
            sensors.layout == "gateway" ? "star" : "mobility:" + ::dpdl::ShowNumber(reach);
        ns3::DpdlScenario::RunOnce(s);
    });
}
