// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * One run of sensors with IEEE 802.15.4 radios that learn together, in one of five layouts:
 *
 * - gateway: all sensors reach the gateway directly
 * - tree, grid, dodag: messages to the gateway travel along a tree
 * - mesh: sensors exchange models with their neighbours, without a gateway
 *
 * Study `iot` compares the layouts.
 *
 * Adds the options of layout, duty cycle and batteries, derives the topology from the layout, and
 * builds the network with DpdlLrWpanNetwork.
 */

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/experiment/run-failures.h"

#include "ns3/config.h"
#include "ns3/dpdl-battery-helper.h"
#include "ns3/dpdl-lr-wpan-network.h"
#include "ns3/dpdl-scenario.h"
#include "ns3/node-container.h"

#include <cstdint>
#include <optional>
#include <string>

namespace
{

/// Parser and formatter of an option whose value is a number in (0, @p most].
dpdl::Codec<double>
UpTo(double most)
{
    return dpdl::Number("a number above 0 and up to " + dpdl::ShowNumber(most),
                        [most](double value) { return value > 0 && value <= most; });
}

/// Parser and formatter of an option whose value is a time with a unit, in s. @param example an
/// accepted value, for error messages
dpdl::Codec<double>
TimeLike(const std::string& example)
{
    return dpdl::Quantity("a time like " + example, dpdl::ParseSeconds, "s");
}

/// Throws dpdl::UsageError if the options set a drop probability or failures of links, neither of
/// which can be applied to links of several hops.
void
RefuseLinkFailures(const dpdl::RunOptions& settings)
{
    DPDL_REFUSE_IF(settings.drop.value_or(0.0) > 0.0,
                   "option 'drop'",
                   dpdl::ShowNumber(*settings.drop),
                   "0 where links have several hops");
    for (const dpdl::FailureEvent& event : dpdl::ReadFailures(settings))
    {
        DPDL_REFUSE_IF(!event.IsOfNodes(),
                       event.place + ": the event",
                       event.text,
                       "failures of nodes where links have several hops");
    }
}

} // namespace

/// Options and network of the sensors of scenario iot.
class Sensors
{
  public:
    /// Adds the options of scenario iot, so this object must outlive the scenario's Main(). @param
    /// scenario receives the options
    explicit Sensors(ns3::DpdlScenario& scenario);

    /// Sets topology and transport by the layout, and warns of idle options. @throws
    /// dpdl::UsageError if options conflict
    void Apply(ns3::DpdlScenario& scenario) const;

    /// Sets the positions of the nodes, and installs radios, IP stacks and batteries. @throws
    /// dpdl::UsageError if the nodes or slots do not fit the layout
    void Build(const ns3::NodeContainer& nodes, const dpdl::RunOptions& settings) const;

  private:
    void AddPower(ns3::DpdlScenario& scenario);

    /// True if links may have several hops.
    bool HasHops() const
    {
        return m_layout == "tree" || m_layout == "grid" || m_layout == "dodag";
    }

    void ApplyHops(dpdl::RunOptions& settings) const;
    void Place(ns3::DpdlLrWpanNetwork& network, const ns3::NodeContainer& nodes) const;
    void InstallBatteries(const ns3::NodeContainer& nodes) const;

    /// Positions and routes of the nodes: gateway, mesh, tree, grid or dodag.
    std::string m_layout{"gateway"};
    std::uint64_t m_hops{2}; ///< layout tree: number of hops from the gateway to the farthest nodes
    double m_dutyCycle{0.5}; ///< fraction of the time for which radios are awake
    double m_wakePeriod{4.0}; ///< time from one wake-up of the radios to the next, s
    /// Distance of sensors to the gateway or, in other layouts, between neighbours, m.
    double m_distance{20.0};
    bool m_isContending{false};      ///< true: radios contend by CSMA, without slots
    std::optional<double> m_battery; ///< capacity of a battery, J; empty: power never fails
    /// Maximum relative deviation of a battery's capacity from m_battery, in [0, 1).
    double m_batterySpread{0.1};
    double m_harvest{0.0}; ///< power that charges each battery by day, W
    /// Duration of each day and of each night, s; empty: always day.
    std::optional<double> m_daylight;
};

Sensors::Sensors(ns3::DpdlScenario& scenario)
{
    const dpdl::Choices<std::string> layouts{{"gateway", "gateway"},
                                             {"mesh", "mesh"},
                                             {"tree", "tree"},
                                             {"grid", "grid"},
                                             {"dodag", "dodag"}};
    scenario.AddOption("layout", dpdl::OneOf(layouts), m_layout, "how nodes are connected");
    scenario.AddOption("hops", dpdl::WholeNumber(1, 253), m_hops, "to a tree's farthest nodes");
    scenario.AddOption("dutyCycle", UpTo(1.0), m_dutyCycle, "time that radios are awake");
    scenario.AddOption("wakePeriod", TimeLike("2s"), m_wakePeriod, "from waking to waking");
    scenario.AddOption("distance",
                       UpTo(1000.0),
                       m_distance,
                       "metres to the gateway, or between neighbours");
    scenario.AddOption("contention",
                       dpdl::Flag(),
                       m_isContending,
                       "all nodes send at the same time");
    AddPower(scenario);
}

