// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "traffic.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/network/building-file.h"

#include "ns3/dpdl-vehicular-network.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

// Adds the options of movement, buildings and beacons, derives nodes and absences from the files,
// and builds the network with DpdlVehicularNetwork.

using ns3::DpdlBeaconHelper;

namespace
{

/// Folder of the included traces and buildings: in the Python wheel that contains this program or,
/// if there is none, in the source tree. It ends with a slash.
std::string
Folder()
{
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
    const auto wheel =
        program.parent_path().parent_path().parent_path() / "share/dpdl/scenarios/vehicular";
    return (std::filesystem::exists(wheel) ? wheel.string() : MOBILITY_FOLDER) + "/";
}

/// Number of included traces, numbered from 1.
constexpr std::uint32_t TRACES = 3;

const std::string BY_RUN = "run";
const std::string NO_BUILDINGS = "none";

/// Largest UDP payload of a frame, in bytes: the MTU of 1500 less the IPv4 and UDP headers.
constexpr std::uint64_t MOST_BEACON_BYTES = 1472;

/// Size of the UDP, IPv4, LLC and MAC headers and of the checksum of a frame, in bytes.
constexpr std::uint32_t BEACON_OVERHEAD = 8 + 20 + 8 + 24 + 4;

} // namespace

Traffic::Traffic(ns3::DpdlScenario& scenario)
    : m_scenario(scenario),
      m_beacons(std::make_shared<DpdlBeaconHelper>())
{
    const auto power = dpdl::Number("-20 to 33", [](double dBm) {
        return ns3::IsDpdlPower(dBm, ns3::MOST_DPDL_POWER);
    });
    const dpdl::Choices<std::string> casts{{"broadcast", "broadcast"}, {"unicast", "unicast"}};
    AddTownOptions();
    scenario.AddOption("roadsideUnits", dpdl::WholeNumber(0, 1000), m_units, "learn too, on a grid")
        .Accepts("a whole number up to 1000");
    scenario.AddOption("txPower", power, m_power, "of all radios, in dBm");
    scenario.AddOption("cast",
                       dpdl::OneOf(casts, true),
                       m_cast,
                       "one frame for all neighbours, or one for each, which acknowledges it");
    AddBeaconOptions();
    DpdlBeaconHelper::EnterTopology(m_beacons);
}

void
Traffic::AddTownOptions()
{
    const dpdl::Choices<std::string> traces{{"1", "1"}, {"2", "2"}, {"3", "3"}, {BY_RUN, BY_RUN}};
    m_scenario.AddOption("traffic",
                         dpdl::OneOf(traces, true),
                         m_traffic,
                         "which of the traces that ship; run: the next one in each run");
    m_scenario.AddOption("mobility",
                         dpdl::AnyText("the path of SUMO's FCD output or an ns-2 movement file"),
                         m_mobility,
                         "how vehicles move, in place of a trace that ships");
    m_scenario.AddOption("activity",
                         dpdl::AnyText("the path of SUMO's ns2activity-output"),
                         m_activity,
                         "when they depart and arrive; by default as an FCD file says, or always");
    m_scenario
        .AddOption("mobilityStart",
                   dpdl::Number("seconds >= 0", [](double seconds) { return seconds >= 0.0; }),
                   m_mobilityStart,
                   "time in both files when the run begins, in s")
        .Accepts("seconds from 0 to the first time of the movement file");
    m_scenario.AddOption("buildings",
                         dpdl::AnyText("none, or the path of a file of buildings"),
                         m_buildings,
                         "what shadows the radios; default: those of the town that ships, of a "
                         "custom mobility none");
}

void
Traffic::AddBeaconOptions()
{
    const auto time = dpdl::Number("seconds from 0.001 to 60", [](double seconds) {
        return seconds >= 0.001 && seconds <= 60.0;
    });
    m_scenario.AddOption("beaconPeriod",
                         time,
                         m_beaconPeriod,
                         "from beacon to beacon, in s, with topology=beacons");
    m_scenario.AddOption("beaconSize",
                         dpdl::WholeNumber(4, MOST_BEACON_BYTES),
                         m_beaconSize,
                         "bytes of a beacon, without headers");
    m_scenario.AddOption("beaconAge", time, m_beaconAge, "how long a beacon counts, in s");
    m_scenario.AddOption("beaconCount",
                         dpdl::WholeNumber(1, 1000),
                         m_beaconCount,
                         "beacons heard within beaconAge that make a vehicle a neighbour");
}

ns3::DpdlVehicleMovement
Traffic::ReadMovement() const
{
    DPDL_REFUSE_IF(!m_mobility.empty() && m_scenario.IsGiven("traffic"),
                   "option 'traffic'",
                   m_traffic,
                   "nothing with --mobility, which takes its place");
    if (!m_mobility.empty())
    {
        const ns3::DpdlVehicleMovement movement(m_mobility, m_activity, m_mobilityStart);
        m_scenario.Warn(movement.Warning());
        return movement;
    }
    const std::uint32_t run = m_scenario.Settings().seed.run;
    const std::string number =
        m_traffic == BY_RUN ? std::to_string((run + TRACES - 1) % TRACES + 1) : m_traffic;
    m_scenario.SetMetadata("trafficTrace", number);
    const std::string folder = Folder();
    return ns3::DpdlVehicleMovement(folder + "mobility-" + number + ".tcl",
                                    m_activity.empty() ? folder + "activity-" + number + ".tcl"
                                                       : m_activity,
                                    m_mobilityStart);
}

