// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-helper.h"

#include "dpdl-battery-helper.h"
#include "dpdl-look-ahead.h"
#include "dpdl-node-state.h"
#include "dpdl-uncaught-error.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/experiment/option-table.h"
#include "dpdl/trace/trace-reader.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/dpdl-air-bytes.h"
#include "ns3/dpdl-frame-counter.h"
#include "ns3/dpdl-ideal-transport.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <limits>

// Install() resolves the options, creates the transport and the Experiment, installs one
// application per node, and starts failures and measurements.

namespace ns3
{

namespace
{

void
SetGlobalSeed(const ::dpdl::RandomSeed& seed)
{
    RngSeedManager::SetSeed(seed.seed);
    RngSeedManager::SetRun(seed.run);
}

} // namespace

::dpdl::RandomSeed
DpdlHelper::GlobalSeed()
{
    const uint64_t run = RngSeedManager::GetRun();
    if (run > std::numeric_limits<uint32_t>::max())
    {
        throw ::dpdl::UsageError("RngRun", std::to_string(run), "a whole number below 2^32");
    }
    return {RngSeedManager::GetSeed(), static_cast<uint32_t>(run)};
}

DpdlHelper::DpdlHelper()
    : DpdlHelper(::dpdl::RunOptions())
{
    m_takesGlobalSeed = true;
}

DpdlHelper::DpdlHelper(const ::dpdl::RunOptions& settings)
    : m_settings(settings)
{
    EndWithOneLineAtDpdlErrors();
    m_factory.SetTypeId(DpdlApplication::GetTypeId());
}

void
DpdlHelper::Set(const std::string& option, const std::string& value)
{
    ::dpdl::SetOption(m_settings, option, value);
}

void
DpdlHelper::AddOption(const std::string& option, CommandLine& cmd)
{
    const auto* const row = ::dpdl::LearningOptions().Find(option);
    if (row == nullptr)
    {
        throw ::dpdl::UsageError("option", option, "an option of `./dpdl run learn --help`");
    }
    cmd.AddValue(option, row->meaning, MakeBoundCallback(&DpdlHelper::TakeTyped, this, option));
}

bool
DpdlHelper::TakeTyped(DpdlHelper* helper,
                      std::string option, // NOLINT: ns-3 binds a value
                      const std::string& value)
{
    ::dpdl::RunOptions checked;
    ::dpdl::SetOption(checked, option, value);
    // Scripts may parse the command line twice: keep each option once.
    std::pair<std::string, std::string> typed(std::move(option), value);
    auto& all = helper->m_typed;
    all.erase(std::remove(all.begin(), all.end(), typed), all.end());
    all.push_back(std::move(typed));
    return true;
}

::dpdl::RunOptions
DpdlHelper::AskedOf(const NodeContainer& nodes)
{
    for (const auto& [option, value] : m_typed)
    {
        Set(option, value);
    }
    m_typed.clear();
    ::dpdl::RunOptions asked = m_settings;
    asked.nodes = nodes.GetN();
    if (m_takesGlobalSeed && asked.given.count("seed") == 0)
    {
        asked.seed.seed = GlobalSeed().seed;
    }
    if (m_takesGlobalSeed && asked.given.count("run") == 0)
    {
        asked.seed.run = GlobalSeed().run;
    }
    if (asked.trace.empty())
    {
        // All ranks of a run use one trace name.
        const bool isNumbered = !asked.overwrite && !IsOfSeveralRanks();
        asked.trace = isNumbered ? ::dpdl::FreeTraceName("dpdl", asked.seed)
                                 : ::dpdl::TraceName("dpdl", asked.seed);
    }
    if (IsOfSeveralRanks())
    {
        asked.trace = ::dpdl::RankTraceName(asked.trace, m_ranks->Part().rank);
    }
    return asked;
}

void
DpdlHelper::ReadAttributes(::dpdl::RunOptions& asked, ::dpdl::NetworkFacts& facts)
{
    if (asked.compute.has_value())
    {
        m_factory.Set("ComputeTime", TimeValue(Seconds(asked.compute->seconds)));
    }
    const Ptr<Object> prototype = m_factory.Create<Object>();
    RecordAttributes(*prototype);
    TimeValue computeTime;
    prototype->GetAttribute("ComputeTime", computeTime);
    facts.stepSeconds = computeTime.Get().GetSeconds();
    for (const auto& [attribute, name] :
         {std::pair{"ClipDecay", "clipDecay"}, {"NoiseGrowth", "muGrowth"}})
    {
        DoubleValue factor;
        prototype->GetAttribute(attribute, factor);
        ::dpdl::WriteFactor(asked, attribute, name, factor.Get());
    }
    StringValue engine;
    prototype->GetAttribute("Engine", engine);
    if (asked.given.count("engine") == 0)
    {
        asked.engine = engine.Get();
    }
}

void
DpdlHelper::ReadRanks(::dpdl::NetworkFacts& facts) const
{
    if (IsOfSeveralRanks())
    {
        facts.part = m_ranks->Part();
        facts.rankLink = m_ranks->Link();
        facts.cores = m_ranks->Workers();
    }
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
        SetMetadata(type.GetName() + "::" + information.name, value.Get());
    }
}

