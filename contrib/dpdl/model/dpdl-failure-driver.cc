// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-failure-driver.h"

#include "dpdl-type.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <utility>

// Keeps one pending event for the next change, applies the changes that are due, and checks after
// each change if the run is over.

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DpdlFailureDriver");
NS_OBJECT_ENSURE_REGISTERED(DpdlFailureDriver);

namespace
{

constexpr double LOOK_INTERVAL = 1.0; // simulated seconds between two checks of positions

/// Number of crashes in one round after which a node is given up: its steps probably take longer
/// than the time between two crashes.
constexpr uint32_t MOST_CRASHES = 1000;

/// Time after which a failure that Report() began, such as an empty battery, counts as permanent.
constexpr double LONGEST_REPORTED = 30.0 * 24 * 3600; // 30 days, in seconds

} // namespace

TypeId
DpdlFailureDriver::GetTypeId()
{
    static TypeId tid = MakeDpdlType<DpdlFailureDriver, Object>("ns3::DpdlFailureDriver");
    return tid;
}

void
DpdlFailureDriver::Start(std::shared_ptr<::dpdl::FailureState> state,
                         Ptr<DpdlTransport> transport,
                         const std::vector<Ptr<DpdlApplication>>& applications,
                         ReportCallback report,
                         DoneCallback done)
{
    NS_LOG_FUNCTION(this << applications.size());
    m_state = std::move(state);
    m_transport = transport;
    m_applications = applications;
    m_conditions.resize(applications.size());
    m_crashes.assign(applications.size(), 0);
    m_report = std::move(report);
    m_done = std::move(done);
    m_transport->SetConditions(m_state);
    for (std::size_t node = 0; node < m_applications.size(); ++node)
    {
        const Callback<void, uint32_t, double> ended([this, node](uint32_t, double) {
            m_crashes[node] = 0;
            if (m_transport->IsOver(AreNodesDone()))
            {
                m_event.Remove(); // a cancelled event would still advance the clock
            }
        });
        if (m_applications[node])
        {
            m_applications[node]->TraceConnectWithoutContext("RoundEnd", ended);
        }
    }
    m_due = std::max(m_state->NextChange(), Simulator::Now().GetSeconds());
    if (std::isfinite(m_due))
    {
        m_event =
            Simulator::Schedule(Seconds(m_due) - Simulator::Now(), &DpdlFailureDriver::Act, this);
    }
}

void
DpdlFailureDriver::Report(std::size_t event, uint32_t node, bool begins)
{
    NS_LOG_FUNCTION(this << event << node << begins);
    // Test this before the failure takes effect: if the node is the last active node, all nodes are
    // done afterwards, but the failure must be reported.
    const bool isReported = !AreNodesDone();
    PassOn(m_state->Report(event, node, begins, Simulator::Now().GetSeconds()), isReported);
    m_transport->UpdateConditions();
    m_reported[node].Remove(); // a cancelled event would still advance the clock
    if (begins && !m_state->IsGone(node))
    {
        m_reported[node] =
            Simulator::Schedule(Seconds(LONGEST_REPORTED), &DpdlFailureDriver::GiveUp, this, node);
    }
}

void
DpdlFailureDriver::GiveUp(uint32_t node)
{
    m_crashes[node] = MOST_CRASHES;
    EndIfDone();
}

void
DpdlFailureDriver::EndIfDone()
{
    if (m_end && AreNodesDone())
    {
        m_end();
    }
}

bool
DpdlFailureDriver::IsUp(uint32_t node) const
{
    return m_state->Node(node).up;
}

void
DpdlFailureDriver::DoDispose()
{
    m_event.Cancel();
    m_reported.clear();
    m_transport = nullptr;
    m_applications.clear();
    m_report = nullptr;
    m_done = nullptr;
    m_end = nullptr;
    Object::DoDispose();
}

bool
DpdlFailureDriver::AreNodesDone()
{
    while (m_done && m_firstOpen < m_applications.size() &&
           (!m_applications[m_firstOpen] || m_done(m_firstOpen) || m_state->IsGone(m_firstOpen) ||
            IsGivenUp(m_firstOpen)))
    {
        ++m_firstOpen;
    }
    return m_done && m_firstOpen == m_applications.size();
}

bool
DpdlFailureDriver::IsGivenUp(uint32_t node) const
{
    return m_crashes[node] >= MOST_CRASHES;
}

void
DpdlFailureDriver::Act()
{
    NS_LOG_FUNCTION(this << m_due);
    // Once all nodes are done, failures can affect only messages in flight, so they are not
    // reported.
    const auto& changes = m_state->AdvanceTo(m_due);
    PassOn(changes, !AreNodesDone());
    if (m_state->FollowsPositions())
    {
        const auto& moves = m_state->Follow(m_due);
        PassOn(moves, !AreNodesDone());
    }
    m_transport->UpdateConditions();
    ScheduleNext();
}

void
DpdlFailureDriver::ScheduleNext()
{
    const bool nothingElse = Simulator::IsFinished() && !m_state->AwaitsNodes();
    const double look = m_state->FollowsPositions() ? m_due + LOOK_INTERVAL : INFINITY;
    m_due = std::min(m_state->NextChange(), look);
    if (m_transport->IsOver(AreNodesDone()) || nothingElse || !std::isfinite(m_due))
    {
        return;
    }
    const Time delay = Max(Seconds(m_due) - Simulator::Now(), Time(0));
    m_event = Simulator::Schedule(delay, &DpdlFailureDriver::Act, this);
}

void
DpdlFailureDriver::PassOn(const std::vector<::dpdl::FailureChange>& changes, bool isReported)
{
    for (const ::dpdl::FailureChange& change : changes)
    {
        if (m_report && isReported)
        {
            m_report(change);
        }
    }
    for (const ::dpdl::FailureChange& change : changes)
    {
        const ::dpdl::FailureEvent& event = *change.event;
        if (change.node.has_value())
        {
            Drive(*change.node, event.keepsState);
            continue;
        }
        event.nodes.ForEach(m_applications.size(),
                            [&](uint32_t node) { Drive(node, event.keepsState); });
    }
    EndIfDone();
}

void
DpdlFailureDriver::Drive(uint32_t node, bool keepsState)
{
    if (!m_applications[node] || IsGivenUp(node))
    {
        return;
    }
    const ::dpdl::NodeCondition condition = m_state->Node(node);
    const ::dpdl::NodeCondition known = std::exchange(m_conditions[node], condition);
    DpdlApplication& application = *m_applications[node];
    if (condition.slowdown != known.slowdown)
    {
        application.SetSlowdown(condition.slowdown);
    }
    if (!(condition.lie == known.lie))
    {
        application.SetLie(condition.lie);
    }
    if (condition.paused && !known.paused)
    {
        application.Pause();
    }
    if (condition.up != known.up)
    {
        if (condition.up)
        {
            application.Recover();
        }
        else
        {
            ++m_crashes[node];
            application.Crash(keepsState);
        }
    }
    if (!condition.paused && known.paused)
    {
        application.Resume();
    }
}

} // namespace ns3
