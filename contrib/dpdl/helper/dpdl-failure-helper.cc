// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-failure-helper.h"

#include "dpdl-battery-helper.h"
#include "dpdl/base/quantity.h"
#include "dpdl/experiment/run-failures.h"

#include <memory>

// Each call formats one event of the failure language. Start() adds the events of batteries and
// creates the driver.

namespace ns3
{

namespace
{

/// Formats a time for the failure language. @param time any time @return seconds and their unit
std::string
Show(Time time)
{
    return ::dpdl::ShowNumber(time.GetSeconds()) + "s";
}

/// A node with a battery.
struct Battery
{
    Ptr<DpdlRadio> radio; ///< reports loss and return of power
    uint32_t node;        ///< number in the run
    std::size_t event;    ///< index of its failure event
};

/**
 * @brief Connects radios to the energy sources of their nodes.
 * @param applications by node
 * @param[in,out] events receives the events of empty batteries
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
            const std::size_t event = events.size() + (HarvestsDpdlEnergy(node) ? 1 : 0);
            batteries.push_back({ConnectDpdlBattery(node), i, event});
        }
    }
    if (!batteries.empty())
    {
        events.push_back(DpdlBatteryFailure(false));
        events.push_back(DpdlBatteryFailure(true));
    }
    return batteries;
}

void
ReportPower(Ptr<DpdlFailureDriver> driver, uint32_t node, std::size_t event, bool isPowered)
{
    driver->Report(event, node, !isPowered);
}

} // namespace

void
DpdlFailureHelper::Add(const std::string& event)
{
    m_events.push_back(event);
}

void
DpdlFailureHelper::AddFile(const std::string& path)
{
    m_files.push_back(path);
}

void
DpdlFailureHelper::AddTimed(const std::string& event, Time at, Time duration)
{
    Add(event + " at " + Show(at) + (duration.IsZero() ? "" : " for " + Show(duration)));
}

void
DpdlFailureHelper::LinkDown(uint32_t source, uint32_t target, Time at, Time duration)
{
    LinkDown(std::to_string(source) + "->" + std::to_string(target), at, duration);
}

void
DpdlFailureHelper::LinkDown(const std::string& links, Time at, Time duration)
{
    AddTimed("link " + links + " down", at, duration);
}

void
DpdlFailureHelper::LinkLoss(const std::string& links, double probability, Time at, Time duration)
{
    AddTimed("link " + links + " loss " + ::dpdl::ShowNumber(probability), at, duration);
}

void
DpdlFailureHelper::LinkDelay(const std::string& links, Time delay, Time at, Time duration)
{
    AddTimed("link " + links + " delay " + Show(delay), at, duration);
}

void
DpdlFailureHelper::LinkRate(const std::string& links, double bitsPerSecond, Time at, Time duration)
{
    AddTimed("link " + links + " rate " + ::dpdl::ShowNumber(bitsPerSecond) + "bps", at, duration);
}

void
DpdlFailureHelper::LinkBursts(const std::string& links,
                              const ::dpdl::GilbertElliott& burst,
                              Time at,
                              Time duration)
{
    AddTimed("link " + links + " gilbert-elliott " + burst.Clauses(), at, duration);
}

void
DpdlFailureHelper::LinkFlap(const std::string& links, Time up, Time down, Time at, Time duration)
{
    AddTimed("link " + links + " flap up=" + Show(up) + " down=" + Show(down), at, duration);
}

void
DpdlFailureHelper::NodePause(const std::string& nodes, Time at, Time duration)
{
    AddTimed("node " + nodes + " pause", at, duration);
}

void
DpdlFailureHelper::NodeCrash(const std::string& nodes, Time at, Time duration, bool keepsState)
{
    const std::string how = keepsState ? " crash with state" : " crash without state";
    AddTimed("node " + nodes + how, at, duration);
}

void
DpdlFailureHelper::NodeSlow(const std::string& nodes, double factor, Time at, Time duration)
{
    AddTimed("node " + nodes + " slow " + ::dpdl::ShowNumber(factor) + "x", at, duration);
}

void
DpdlFailureHelper::NodeLies(const std::string& nodes,
                            const std::string& lie,
                            Time at,
                            Time duration)
{
    AddTimed("node " + nodes + " lies " + lie, at, duration);
}

void
DpdlFailureHelper::NodeLeaks(const std::string& nodes, Time at)
{
    AddTimed("node " + nodes + " leaks", at, Time());
}

void
DpdlFailureHelper::Partition(const std::vector<std::string>& groups, Time at, Time duration)
{
    std::string event = "partition";
    for (const std::string& group : groups)
    {
        event += " " + group;
    }
    AddTimed(event, at, duration);
}

Ptr<DpdlFailureDriver>
DpdlFailureHelper::Start(::dpdl::Experiment& experiment,
                         const std::vector<Ptr<DpdlApplication>>& installed,
                         Ptr<DpdlTransport> transport,
                         const ::dpdl::FailureState::PositionOf& positions)
{
    std::vector<Ptr<DpdlApplication>> applications(experiment.Settings().nodes);
    auto next = installed.begin();
    for (uint32_t node = 0; node < applications.size(); ++node)
    {
        applications[node] = experiment.Owns(node) ? *next++ : nullptr;
    }
    std::vector<::dpdl::FailureEvent> events = experiment.Failures();
    const std::vector<Battery> batteries = ConnectBatteries(applications, events);
    experiment.SetBatteries(batteries.size());
    if (events.empty())
    {
        return nullptr;
    }
    auto state = std::make_shared<::dpdl::FailureState>(
        events,
        experiment.Settings().nodes,
        experiment.Settings().seed,
        ::dpdl::LinksThatDraw(experiment.Failures(), experiment.Graph()));
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
            MakeBoundCallback(&ReportPower, driver, battery.node, battery.event));
    }
    return driver;
}

} // namespace ns3
