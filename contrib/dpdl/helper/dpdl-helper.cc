// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-helper.h"

#include "dpdl-message-setup.h"
#include "dpdl-packet-setup.h"
#include "dpdl/base/quantity.h"
#include "dpdl/experiment/option-table.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/dpdl-application.h"
#include "ns3/dpdl-frame-counter.h"
#include "ns3/dpdl-ideal-transport.h"
#include "ns3/dpdl-radio.h"
#include "ns3/mobility-model.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/// Where ns-3 has a node, if it has a MobilityModel.
std::optional<::dpdl::Position>
PlaceOf(Ptr<Node> node)
{
    const Ptr<MobilityModel> mobility = node->GetObject<MobilityModel>();
    if (!mobility)
    {
        return std::nullopt;
    }
    const Vector place = mobility->GetPosition();
    return ::dpdl::Position{place.x, place.y, place.z};
}

} // namespace

DpdlHelper::DpdlHelper()
    : DpdlHelper(::dpdl::RunSettings())
{
}

DpdlHelper::DpdlHelper(const ::dpdl::RunSettings& settings)
    : m_settings(settings)
{
    m_factory.SetTypeId(DpdlApplication::GetTypeId());
}

void
DpdlHelper::Set(const std::string& option, const std::string& value)
{
    ::dpdl::SetOption(m_settings, option, value);
}

void
DpdlHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

void
DpdlHelper::SetFailures(const DpdlFailureHelper& failures)
{
    m_settings.fail = failures.Sentences();
    m_settings.failures = failures.Files();
}

void
DpdlHelper::SetLossModel(Ptr<DpdlLossModel> model)
{
    m_lossModel = model;
}

void
DpdlHelper::SetRanks(const DpdlRanks& ranks)
{
    // Who mixed what on other ranks is not known here. One rank does what several do.
    m_settings.measureQ = m_settings.measureQ && !ranks.IsLaunched();
    if (ranks.Part().IsWhole())
    {
        return;
    }
    m_ranks = &ranks;
    m_settings.part = ranks.Part();
    m_settings.rankLink = ranks.Link();
    if (m_settings.workers == 0)
    {
        m_settings.workers = ranks.Workers();
    }
}

void
DpdlHelper::AddFact(const std::string& name, const std::string& value)
{
    m_facts.emplace_back(name, value);
}

void
DpdlHelper::ReadAttributes()
{
    if (m_settings.IsSet("compute", &::dpdl::RunSettings::computeSeconds))
    {
        m_factory.Set("ComputeTime", TimeValue(Seconds(m_settings.computeSeconds)));
    }
    const Ptr<Object> prototype = m_factory.Create<Object>();
    RecordAttributes(*prototype);
    TimeValue computeTime;
    prototype->GetAttribute("ComputeTime", computeTime);
    m_settings.computeSeconds = computeTime.Get().GetSeconds();
    DoubleValue factor;
    prototype->GetAttribute("ClipDecay", factor);
    if (factor.Get() > 0.0)
    {
        m_settings.clipDecay = factor.Get();
    }
    prototype->GetAttribute("NoiseGrowth", factor);
    if (factor.Get() > 0.0)
    {
        m_settings.noiseGrowth = factor.Get();
    }
    StringValue engine;
    prototype->GetAttribute("Engine", engine);
    m_settings.engine = engine.Get();
}

void
DpdlHelper::RecordAttributes(const Object& object)
{
    const TypeId type = object.GetInstanceTypeId();
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const TypeId::AttributeInformation information = type.GetAttribute(i);
        StringValue value;
        object.GetAttribute(information.name, value);
        AddFact(type.GetName() + "::" + information.name, value.Get());
    }
}

void
DpdlHelper::MakeTransport(const NodeContainer& nodes)
{
    if (m_lossModel && m_settings.network != ::dpdl::NetworkKind::MESSAGE)
    {
        throw ::dpdl::UsageError("DpdlHelper::SetLossModel",
                                 m_lossModel->GetInstanceTypeId().GetName(),
                                 "a run with network=message");
    }
    if (m_settings.network == ::dpdl::NetworkKind::PACKET)
    {
        const DpdlPacketSetup setup = MakeDpdlPacketSetup(m_settings, nodes);
        m_transport = setup.transport;
        m_packets = DynamicCast<DpdlPacketTransport>(m_transport);
        m_packetNetwork = setup.network;
        RecordAttributes(*m_transport);
        AddFact("networkFidelity",
                m_packetNetwork ? "packet: point-to-point links of the run's own"
                                : "packet: stacks of the program's own");
        return;
    }
    if (m_settings.network == ::dpdl::NetworkKind::IDEAL)
    {
        m_transport = CreateObject<DpdlIdealTransport>();
        AddFact("networkFidelity", "ideal: no time, no loss");
        return;
    }
    const auto transport = MakeDpdlMessageTransport(m_settings);
    transport->SetLossModel(m_lossModel);
    m_transport = transport;
    RecordAttributes(*m_transport);
    if (m_lossModel)
    {
        m_settings.outages = ::dpdl::Outages::PASSING; // a round needs a deadline
        AddFact("lossModel", m_lossModel->GetInstanceTypeId().GetName());
        RecordAttributes(*m_lossModel);
    }
    AddFact("networkFidelity", DpdlMessageFidelity(m_settings));
}