void
DpdlHelper::MakeTransport(const ::dpdl::RunOptions& asked, ::dpdl::NetworkFacts& facts)
{
    if (m_lossModel && asked.network != ::dpdl::NetworkKind::MESSAGE)
    {
        throw ::dpdl::UsageError("DpdlHelper::SetLossModel",
                                 m_lossModel->GetInstanceTypeId().GetName(),
                                 "a run with network=message");
    }
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
        SetDpdlAttributes(*m_transport,
                          m_attributes.ofTransport,
                          "DpdlHelper::SetTransportAttribute");
        SetMetadata("networkFidelity", "ideal: no time, no loss");
        return;
    }
    m_messages = MakeDpdlMessageTransport(asked, facts, m_attributes);
    m_messages->SetLossModel(m_lossModel);
    m_transport = m_messages;
    RecordAttributes(*m_transport);
    if (m_lossModel)
    {
        facts.losses = ::dpdl::Outages::PASSING; // a round needs a deadline
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
        return place ? place : m_experiment->Graph().PositionOf(node);
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

::dpdl::RunOptions
DpdlHelper::Prepare(const NodeContainer& nodes, ::dpdl::NetworkFacts& facts)
{
    m_nodes = nodes;
    ::dpdl::RunOptions asked = AskedOf(nodes);
    facts.watch = m_watch;
    facts.check = [this](const ::dpdl::ResolvedRun& run) { Couple(run); };
    m_globalSeed = GlobalSeed();
    SetGlobalSeed(asked.seed);
    ReadAttributes(asked, facts);
    if (const Ptr<DpdlRadio> first = m_nodes.Get(0)->GetObject<DpdlRadio>())
    {
        RecordAttributes(*first);
    }
    ReadRanks(facts);
    MakeTransport(asked, facts);
    if (std::any_of(nodes.Begin(), nodes.End(), HasDpdlBattery))
    {
        facts.losses = ::dpdl::Outages::LASTING; // a round needs a deadline
    }
    ResolveFeedbackDelay(asked, facts);
    MakeReliable(asked);
    if (!m_startJitter.IsZero())
    {
        SetMetadata("startJitter", ::dpdl::ShowNumber(m_startJitter.GetSeconds()) + "s");
    }
    for (const auto& [name, value] : m_metadata)
    {
        facts.identity += name + "=" + value + "\n";
    }
    return asked;
}

void
DpdlHelper::CheckRanks(const NodeContainer& nodes, uint32_t ranks)
{
    ::dpdl::NetworkFacts facts;
    const ::dpdl::RunOptions asked = Prepare(nodes, facts);
    facts.part = {0, ranks};
    ::dpdl::Resolve(asked, facts, World());
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
        m_packetNetwork->ConnectAll(m_experiment->Graph(), run.rounds);
    }
    else if (run.network == ::dpdl::NetworkKind::PACKET)
    {
        m_overheard = WatchDpdlMedium(m_nodes);
        WarnOfOwnStacks();
    }
    MakeGateway();
    InstallApplications();
    AssignStreams(0);
    MeterRadios();
    m_failures = DpdlFailureHelper::Start(*m_experiment, m_applications, m_transport, Positions());
    if (m_nodes.Get(0)->GetObject<DpdlRadio>())
    {
        StopAtEnd(); // radios of dpdl's networks schedule events indefinitely
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
        m_experiment->Chunks(),
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
DpdlHelper::Couple(const ::dpdl::ResolvedRun& run)
{
    if (run.part.IsWhole())
    {
        return;
    }
    NS_ABORT_MSG_UNLESS(m_messages, "DpdlHelper: ranks need message mode");
    const ::dpdl::RankCut cut = ::dpdl::CutOf(run);
    m_lookAhead = DpdlLookAhead(run, cut, *m_messages, m_reliable != nullptr, FeedbackDelay());
    m_cut = ShowCut(run, cut, m_lookAhead);
}

void
DpdlHelper::MakeGateway()
{
    if (IsOfSeveralRanks())
    {
        m_gateway = m_ranks->MakeGateway(*m_experiment, m_lookAhead, FeedbackDelay());
        m_transport->SetGateway(m_gateway);
    }
}

uint32_t
DpdlHelper::NodeOf(uint32_t application) const
{
    const ::dpdl::ResolvedRun& run = m_experiment->Settings();
    return run.part.Begin(run.nodes) + application;
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
    if (m_nodes.Get(0)->GetObject<DpdlRadio>())
    {
        m_experiment->Recorder().SetEnergyMeter(
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

int64_t
DpdlHelper::AssignStreams(int64_t stream)
{
    int64_t used = m_transport->AssignStreams(stream);
    for (const Ptr<DpdlApplication>& application : m_applications)
    {
        used += application->AssignStreams(stream + used);
    }
    return used;
}

void
DpdlHelper::PrintResult(std::ostream& out) const
{
    NS_ABORT_MSG_UNLESS(m_experiment, "DpdlHelper: PrintResult needs a run; call Install first");
    const ::dpdl::ResolvedRun& run = m_experiment->Settings();
    const std::string& path = run.resume.empty() ? run.trace : run.resume;
    const ::dpdl::TraceReader trace(path);
    const auto number = [&trace](const std::string& name, double unit) {
        const std::optional<double> value = trace.SummaryNumber(name);
        return value ? ::dpdl::ShowRounded(*value * unit, 4) : "-";
    };
    out << "accuracy " << number("accuracy_mean", 100) << " %, worst node "
        << number("accuracy_worst", 100) << " %, certified epsilon "
        << number("epsilon_certified", 1) << ", trace " << path << "\n";
    const std::string losses = m_experiment->Recorder().Deliveries().Warning();
    out << losses << (losses.empty() ? "" : "\n");
}

void
DpdlHelper::RecordNetwork(::dpdl::TraceStore& store) const
{
    if (m_packets)
    {
        store.SetSummary("socket_bytes", m_packets->BytesSent());
        store.SetSummary("packets_corrupt", m_packets->CorruptPackets());
    }
    if (const auto frames = m_nodes.Get(0)->GetObject<DpdlFrameCounter>())
    {
        for (const ::dpdl::FramesByDistance& row : frames->Rows())
        {
            store.Add(row);
        }
    }
    if (const auto bytes = m_nodes.Get(0)->GetObject<DpdlAirBytes>())
    {
        store.SetSetting("airBytesByNodes", std::to_string(bytes->byNodes));
        store.SetSetting("airBytesByStations", std::to_string(bytes->byStations));
    }
    if (m_overheard)
    {
        store.SetSetting("overheard", m_overheard());
    }
    for (const ::dpdl::Building& row : ListDpdlBuildings())
    {
        store.Add(row);
    }
    if (const auto sent = CountDpdlFrames(m_nodes))
    {
        store.SetSummary("frames_sent", sent->sent);
        store.SetSummary("frames_given_up", sent->givenUp);
        store.SetSummary("fragments_sent", sent->fragments);
    }
}

bool
DpdlHelper::Finish()
{
    NS_ABORT_MSG_UNLESS(m_experiment, "DpdlHelper: Finish needs a run; call Install first");
    if (m_gateway)
    {
        m_gateway->Leave();
    }
    if (m_reliable)
    {
        m_experiment->Recorder().SetRepairBytes(m_reliable->RepairBytes());
    }
    RecordNetwork(m_experiment->Store());
    SetGlobalSeed(m_globalSeed);
    // Other events, such as cancelled timers and sockets, may advance the clock beyond the last
    // round.
    return m_experiment->Finish(EndOfRounds().GetSeconds());
}

void
DpdlHelper::StopAtEnd()
{
    if (m_failures)
    {
        m_failures->SetEndCallback([] { Simulator::Stop(); });
    }
    for (const Ptr<DpdlApplication>& application : m_applications)
    {
        application->TraceConnectWithoutContext("RoundEnd",
                                                MakeCallback(&DpdlHelper::StopIfDone, this));
    }
}

void
DpdlHelper::StopIfDone(uint32_t, double)
{
    for (uint32_t i = 0; i < m_applications.size(); ++i)
    {
        if (!m_experiment->At(NodeOf(i)).Finished())
        {
            return;
        }
    }
    Simulator::Stop();
}

Time
DpdlHelper::EndOfRounds() const
{
    Time end;
    for (uint32_t i = 0; i < m_applications.size(); ++i)
    {
        const ::dpdl::Learner& learner = m_experiment->At(NodeOf(i));
        if (!learner.Finished() && !learner.IsDown())
        {
            return Simulator::Now();
        }
        end = Max(end, m_applications[i]->FinishTime());
    }
    return end;
}

} // namespace ns3