std::vector<dpdl::Building>
Traffic::ReadBuildings() const
{
    if (m_buildings == NO_BUILDINGS || (m_buildings.empty() && !m_mobility.empty()))
    {
        return {};
    }
    return dpdl::ReadBuildings(m_buildings.empty() ? Folder() + "buildings.csv" : m_buildings);
}

void
Traffic::WarnOfIdle(bool hasWifi, const std::string& needs)
{
    const std::vector<std::string> beacons{"beaconPeriod",
                                           "beaconSize",
                                           "beaconAge",
                                           "beaconCount"};
    const bool isPacket = m_scenario.Settings().network == dpdl::NetworkKind::PACKET;
    m_scenario.WarnOfIdle({{hasWifi || m_buildings == NO_BUILDINGS, {"buildings"}, needs},
                           {hasWifi, beacons, needs},
                           {!hasWifi || UsesBeacons(), beacons, "topology=beacons"},
                           {!hasWifi || isPacket, {"cast"}, "network=packet"}});
}

/// Options `cast` and `transport` set each other: broadcast is the former's name of a transport,
/// unicast stands for udp and tcp.
void
Traffic::TakeTransport(dpdl::RunOptions& settings)
{
    if (!m_scenario.IsGiven("transport"))
    {
        settings.transport =
            m_cast == "unicast" ? dpdl::TransportKind::UDP : dpdl::TransportKind::BROADCAST;
    }
    const bool isCast = settings.transport == dpdl::TransportKind::BROADCAST;
    DPDL_REFUSE_IF(isCast != (m_cast == "broadcast") && m_scenario.IsGiven("cast"),
                   "option 'cast'",
                   m_cast,
                   "what --transport says");
    m_cast = isCast ? "broadcast" : "unicast";
}

/// Throws dpdl::UsageError if there are no roadside units and the rounds, which all last until
/// their deadline, end when the last vehicle has left or later.
void
Traffic::RequireVehicles(const ns3::DpdlVehicleMovement& movement) const
{
    const dpdl::RunOptions& settings = m_scenario.Settings();
    const double round = settings.deadline.seconds;
    double last = 0.0;
    for (const dpdl::Presence& vehicle : movement.Presence())
    {
        last = std::max(last, vehicle.stop);
    }
    DPDL_REFUSE_IF(m_units == 0 && settings.deadline.kind == dpdl::Deadline::Kind::TIME &&
                       settings.rounds * round >= last &&
                       !m_scenario.IsGiven("ns3::DpdlApplication::FullRounds"),
                   "option 'rounds'",
                   std::to_string(settings.rounds),
                   "at most " + dpdl::ShowNumber(std::ceil(last / round) - 1.0) + " of " +
                       dpdl::ShowNumber(round) + "s: the last vehicle of " + movement.Times().file +
                       " leaves at " + dpdl::ShowNumber(last) + "s");
}

void
Traffic::Drive()
{
    const ns3::DpdlVehicleMovement movement = ReadMovement();
    const std::vector<dpdl::Building> buildings = ReadBuildings();
    dpdl::RunOptions& settings = m_scenario.Settings();
    if (!m_scenario.IsGiven("nodes"))
    {
        dpdl::SetOption(settings, "nodes", std::to_string(movement.Vehicles() + m_units));
    }
    movement.Require(settings.nodes);
    const bool sends = settings.algorithm != "central";
    const std::string network = "an algorithm with a network";
    m_scenario.WarnOfIdle({{sends, {"txPower", "activity", "mobilityStart"}, network}});
    WarnOfIdle(sends, network);
    if (!sends)
    {
        // Algorithm central has a single learner, so it needs no radios.
        dpdl::SetOption(settings, "network", "ideal");
        ns3::DpdlScenario::RunOnce(m_scenario);
        return;
    }
    TakeTransport(settings);
    RequireVehicles(movement);
    settings.absences = movement.Absences();
    m_scenario.SetTimes(movement.Times());
    const ns3::DpdlBeaconSettings beacons{ns3::Seconds(m_beaconPeriod),
                                          static_cast<uint32_t>(m_beaconSize),
                                          ns3::Seconds(m_beaconAge),
                                          static_cast<uint32_t>(m_beaconCount)};
    if (UsesBeacons())
    {
        const ns3::Time airtime =
            ns3::DpdlVehicularNetwork::AirtimeOf(beacons.bytes + BEACON_OVERHEAD);
        m_scenario.SetMetadata("beaconAirtime",
                               dpdl::ShowNumber(airtime.GetSeconds() / m_beaconPeriod));
    }
    m_scenario.SetNetwork([this, movement, buildings, beacons](const auto& nodes, const auto&) {
        movement.Install(nodes);
        ns3::DpdlVehicularNetwork network;
        network.SetTxPower(m_power);
        network.SetBuildings(buildings);
        network.Install(nodes);
        network.FollowPresence(movement.Presence());
        if (UsesBeacons())
        {
            m_beacons->Install(nodes, beacons);
        }
    });
    ns3::DpdlScenario::RunOnce(m_scenario);
}
