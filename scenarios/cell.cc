// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * One run of moving vehicles that learn with a server through one or three LTE cells, with each
 * other by IEEE 802.11p, or without radios. The study of the same name compares these networks,
 * also with a coverage gap and with a failing cell.
 *
 * Adds the options of radio and cells, and builds the selected network: LTE with a server, IEEE
 * 802.11p through Traffic, or none.
 */

#include "dpdl/experiment/run-failures.h"
#include "vehicular/traffic.h"

#include "ns3/config.h"
#include "ns3/dpdl-lte-network.h"
#include "ns3/dpdl-node-state.h"
#include "ns3/string.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using ns3::DpdlBeaconHelper;
using ns3::DpdlScenario;
using ns3::StringValue;
using ns3::Config::SetDefault;

namespace
{

/// Distance in metres from the server to the western edge of the vehicles' area, so large that a
/// failure circle around vehicles does not contain the server.
constexpr double FAR_AWAY = 10000.0;

} // namespace

/// Adds the options of scenario cell, and simulates its run. An object must outlive the scenario's
/// Main().
class Cells
{
  public:
    /**
     * @brief Adds the options of scenario cell.
     * @param scenario receives the options; outlives this object
     * @param traffic movement of the vehicles, and their 802.11p network; outlives this object
     */
    Cells(ns3::DpdlScenario& scenario, Traffic& traffic);

    /**
     * @brief Simulates the run with the selected radio.
     * @throws dpdl::UsageError if a file has an error or options conflict
     */
    void Run();

  private:
    void Gossip();
    void Connect();
    void RequireCells(std::size_t nodes) const;
    ns3::DpdlLteNetwork Network(const ns3::DpdlVehicleMovement& movement) const;

    ns3::DpdlScenario& m_scenario;
    Traffic& m_traffic;
    std::string m_radio{"lte"};  ///< network of the vehicles: lte, 802.11p or none
    std::uint64_t m_cells{1};    ///< number of cells
    std::uint64_t m_blocks{25};  ///< bandwidth in each direction, in resource blocks of 180 kHz
    double m_stationPower{30.0}; ///< transmission power of a station, dBm
};

Cells::Cells(DpdlScenario& scenario, Traffic& traffic)
    : m_scenario(scenario),
      m_traffic(traffic)
{
    const auto power = dpdl::Number("-20 to 60", [](double dBm) {
        return ns3::IsDpdlPower(dBm, ns3::MOST_DPDL_STATION_POWER);
    });
    const dpdl::Choices<std::string> radios{{"lte", "lte"},
                                            {"802.11p", "802.11p"},
                                            {"none", "none"}};
    const dpdl::Choices<std::uint64_t> cells{{"1", 1}, {"3", 3}};
    const dpdl::Choices<std::uint64_t> blocks{{"6", 6},
                                              {"15", 15},
                                              {"25", 25},
                                              {"50", 50},
                                              {"75", 75},
                                              {"100", 100}};
    scenario.AddOption("radio",
                       dpdl::OneOf(radios),
                       m_radio,
                       "of the vehicles; none: an ideal network, and no vehicle comes or goes");
    scenario.AddOption("cells", dpdl::OneOf(cells), m_cells, "base stations of LTE");
    scenario.AddOption("blocks",
                       dpdl::OneOf(blocks),
                       m_blocks,
                       "of 180 kHz that a station has, each way");
    scenario.AddOption("stationPower", power, m_stationPower, "of base stations, in dBm");
}

void
Cells::Run()
{
    const bool isLte = m_radio == "lte";
    const bool hasRadio = m_radio != "none";
    m_scenario.WarnOfIdle(
        {{isLte, {"cells", "blocks", "stationPower"}, "radio=lte"},
         {hasRadio, {"txPower", "activity", "mobilityStart"}, "radio=lte or 802.11p"},
         {hasRadio || !m_scenario.IsGiven("nodes"),
          {"mobility", "traffic", "roadsideUnits"},
          "radio=lte or 802.11p, or a run without option 'nodes'"},
         {hasRadio, {"cast"}, "radio=802.11p"}});
    if (m_radio != "802.11p")
    {
        m_traffic.WarnOfIdle(false, "radio=802.11p");
    }
    if (isLte)
    {
        Connect();
    }
    else if (m_radio == "802.11p")
    {
        Gossip();
    }
    else
    {
        dpdl::RunOptions& settings = m_scenario.Settings();
        DPDL_REFUSE_IF(m_scenario.IsGiven("network") &&
                           settings.network != dpdl::NetworkKind::IDEAL,
                       "options 'radio=none' and 'network': accepted is network=ideal");
        settings.network = dpdl::NetworkKind::IDEAL;
        if (!m_scenario.IsGiven("nodes"))
        {
            settings.nodes = m_traffic.ReadMovement().Vehicles() + m_traffic.Units();
        }
        DpdlScenario::RunOnce(m_scenario);
    }
}

