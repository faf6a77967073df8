// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * Sensors with IEEE 802.15.4 radios that learn together: the whole model travels, or its first part
 * alone; through a gateway, or in a mesh. What does accuracy cost in time and energy?
 */

#include "dpdl/base/quantity.h"

#include "ns3/dpdl-campaign.h"
#include "ns3/dpdl-lr-wpan-network.h"

using ns3::DpdlCampaign;

namespace
{

/// What the user may say of the sensors.
struct Sensors
{
    std::string dutyCycle{"0.5"}; ///< share of the time that radios are awake
    std::string wakePeriod{"4s"}; ///< from one waking to the next
    std::string distance{"20"};   ///< metres to the gateway, or between neighbours of the mesh
    bool isContending{false};     ///< all send at the same time
    DpdlCampaign::Items networks; ///< how they are connected
    DpdlCampaign::Items shares;   ///< how much of the model travels

    double Number(const std::string& option, const std::string& text, double most) const
    {
        return ::dpdl::ParseNumber("option '" + option + "'",
                                   text,
                                   "a number above 0 and up to " + ::dpdl::ShowNumber(most),
                                   [most](double value) { return value > 0 && value <= most; });
    }

    void Build(const ns3::NodeContainer& nodes, const ::dpdl::RunSettings& settings) const
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

} // namespace

int
main(int argc, char* argv[])
{
    DpdlCampaign campaign("iot",
                          "what accuracy costs sensors with 802.15.4 radios in time and energy",
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
    const std::string share = "a number above 0 and up to 1";
    campaign.AddText("dutyCycle", "time that radios are awake", share, sensors.dutyCycle);
    campaign.AddText("wakePeriod", "from waking to waking", "a time like 2s", sensors.wakePeriod);
    const std::string meaning = "metres to the gateway, or between neighbours of the mesh";
    campaign.AddText("distance", meaning, "a number above 0 and up to 1000", sensors.distance);
    campaign.AddFlag("contention", "all nodes send at the same time", sensors.isContending);
    campaign.AddList({"networks", "", "how nodes are connected", {"gateway", "mesh"}, {}},
                     sensors.networks);
    campaign.AddList({"shares", "share", "how much of the model travels", {"all", "1"}, {}},
                     sensors.shares);
    campaign.SetNetwork(
        [&sensors](const ns3::NodeContainer& nodes, const ::dpdl::RunSettings& settings) {
            sensors.Build(nodes, settings);
        });
    return campaign.Main(argc, argv, [&] {
        const std::string reach =
            "mobility:" +
            ::dpdl::ShowNumber(1.1 * sensors.Number("distance", sensors.distance, 1000.0));
        for (const auto& factors :
             DpdlCampaign::Crossed({{"layout", sensors.networks}, {"share", sensors.shares}}))
        {
            const bool hasGateway = factors.front().second == "gateway";
            campaign.Add(factors, {{"topology", hasGateway ? "star" : reach}});
        }
    });
}
