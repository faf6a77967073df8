// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-failure-helper.h"

#include "dpdl-battery-helper.h"
#include "dpdl/experiment/run-failures.h"

#include "ns3/energy-harvester-container.h"

#include <memory>

// Start() adds failure events of empty batteries, and creates the DpdlFailureDriver that applies
// all failures.

namespace ns3
{

namespace
{

/// Failure event of an empty battery: a crash of its node that keeps the state.
/// @param isRecharged true: the battery is recharged, so the failure may end and recur
::dpdl::FailureEvent
BatteryFailure(bool isRecharged)
{
    using Pattern = ::dpdl::FailureTiming::Pattern;
    ::dpdl::FailureEvent event;
    event.kind = ::dpdl::FailureKind::NODE_CRASH;
    event.keepsState = true;
    event.timing.pattern = isRecharged ? Pattern::FLAP : Pattern::ONCE;
    event.timing.isReported = true;
    event.text = "battery empty";
    return event;
}

/// A node with a battery, and the failure event of that battery.
struct Battery
{
    Ptr<DpdlRadio> radio; ///< reports loss and return of power
    uint32_t node;        ///< number of the node in the run
    std::size_t event;    ///< index of the failure event in the run's list of events
};

/**
 * @brief Connects the radios of all nodes with energy sources to these sources.
 * @param applications applications by node; empty for nodes of other ranks
 * @param[in,out] events receives two failure events if any node has a battery: that of batteries
 *        without and that of batteries with harvesting
 * @return the batteries of this rank's nodes
 */
std::vector<Battery>
ConnectBatteries(const std::vector<Ptr<DpdlApplication>>& applications,
                 std::vector<::dpdl::FailureEvent>& events)
{
    std::vector<Battery> batteries;
    for (uint32_t i = 0; i < applications.size(); ++i)
    {
        const Ptr<Node> node = applications[i] ? applications[i]->GetNode() : nullptr;
        if (node && HasDpdlBattery(node))
        {
            const bool isRecharged = node->GetObject<energy::EnergyHarvesterContainer>() != nullptr;
            const std::size_t event = events.size() + (isRecharged ? 1 : 0);
            batteries.push_back({ConnectDpdlBattery(node), i, event});
        }
    }
    if (!batteries.empty())
    {
        events.push_back(BatteryFailure(false));
        events.push_back(BatteryFailure(true));
    }
    return batteries;
}

} // namespace

Ptr<DpdlFailureDriver>
DpdlFailureHelper::Start(::dpdl::Experiment& experiment,
                         const std::vector<Ptr<DpdlApplication>>& installed,
                         Ptr<DpdlTransport> transport,
                         const ::dpdl::FailureState::PositionOf& positions)
{
    const ::dpdl::ResolvedRun& run = experiment.Settings();
    std::vector<Ptr<DpdlApplication>> applications(run.nodes);
    auto next = installed.begin();
    for (uint32_t node = 0; node < applications.size(); ++node)
    {
        applications[node] = experiment.Owns(node) ? *next++ : nullptr;
    }
    std::vector<::dpdl::FailureEvent> events = run.failureEvents;
    const std::vector<Battery> batteries = ConnectBatteries(applications, events);
    experiment.SetBatteries(batteries.size());
    if (events.empty())
    {
        return nullptr;
    }
    auto state = std::make_shared<::dpdl::FailureState>(
        events,
        run.nodes,
        run.seed,
        ::dpdl::LinksThatDraw(run.failureEvents, *run.graph));
    state->SetPositions(positions);
    Ptr<DpdlFailureDriver> driver = CreateObject<DpdlFailureDriver>();
    driver->Start(
        state,
        transport,
        applications,
        [&experiment](const ::dpdl::FailureChange& change) {
            experiment.Recorder().OnFailure(change);
        },
        [&experiment](uint32_t node) { return experiment.At(node).Finished(); });
    for (const Battery& battery : batteries)
    {
        battery.radio->TraceConnectWithoutContext(
            "Powered",
            Callback<void, bool>([driver, battery](bool isPowered) {
                driver->Report(battery.event, battery.node, !isPowered);
            }));
    }
    return driver;
}

} // namespace ns3