void
Cells::Gossip()
{
    const std::vector<std::pair<std::string, std::string>> pace{
        {"ns3::DpdlUdpTransport::Burst", "2"},
        {"ns3::DpdlUdpTransport::PacingRate", "1Mbps"}};
    for (const auto& [name, value] : pace)
    {
        if (!m_scenario.IsGiven(name))
        {
            ns3::Config::SetDefault(name, ns3::StringValue(value));
        }
    }
    if (!m_scenario.IsGiven("topology"))
    {
        m_scenario.Settings().topology = DpdlBeaconHelper::TOPOLOGY;
    }
    m_traffic.Drive();
}

void
Cells::RequireCells(std::size_t nodes) const
{
    const dpdl::RunOptions& settings = m_scenario.Settings();
    DPDL_REFUSE_IF(m_scenario.IsGiven("nodes") && settings.nodes != nodes,
                   "option 'nodes'",
                   std::to_string(settings.nodes),
                   std::to_string(nodes) + ", the vehicles and units and a server");
    DPDL_REFUSE_IF(m_scenario.IsGiven("cast") ||
                       settings.transport == dpdl::TransportKind::BROADCAST,
                   "options 'cast' and 'transport=broadcast' are not accepted with radio "
                   "lte: a station sends to one vehicle at a time");
    DPDL_REFUSE_IF(settings.topology == DpdlBeaconHelper::TOPOLOGY,
                   "option 'topology'",
                   settings.topology,
                   "another one with radio lte");
}

ns3::DpdlLteNetwork
Cells::Network(const ns3::DpdlVehicleMovement& movement) const
{
    const auto [low, high] = movement.Area();
    ns3::DpdlLteNetwork network;
    network.PlaceStations({low.x, low.y, 0.0},
                          {high.x, high.y, 0.0},
                          static_cast<uint32_t>(m_cells));
    network.SetBandwidth(static_cast<uint16_t>(m_blocks));
    network.SetTxPower(m_stationPower, m_traffic.TxPower());
    network.Follow(dpdl::ReadFailures(m_scenario.Settings()));
    return network;
}

void
Cells::Connect()
{
    dpdl::RunOptions& settings = m_scenario.Settings();
    const ns3::DpdlVehicleMovement movement = m_traffic.ReadMovement();
    const std::size_t nodes = 1 + movement.Vehicles() + m_traffic.Units();
    RequireCells(nodes);
    settings.nodes = nodes;
    settings.absences = movement.Absences(1); // node 0 is the server, which is always present
    m_scenario.SetTimes(movement.Times());
    const double west = movement.Area().first.x - FAR_AWAY;
    const ns3::DpdlLteNetwork network = Network(movement);
    m_scenario.SetNetwork([movement, network, west](const ns3::NodeContainer& all, const auto&) {
        ns3::NodeContainer vehicles;
        std::for_each(all.Begin() + 1, all.End(), [&](const auto& node) { vehicles.Add(node); });
        movement.Install(vehicles);
        ns3::PlaceDpdlNode(all.Get(0), {west, 0.0, 0.0});
        network.Install(all.Get(0), vehicles);
    });
    DpdlScenario::RunOnce(m_scenario);
}

int
main(int argc, char* argv[])
{
    DpdlScenario scenario("cell",
                          "vehicles learn with a server, through cells of LTE",
                          {{"model", "softmax-regression"},
                           {"algorithm", "dp-fedavg"},
                           {"hyper", "iterations=2,server=0"},
                           {"topology", "complete"},
                           {"network", "packet"},
                           {"chunk", "1000"},
                           {"rounds", "60"},
                           {"deadline", "1500ms"},
                           {"compute", "fixed:100ms:heterogeneous=4"},
                           {"testSamples", "2000"},
                           {"evaluateEvery", "4"},
                           {"lossPolicy", "running-sum"},
                           {"accountant", "rdp"}});
    Traffic traffic(scenario);
    Cells cells(scenario, traffic);
    scenario.AddQuiet();
    ns3::DpdlLteNetwork::SetDefaults();
    SetDefault("ns3::DpdlApplication::FullRounds", StringValue("true"));
    SetDefault("ns3::DpdlUdpTransport::SilenceTimeout", StringValue("3s"));
    // WiFi queues drop packets that are older than MaxDelay, by default 0.5 s.
    SetDefault("ns3::WifiMacQueue::MaxDelay", StringValue("1500ms"));
    return scenario.Main(argc, argv, [&cells](DpdlScenario&) { cells.Run(); });
}