::dpdl::RunWorld
DpdlHelper::World() const
{
    ::dpdl::RunWorld world;
    world.now = [] { return Simulator::Now().GetSeconds(); };
    const bool placed = std::all_of(m_nodes.Begin(), m_nodes.End(), [](const Ptr<Node>& node) {
        return PlaceOf(node).has_value();
    });
    if (placed)
    {
        world.position = [nodes = m_nodes](uint32_t node) { return *PlaceOf(nodes.Get(node)); };
    }
    world.isUp = [this](uint32_t node) { return !m_failures || m_failures->IsUp(node); };
    return world;
}

DpdlHelper::Locator
DpdlHelper::Positions() const
{
    return [this](uint32_t node) {
        const std::optional<::dpdl::Position> place = PlaceOf(m_nodes.Get(node));
        return place ? place : m_experiment->Graph().PositionOf(node);
    };
}

void
DpdlHelper::ResolveFeedbackDelay()
{
    TimeValue delay;
    m_factory.Create<Object>()->GetAttribute("FeedbackDelay", delay);
    if (delay.Get().IsStrictlyNegative())
    {
        const bool isIdeal = m_settings.network == ::dpdl::NetworkKind::IDEAL;
        delay = TimeValue(Seconds(isIdeal ? 0.0 : m_settings.delay));
        m_factory.Set("FeedbackDelay", delay);
    }
    AddFact("feedbackDelay", ::dpdl::ShowNumber(delay.Get().GetSeconds()) + "s");
}

ApplicationContainer
DpdlHelper::Install(const NodeContainer& nodes)
{
    NS_ABORT_MSG_IF(m_experiment, "DpdlHelper: Install can be called once");
    m_settings.nodes = nodes.GetN();
    m_nodes = nodes;
    if (m_settings.trace.empty() && m_settings.given.count("trace") == 0)
    {
        m_settings.trace = ::dpdl::TraceName("dpdl", m_settings.seed);
    }
    if (m_ranks != nullptr)
    {
        m_settings.trace = ::dpdl::RankTraceName(m_settings.trace, m_settings.part.rank);
    }
    RngSeedManager::SetSeed(m_settings.seed.seed);
    RngSeedManager::SetRun(m_settings.seed.run);
    ReadAttributes();
    MakeTransport(nodes);
    ResolveFeedbackDelay();
    MakeReliable();
    m_experiment = std::make_unique<::dpdl::Experiment>(m_settings, m_facts, World());
    const bool isTimeKnown = m_settings.network != ::dpdl::NetworkKind::PACKET || m_packetNetwork;
    if (m_reliable && isTimeKnown)
    {
        m_reliable->SetTransferTime(Seconds(m_experiment->LosslessTransferSeconds()));
    }
    if (m_packetNetwork)
    {
        m_packetNetwork->ConnectAll(m_experiment->Graph(), m_settings.rounds);
    }
    else if (m_settings.network == ::dpdl::NetworkKind::PACKET)
    {
        WarnOfOwnStacks();
    }
    MakeGateway();
    InstallApplications();
    AssignStreams(0);
    ReadRadios();
    m_failures = DpdlFailureHelper::Start(*m_experiment, m_applications, m_transport, Positions());
    return m_applications;
}

void
DpdlHelper::InstallApplications()
{
    const double deadline = m_experiment->DeadlineSeconds();
    const Time roundDeadline = std::isfinite(deadline) ? Seconds(deadline) : Time(0);
    const auto payload = std::make_shared<DpdlPayload>(
        m_settings.payloadBytes ? &m_experiment->Parameters() : nullptr);
    for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
    {
        if (!m_experiment->Owns(i))
        {
            continue;
        }
        Ptr<DpdlApplication> application = m_factory.Create<DpdlApplication>();
        SetComputeTime(application, i);
        m_nodes.Get(i)->AddApplication(application);
        application->Setup(i, m_experiment->At(i), m_transport, roundDeadline);
        application->SetPayload(payload);
        m_applications.Add(application);
    }
}

void
DpdlHelper::MakeGateway()
{
    if (m_ranks == nullptr)
    {
        return;
    }
    const auto transport = DynamicCast<DpdlMessageTransport>(m_transport);
    NS_ABORT_MSG_UNLESS(transport, "DpdlHelper: ranks need message mode");
    StringValue sharing;
    transport->GetAttribute("Sharing", sharing);
    if (sharing.Get() == "downlink")
    {
        throw ::dpdl::UsageError("attribute 'Sharing'",
                                 sharing.Get(),
                                 "none or uplink in a run on several ranks");
    }
    transport->SetGateway(
        m_ranks->MakeGateway(*m_experiment, transport->ShortestTime(::dpdl::MESSAGE_HEADER_BYTES)));
}

