// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-helper.h"

#include "dpdl-battery-helper.h"
#include "dpdl-node-state.h"
#include "dpdl-progress.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/experiment/option-table.h"
#include "dpdl/trace/trace-reader.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/dpdl-frame-counter.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <limits>
#include <set>

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
    DPDL_REFUSE_IF(run > std::numeric_limits<uint32_t>::max(),
                   "RngRun",
                   std::to_string(run),
                   "a whole number below 2^32");
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

DpdlHelper&
DpdlHelper::BeforeInstall(const std::string& call)
{
    DPDL_REFUSE_IF(m_experiment,
                   "DpdlHelper::" + call + " has no effect after Install(): call it before");
    return *this;
}

void
DpdlHelper::Set(const std::string& option, const std::string& value)
{
    ::dpdl::SetOption(BeforeInstall("Set").m_settings, option, value);
}

void
DpdlHelper::AddOption(const std::string& option, CommandLine& cmd)
{
    const auto* const row = ::dpdl::LearningOptions().Find(option);
    DPDL_REFUSE_IF(row == nullptr, "option", option, "an option of `./dpdl run learn --help`");
    cmd.AddValue(option, row->meaning, MakeBoundCallback(&DpdlHelper::TakeTyped, this, option));
}

bool
DpdlHelper::TakeTyped(DpdlHelper* helper,
                      std::string option, // NOLINT: ns-3 binds a value
                      const std::string& value)
{
    ::dpdl::RunOptions checked;
    ::dpdl::SetOption(checked, option, value);
    // A script may parse the command line twice, so equal pairs of option and value are kept once.
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
    DPDL_REFUSE_IF(asked.given.count("nodes") > 0 && asked.nodes != nodes.GetN(),
                   "option 'nodes'",
                   std::to_string(asked.nodes),
                   std::to_string(nodes.GetN()) + ", the nodes of DpdlHelper::Install");
    asked.nodes = nodes.GetN();
    if (m_takesGlobalSeed && asked.given.count("seed") == 0)
    {
        asked.seed.seed = GlobalSeed().seed;
    }
    if (m_takesGlobalSeed && asked.given.count("run") == 0)
    {
        asked.seed.run = GlobalSeed().run;
    }
    // All ranks of a run use one trace name, so the name must not depend on existing files.
    if (asked.trace.empty() && (asked.overwrite || IsOfSeveralRanks()))
    {
        asked.trace = ::dpdl::TraceName("dpdl", asked.seed);
    }
    if (IsOfSeveralRanks())
    {
        asked.trace = ::dpdl::RankTraceName(asked.trace, m_ranks->Part().rank);
    }
    return asked;
}

