// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-battery-helper.h"
#include "dpdl-beacon-helper.h"
#include "dpdl-helper.h"
#include "dpdl-node-state.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/experiment/run-rules.h"

#include "ns3/abort.h"
#include "ns3/dpdl-broadcast-transport.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>

// DpdlHelper's installation of applications and transports on nodes.

namespace ns3
{

void
DpdlHelper::MakeTransport(::dpdl::RunOptions& asked, ::dpdl::NetworkFacts& facts)
{
    DPDL_REFUSE_IF(m_lossModel && asked.network != ::dpdl::NetworkKind::MESSAGE,
                   "DpdlHelper::SetLossModel",
                   m_lossModel->GetInstanceTypeId().GetName(),
                   "a run with network=message");
    DPDL_REFUSE_IF(!m_attributes.ofDevices.empty() &&
                       (asked.network != ::dpdl::NetworkKind::PACKET ||
                        DpdlPacketNetwork::HaveStacks(m_nodes)),
                   "DpdlHelper::SetDeviceAttribute",
                   m_attributes.ofDevices.front().first,
                   "nodes without stacks and network=packet; others have no devices of the run");
    if (asked.network == ::dpdl::NetworkKind::PACKET)
    {
        const DpdlPacketSetup setup = MakeDpdlPacketSetup(asked, m_nodes, facts, m_attributes);
        m_packets = setup.transport;
        m_transport = m_packets;
        m_packetNetwork = setup.network;
        RecordAttributes(*m_transport);
        SetMetadata("networkFidelity",
                    m_packetNetwork ? "packet: point-to-point links of the run's own"
                                    : "packet: stacks of the program's own");
        return;
    }
    if (asked.network == ::dpdl::NetworkKind::IDEAL)
    {
        m_transport = CreateObject<DpdlIdealTransport>();
        SetDpdlAttributes(*m_transport, m_attributes.ofTransport, ASKED_TRANSPORT);
        SetMetadata("networkFidelity", "ideal: no time, no loss");
        return;
    }
    m_messages = MakeDpdlMessageTransport(asked, facts, m_attributes);
    m_messages->SetLossModel(m_lossModel);
    m_transport = m_messages;
    RecordAttributes(*m_transport);
    if (m_lossModel)
    {
        // A loss model counts as a temporary outage, which gives rounds a deadline by default.
        asked.outages = std::max(asked.outages, ::dpdl::Outages::PASSING);
        SetMetadata("lossModel", m_lossModel->GetInstanceTypeId().GetName());
        RecordAttributes(*m_lossModel);
    }
    SetMetadata("networkFidelity", DpdlMessageFidelity(facts));
}

::dpdl::RunWorld
DpdlHelper::World() const
{
    ::dpdl::RunWorld world;
    world.now = [] { return Simulator::Now().GetSeconds(); };
    const bool placed = std::all_of(m_nodes.Begin(), m_nodes.End(), [](const Ptr<Node>& node) {
        return DpdlPlaceOf(node).has_value();
    });
    if (placed)
    {
        world.position = [nodes = m_nodes](uint32_t node) { return *DpdlPlaceOf(nodes.Get(node)); };
    }
    world.isUp = [this](uint32_t node) { return !m_failures || m_failures->IsUp(node); };
    world.agree = [this](uint32_t round, const ::dpdl::EdgeMaker& make) {
        return m_gateway ? m_gateway->EdgesOf(round, make) : make();
    };
    return world;
}

DpdlHelper::Locator
DpdlHelper::Positions() const
{
    return [this](uint32_t node) {
        const std::optional<::dpdl::Position> place = DpdlPlaceOf(m_nodes.Get(node));
        return place ? place : m_experiment->Settings().graph->PositionOf(node);
    };
}

void
DpdlHelper::ResolveFeedbackDelay(const ::dpdl::RunOptions& asked, const ::dpdl::NetworkFacts& facts)
{
    TimeValue delay(FeedbackDelay());
    if (delay.Get().IsStrictlyNegative())
    {
        const bool isIdeal = asked.network == ::dpdl::NetworkKind::IDEAL;
        delay = TimeValue(Seconds(isIdeal ? 0.0 : facts.link->delay));
        m_factory.Set("FeedbackDelay", delay);
    }
    SetMetadata("feedbackDelay", ::dpdl::ShowNumber(delay.Get().GetSeconds()) + "s");
}

ApplicationContainer
DpdlHelper::Install(const NodeContainer& nodes)
{
    NS_ABORT_MSG_IF(m_experiment, "DpdlHelper: Install can be called once");
    ::dpdl::NetworkFacts facts;
    const ::dpdl::RunOptions asked = Prepare(nodes, facts);
    m_experiment = std::make_unique<::dpdl::Experiment>(asked, m_metadata, World(), facts);
    const ::dpdl::ResolvedRun& run = m_experiment->Settings();
    const bool isTimeKnown = run.network != ::dpdl::NetworkKind::PACKET || m_packetNetwork;
    if (m_reliable && isTimeKnown)
    {
        m_reliable->SetTransferTime(Seconds(m_experiment->LosslessTransferSeconds()));
    }
    if (m_packetNetwork)
    {
        m_packetNetwork->ConnectAll(*run.graph, run.rounds);
    }
    else if (run.network == ::dpdl::NetworkKind::PACKET)
    {
        m_airBytes = CountDpdlAirBytes(m_nodes);
        m_overheard = WatchDpdlMedium(m_nodes);
        WarnOfOwnStacks();
    }
    MakeGateway();
    if (::dpdl::EmptiesQueues(run))
    {
        m_messages->EmptyQueues();
    }
    InstallApplications();
    AssignStreams(0);
    MeterRadios();
    m_failures = DpdlFailureHelper::Start(*m_experiment, m_applications, m_transport, Positions());
    const bool mayLose = run.link->drop > 0.0 || !run.fail.empty() || !run.failures.empty();
    if (m_packets && run.topology == DpdlBeaconHelper::TOPOLOGY && mayLose)
    {
        m_packets->FindAllPaths(); // beacons are sent before the first message, and may be lost
    }
    if (m_nodes.Get(0)->GetObject<DpdlRadio>())
    {
        StopAtEnd(); // radios of DpdlLrWpanNetwork schedule events indefinitely
    }
    ApplicationContainer installed;
    for (const Ptr<DpdlApplication>& application : m_applications)
    {
        installed.Add(application);
    }
    return installed;
}

void
DpdlHelper::InstallApplications()
{
    const double deadline = m_experiment->DeadlineSeconds();
    const Time roundDeadline = std::isfinite(deadline) ? Seconds(deadline) : Time(0);
    const auto payload = std::make_shared<DpdlPayload>(
        m_experiment->Settings().chunks,
        m_experiment->Settings().compression,
        m_experiment->Settings().payloadBytes ? &m_experiment->Parameters() : nullptr);
    for (uint32_t i = 0; i < m_experiment->Settings().nodes; ++i)
    {
        if (!m_experiment->Owns(i))
        {
            continue;
        }
        Ptr<DpdlApplication> application = m_factory.Create<DpdlApplication>();
        SetDpdlStepTime(application, m_experiment->Settings(), i);
        m_nodes.Get(i)->AddApplication(application);
        application->Setup(i, m_experiment->At(i), m_transport, roundDeadline);
        application->SetPayload(payload);
        application->SetStartJitter(m_startJitter);
        m_applications.push_back(application);
    }
}

Time
DpdlHelper::FeedbackDelay() const
{
    TimeValue feedback;
    m_factory.Create<Object>()->GetAttribute("FeedbackDelay", feedback);
    return feedback.Get();
}

void
DpdlHelper::MakeReliable(const ::dpdl::RunOptions& asked)
{
    if (asked.lossPolicy != ::dpdl::LossPolicy::RELIABLE || UsesTcp(asked))
    {
        return;
    }
    m_reliable = CreateObject<DpdlReliableTransport>();
    m_reliable->SetTransport(m_transport);
    m_transport = m_reliable;
    RecordAttributes(*m_reliable);
}

void
DpdlHelper::MeterRadios()
{
    if (std::any_of(m_nodes.Begin(), m_nodes.End(), [](const Ptr<Node>& node) {
            return HasDpdlBattery(node) || node->GetObject<DpdlRadio>();
        }))
    {
        m_experiment->Recorder().Energies().SetMeter(
            [nodes = m_nodes](uint32_t node) { return DpdlEnergyOf(nodes.Get(node)); });
    }
}

void
DpdlHelper::WarnOfOwnStacks()
{
    if (m_settings.dataRate.has_value() || m_settings.delay.has_value())
    {
        m_experiment->Warn("options 'dataRate' and 'delay' have no effect: the nodes have "
                           "their own network");
    }
    if (!UsesTcp(m_experiment->Settings()) && std::isinf(m_experiment->DeadlineSeconds()))
    {
        m_experiment->Warn(
            "a synchronous round without a deadline waits indefinitely for what this "
            "network loses; option 'deadline' gives it one");
    }
}

} // namespace ns3