void
Sensors::AddPower(ns3::DpdlScenario& scenario)
{
    const auto capacity =
        dpdl::Number("joules, at least 1", [](double value) { return value >= 1.0; });
    const auto share =
        dpdl::Number("a number in [0, 1)", [](double value) { return value >= 0 && value < 1; });
    scenario.AddOption("battery",
                       dpdl::Maybe("none", capacity),
                       m_battery,
                       "what a sensor's battery holds; a gateway has none");
    scenario.AddOption("batterySpread",
                       share,
                       m_batterySpread,
                       "by how much of it batteries differ, up and down");
    scenario.AddOption("harvest",
                       dpdl::Number("watts >= 0", [](double watts) { return watts >= 0.0; }),
                       m_harvest,
                       "power that charges batteries");
    scenario.AddOption("daylight",
                       dpdl::Maybe("always", TimeLike("600s")),
                       m_daylight,
                       "how long there is that power, and then as long is not");
}

void
Sensors::Apply(ns3::DpdlScenario& scenario) const
{
    dpdl::RunOptions& settings = scenario.Settings();
    scenario.WarnOfIdle({{m_layout == "tree", {"hops"}, "layout=tree"},
                         {m_battery.has_value(), {"batterySpread"}, "battery"},
                         {m_harvest > 0.0, {"daylight"}, "harvest"}});
    DPDL_REFUSE_IF(settings.given.count("topology") > 0,
                   "option 'topology'",
                   settings.topology,
                   "nothing: --layout says who sends to whom");
    settings.topology =
        m_layout == "mesh" ? "mobility:" + dpdl::ShowNumber(1.1 * m_distance) : "star";
    DPDL_REFUSE_IF(m_harvest > 0.0 && !m_battery,
                   "option 'harvest'",
                   dpdl::ShowNumber(m_harvest),
                   "a run with option 'battery'");
    if (HasHops())
    {
        ApplyHops(settings);
        RefuseLinkFailures(settings);
    }
}

void
Sensors::ApplyHops(dpdl::RunOptions& settings) const
{
    DPDL_REFUSE_IF(m_layout == "tree" && m_hops >= settings.nodes,
                   "option 'hops'",
                   std::to_string(m_hops),
                   "fewer than the " + std::to_string(settings.nodes) + " nodes");
    if (settings.given.count("transport") == 0)
    {
        settings.transport = dpdl::TransportKind::UDP;
    }
    DPDL_REFUSE_IF(settings.transport == dpdl::TransportKind::BROADCAST,
                   "option 'transport'",
                   "broadcast",
                   "udp with --layout=" + m_layout + ", since a broadcast goes one hop");
}

void
Sensors::Build(const ns3::NodeContainer& nodes, const dpdl::RunOptions& settings) const
{
    ns3::DpdlLrWpanNetwork network;
    network.SetDutyCycle(ns3::Seconds(m_wakePeriod), m_dutyCycle);
    network.SetContention(m_isContending);
    Place(network, nodes);
    network.FitTo(settings);
    network.Install(nodes);
    InstallBatteries(nodes);
    if (m_layout == "dodag")
    {
        // Nodes start learning when their routes are known.
        const ns3::TimeValue start(network.SettlingTime());
        ns3::Config::SetDefault("ns3::Application::StartTime", start);
    }
}

void
Sensors::Place(ns3::DpdlLrWpanNetwork& network, const ns3::NodeContainer& nodes) const
{
    if (m_layout == "tree")
    {
        const auto hops = static_cast<std::uint32_t>(m_hops);
        network.SetTree(ns3::DpdlLrWpanTree::Place(nodes, hops, m_distance));
        return;
    }
    m_layout == "gateway" ? network.PlaceAroundGateway(nodes, m_distance)
                          : network.PlaceOnGrid(nodes, m_distance);
    if (HasHops())
    {
        network.SetTree(ns3::DpdlLrWpanTree::Shortest(nodes));
        network.SetDodag(m_layout == "dodag");
    }
}

void
Sensors::InstallBatteries(const ns3::NodeContainer& nodes) const
{
    if (!m_battery)
    {
        return;
    }
    ns3::NodeContainer sensors;
    for (std::uint32_t i = m_layout == "mesh" ? 0 : 1; i < nodes.GetN(); ++i)
    {
        sensors.Add(nodes.Get(i));
    }
    ns3::DpdlBatteryHelper batteries;
    batteries.SetCapacity(*m_battery, m_batterySpread);
    batteries.SetHarvest(m_harvest, ns3::Seconds(m_daylight.value_or(0.0)));
    batteries.Install(sensors);
}

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
    scenario.AddQuiet();
    scenario.SetNetwork(
        [&sensors](const ns3::NodeContainer& nodes, const dpdl::RunOptions& settings) {
            sensors.Build(nodes, settings);
        });
    return scenario.Main(argc, argv, [&sensors](ns3::DpdlScenario& s) {
        sensors.Apply(s);
        ns3::DpdlScenario::RunOnce(s);
    });
}