uint32_t
DpdlHelper::NodeOf(uint32_t application) const
{
    return m_settings.part.Begin(m_settings.nodes) + application;
}

void
DpdlHelper::MakeReliable()
{
    if (m_settings.lossPolicy != ::dpdl::LossPolicy::RELIABLE || m_settings.UsesTcp())
    {
        return;
    }
    m_reliable = CreateObject<DpdlReliableTransport>();
    m_reliable->SetTransport(m_transport);
    m_transport = m_reliable;
    RecordAttributes(*m_reliable);
}

void
DpdlHelper::ReadRadios()
{
    const Ptr<DpdlRadio> first = m_nodes.Get(0)->GetObject<DpdlRadio>();
    if (!first)
    {
        return;
    }
    RecordAttributes(*first);
    m_experiment->Recorder().SetEnergyMeter([nodes = m_nodes](uint32_t node) {
        std::vector<::dpdl::EnergyUse> uses;
        const Ptr<DpdlRadio> radio = nodes.Get(node)->GetObject<DpdlRadio>();
        for (std::size_t i = 0; radio && i < DpdlRadio::STATES; ++i)
        {
            const auto state = static_cast<DpdlRadio::State>(i);
            uses.push_back({DpdlRadio::NameOf(state),
                            radio->TimeIn(state).GetSeconds(),
                            radio->JouleIn(state)});
        }
        return uses;
    });
}

void
DpdlHelper::CountFrames()
{
    DpdlRadio::Frames all;
    bool isCounted = false;
    for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
    {
        if (const Ptr<DpdlRadio> radio = m_nodes.Get(i)->GetObject<DpdlRadio>())
        {
            isCounted = true;
            all.sent += radio->Count().sent;
            all.givenUp += radio->Count().givenUp;
            all.fragments += radio->Count().fragments;
        }
    }
    if (isCounted)
    {
        m_experiment->SetFrameTotals(all.sent, all.givenUp, all.fragments);
    }
}

void
DpdlHelper::SetComputeTime(Ptr<Application> application, uint32_t node) const
{
    const ::dpdl::ComputeModel& model = m_experiment->Compute();
    if (m_settings.compute == ::dpdl::ComputeKind::MEASURED)
    {
        DoubleValue scale;
        application->GetAttribute("MeasuredScale", scale);
        const double own = scale.Get() > 0.0 ? scale.Get() : 1.0;
        application->SetAttribute("MeasuredScale", DoubleValue(own * model.Factor(node)));
    }
    else if (m_settings.compute == ::dpdl::ComputeKind::PROFILE || m_settings.heterogeneity > 1.0)
    {
        application->SetAttribute("ComputeTime", TimeValue(Seconds(model.Seconds(node))));
    }
}

void
DpdlHelper::WarnOfOwnStacks()
{
    if (m_settings.IsSet("dataRate", &::dpdl::RunSettings::dataRate) ||
        m_settings.IsSet("delay", &::dpdl::RunSettings::delay))
    {
        m_experiment->Warn("options 'dataRate' and 'delay' have no effect: the nodes have a "
                           "network of their own");
    }
    if (!m_settings.UsesTcp() && std::isinf(m_experiment->DeadlineSeconds()))
    {
        m_experiment->Warn("a synchronous round without a deadline waits for ever for what this "
                           "network loses; option 'deadline' gives it one");
    }
}

int64_t
DpdlHelper::AssignStreams(int64_t stream)
{
    int64_t used = m_transport->AssignStreams(stream);
    for (uint32_t i = 0; i < m_applications.GetN(); ++i)
    {
        Ptr<DpdlApplication> application = DynamicCast<DpdlApplication>(m_applications.Get(i));
        used += application->AssignStreams(stream + used);
    }
    return used;
}

bool
DpdlHelper::Finish()
{
    NS_ABORT_MSG_UNLESS(m_experiment, "DpdlHelper: Finish needs a run; call Install first");
    if (m_reliable)
    {
        m_experiment->Recorder().SetRepairBytes(m_reliable->RepairBytes());
    }
    if (m_packets)
    {
        m_experiment->SetWireTotals(m_packets->BytesSent(), m_packets->CorruptPackets());
    }
    if (const auto frames = m_nodes.Get(0)->GetObject<DpdlFrameCounter>())
    {
        m_experiment->AddFrames(frames->Rows());
    }
    CountFrames();
    // Cancelled timers, sockets and whatever else the program simulates move the clock further.
    return m_experiment->Finish(EndOfRounds().GetSeconds());
}

Time
DpdlHelper::EndOfRounds() const
{
    Time end;
    for (uint32_t i = 0; i < m_applications.GetN(); ++i)
    {
        const auto application = DynamicCast<DpdlApplication>(m_applications.Get(i));
        if (!m_experiment->At(NodeOf(i)).Finished())
        {
            return Simulator::Now();
        }
        end = Max(end, application->FinishTime());
    }
    return end;
}

} // namespace ns3