void
DpdlHelper::ReadAttributes(::dpdl::RunOptions& asked)
{
    if (asked.compute.has_value())
    {
        m_factory.Set("ComputeTime", TimeValue(Seconds(asked.compute->seconds)));
    }
    const Ptr<Object> prototype = m_factory.Create<Object>();
    RecordAttributes(*prototype);
    TimeValue computeTime;
    prototype->GetAttribute("ComputeTime", computeTime);
    asked.compute = asked.compute.value_or(::dpdl::StepTime());
    asked.compute->seconds = computeTime.Get().GetSeconds();
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
DpdlHelper::SetMetadata(const std::string& name, const std::string& value)
{
    DPDL_REFUSE_IF(::dpdl::LearningOptions().Find(name) != nullptr,
                   "metadata",
                   name,
                   "a name that no option of `./dpdl run learn --help` has");
    BeforeInstall("SetMetadata").m_metadata.emplace_back(name, value);
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

int64_t
DpdlHelper::AssignStreams(int64_t stream)
{
    NS_ABORT_MSG_UNLESS(m_experiment, "DpdlHelper: AssignStreams needs a run; call Install first");
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
    out << Result() << "trace: " << run.TracePath() << "\n";
    const std::string losses = m_experiment->Recorder().Deliveries().Warning();
    out << losses << (losses.empty() ? "" : "\n");
}

std::string
DpdlHelper::Result() const
try
{
    const ::dpdl::ResolvedRun& run = m_experiment->Settings();
    const ::dpdl::TraceReader trace(run.TracePath());
    const auto number = [&trace](const std::string& name, double unit, const std::string& sign) {
        const std::optional<double> value = trace.SummaryNumber(name);
        return value ? ::dpdl::ShowRounded(*value * unit, 4) + sign : "-";
    };
    const std::string diverged = number("diverged_in_round", 1, ": ");
    std::string reason;
    trace.ReadGuarantees(run.nodes, [&reason](const ::dpdl::GuaranteeByNode& row) {
        reason = reason.empty() && !row.reason.empty() ? ": " + row.reason : reason;
    });
    return (diverged == "-" ? "" : "diverged in round " + diverged) + "accuracy " +
           number("accuracy_mean", 100, " %") + ", worst node " +
           number("accuracy_worst", 100, " %") + ", on " + std::to_string(run.data->test.Size()) +
           " test examples.\nEpsilon at delta " + number("delta", 1, "") + ": claimed " +
           number("epsilon_claimed", 1, "") + ", certified " + number("epsilon_certified", 1, "") +
           reason + ".\n" + m_experiment->Recorder().Deliveries().Losses() + "\n";
}

catch (const ::dpdl::UsageError& error)
{
    // This run wrote the trace, so an unreadable trace is an error of the storage, not of the user.
    throw ::dpdl::Error(error.what());
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
    if (m_airBytes)
    {
        store.SetSetting("airBytesByDevices", std::to_string(m_airBytes()));
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
    NS_ABORT_MSG_IF(std::exchange(m_isFinished, true), "DpdlHelper: Finish can be called once");
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
    // round, so the run's end is not Simulator::Now().
    return m_experiment->Finish(EndOfRounds().GetSeconds());
}

void
DpdlHelper::StopAtEnd()
{
    if (m_failures)
    {
        m_failures->SetEndCallback([] { Simulator::Stop(); });
    }
    const auto stop = MakeCallback(&DpdlHelper::StopIfDone, this);
    for (const Ptr<DpdlApplication>& application : m_applications)
    {
        // Disconnect first, because an earlier call may have connected the callback.
        application->TraceDisconnectWithoutContext("RoundEnd", stop);
        application->TraceConnectWithoutContext("RoundEnd", stop);
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

::dpdl::RunOptions
DpdlHelper::Prepare(const NodeContainer& nodes, ::dpdl::NetworkFacts& facts)
{
    const std::set<Ptr<Node>> different(nodes.Begin(), nodes.End());
    DPDL_REFUSE_IF(different.empty() || different.size() < nodes.GetN(),
                   "DpdlHelper::Install",
                   std::to_string(nodes.GetN()) + " nodes, " + std::to_string(different.size()) +
                       " different",
                   "different nodes, at least one");
    m_nodes = nodes;
    ::dpdl::RunOptions asked = AskedOf(nodes);
    facts.watch = m_watch;
    facts.check = [this](const ::dpdl::ResolvedRun& run) { Couple(run); };
    m_globalSeed = GlobalSeed();
    SetGlobalSeed(asked.seed);
    ReadAttributes(asked);
    if (const Ptr<DpdlRadio> first = m_nodes.Get(0)->GetObject<DpdlRadio>())
    {
        RecordAttributes(*first);
    }
    ReadRanks(asked, facts);
    MakeTransport(asked, facts);
    if (std::any_of(nodes.Begin(), nodes.End(), HasDpdlBattery))
    {
        asked.outages = ::dpdl::Outages::LASTING; // gives rounds a deadline by default
    }
    ResolveFeedbackDelay(asked, facts);
    MakeReliable(asked);
    if (!m_startJitter.IsZero())
    {
        const std::string jitter = ::dpdl::ShowNumber(m_startJitter.GetSeconds()) + "s";
        ::dpdl::RequireTime("DpdlHelper::SetStartJitter", jitter, m_startJitter.GetSeconds());
        SetMetadata("startJitter", jitter);
    }
    for (const auto& [name, value] : m_metadata)
    {
        facts.identity += name + "=" + value + "\n";
    }
    return asked;
}

} // namespace ns3
