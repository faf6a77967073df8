// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-scenario.h"

#include "dpdl-helper.h"
#include "dpdl-progress.h"
#include "dpdl/base/errors.h"
#include "dpdl/experiment/make-run-origin.h"
#include "dpdl/experiment/run-failures.h"
#include "dpdl/experiment/run-need.h"
#include "dpdl/topology/contact-file.h"

#include "ns3/global-value.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator-impl.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <unistd.h>

// Parses the command line into RunOptions, runs the body under error and interrupt handling, and
// reports one exit status on all ranks.

namespace ns3
{

namespace
{

constexpr int STATUS_FAILED = 1;
constexpr int STATUS_USAGE = 2;
constexpr int STATUS_INTERRUPTED = 130;

volatile std::sig_atomic_t g_interrupted = 0;

/// 1: the run is prepared, which may take minutes, and has written nothing, so a signal ends the
/// program at once. 0: a signal only sets g_interrupted.
volatile std::sig_atomic_t g_isPreparing = 1;

std::string g_lastLine; //!< line printed when a signal ends the program at once

extern "C" void
HandleInterrupt(int)
{
    if (g_isPreparing != 0)
    {
        [[maybe_unused]] const ssize_t written =
            write(STDERR_FILENO, g_lastLine.data(), g_lastLine.size());
        _exit(STATUS_INTERRUPTED);
    }
    g_interrupted = 1;
}

/// Thrown to end a scenario after its error has been reported.
struct Ended
{
    int status; //!< exit status of the program
};

} // namespace

DpdlScenario::DpdlScenario(const std::string& name,
                           const std::string& summary,
                           const NamedValues& defaults)
    : m_name(name),
      m_summary(summary)
{
    for (const auto& [option, value] : defaults)
    {
        ::dpdl::SetOption(m_settings, option, value);
    }
    m_settings.given.clear(); // the values of @p defaults count as defaults, not as given options
}

void
DpdlScenario::AddQuiet()
{
    AddOption("quiet", ::dpdl::Flag(), m_isQuiet, "print only the name of the trace").show = {};
}

int
DpdlScenario::Main(int argc, char* argv[], const std::function<void(DpdlScenario&)>& body)
{
    if (!body)
    {
        AddQuiet();
    }
    const int status = StatusOf([this, argc, argv, &body]() mutable {
        m_ranks = std::make_unique<DpdlRanks>(argc, argv);
        m_speaks = m_ranks->IsFirst();
        if (ReadCommandLine(argc, argv))
        {
            g_lastLine = m_speaks ? m_name + ": interrupted before the run began\n" : "";
            std::signal(SIGINT, HandleInterrupt);
            std::signal(SIGTERM, HandleInterrupt);
            // Ignore SIGXFSZ: a write beyond the file size limit then fails, and is reported like a
            // full disk.
            std::signal(SIGXFSZ, SIG_IGN);
            body ? body(*this) : RunOnce(*this);
        }
    });
    // From here on a signal must not print g_lastLine, which is destroyed at the program's end. A
    // signal now only sets g_interrupted.
    g_isPreparing = 0;
    if (HasOtherRanks() && (m_isAhead || status == STATUS_INTERRUPTED))
    {
        // The other ranks may wait for messages of this rank, so end all ranks.
        m_ranks->Abort(status);
    }
    if (!m_orphan.empty())
    {
        // Remove the file before a rank ends: mpirun kills the other ranks when one fails.
        std::remove(m_orphan.c_str());
    }
    m_ranks.reset();
    return status;
}

void
DpdlScenario::Agree(bool failed)
{
    if (!HasOtherRanks())
    {
        return;
    }
    const uint32_t ranks = m_ranks->Part().ranks;
    const uint32_t first = m_ranks->FirstFailure(failed);
    m_isAhead = false;
    // The first failed rank prints messages; without a failure, first == ranks, and rank 0 does.
    m_speaks = first % ranks == m_ranks->Part().rank;
    if (!failed && first < ranks)
    {
        throw Ended{STATUS_FAILED};
    }
}

int
DpdlScenario::StatusOf(const std::function<void()>& body) const
{
    try
    {
        body();
        ::dpdl::CheckOutput();
        return 0;
    }
    catch (const ::dpdl::UsageError& error)
    {
        Tell(error.what());
        return STATUS_USAGE;
    }
    catch (const Ended& ended)
    {
        return ended.status;
    }
    catch (const std::exception& error)
    {
        Tell(::dpdl::LineOf(error));
        return STATUS_FAILED;
    }
}

void
DpdlScenario::Tell(const std::string& line) const
{
    if (m_speaks && !line.empty())
    {
        std::cerr << m_name << ": " << ::dpdl::Excerpt(line, ::dpdl::LONGEST_MESSAGE) << std::endl;
    }
}

void
DpdlScenario::TellAll(const std::vector<std::string>& lines) const
{
    for (const std::string& line : lines)
    {
        Tell(line);
    }
}

void
DpdlScenario::RunOnce(DpdlScenario& scenario)
{
    ::dpdl::RunOptions settings = scenario.m_settings;
    // All ranks must use the same name, so it may not depend on existing files.
    if (settings.trace.empty() && (settings.overwrite || scenario.HasOtherRanks()))
    {
        settings.trace = ::dpdl::TraceName(scenario.m_name, settings.seed);
    }
    if (scenario.m_checkedRanks > 0)
    {
        scenario.CheckRanks(settings);
        return;
    }
    if (!scenario.HasOtherRanks())
    {
        settings.origin = ::dpdl::OriginOf(scenario.m_name, settings.trace, scenario.m_words);
    }
    scenario.Run(settings, settings.algorithm);
}

void
DpdlScenario::CheckRanks(const ::dpdl::RunOptions& settings) const
{
    ::dpdl::CheckNeed(settings, settings.trace, m_checkedRanks, m_checkedRanks);
    NodeContainer nodes(static_cast<uint32_t>(settings.nodes));
    DpdlHelper(settings).CheckRanks(nodes, m_checkedRanks);
}

void
DpdlScenario::Run(const ::dpdl::RunOptions& settings,
                  const std::string& title,
                  const std::function<void(::dpdl::Experiment&)>& watch)
{
    DPDL_REFUSE_IF((watch || m_network) && HasOtherRanks(),
                   "number of ranks",
                   std::to_string(m_ranks->Part().ranks),
                   "1 for a program that makes several runs or has its own network");
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
    DpdlHelper helper(settings);
    for (const auto& [name, value] : ::dpdl::BuildFacts())
    {
        helper.SetMetadata(name, value);
    }
    for (const auto& option : m_own.Options())
    {
        if (option.show)
        {
            helper.SetMetadata(option.name, option.show(settings));
        }
    }
    for (const auto& [name, value] : m_metadata)
    {
        helper.SetMetadata(name, value);
    }
    helper.SetMetadata("ns-3", DPDL_NS3_VERSION);
    helper.SetMetadata("commandLine", m_commandLine);
    std::optional<DpdlSetupProgress> preparing;
    if (settings.progress && m_speaks && !watch)
    {
        preparing.emplace([this](const std::string& line) { Tell(line); });
    }
    std::cout << std::flush;
    g_isPreparing = 1;
    helper.SetSetupCallback([&](const std::string& part) {
        g_isPreparing = part == "the trace" ? 0 : 1;
        if (preparing)
        {
            preparing->Begin(part);
        }
    });
    Install(helper, settings);
    // The simulation must be stopped after the last round if the network may schedule events
    // indefinitely, or if the realtime simulator waits for events.
    const bool isEndless =
        m_network || Simulator::GetImplementation()->GetInstanceTypeId().GetName() ==
                         "ns3::RealtimeSimulatorImpl";
    if (isEndless)
    {
        helper.StopAtEnd();
    }
    preparing.reset();
    if (settings.progress && !helper.Cut().empty())
    {
        Tell(helper.Cut());
    }
    if (watch)
    {
        watch(helper.Experiment());
    }
    else
    {
        TellAll(m_warnings);
        TellAll(helper.Experiment().Warnings());
    }
    DpdlProgress bar(title);
    helper.Experiment().Recorder().SetProgressCallback(
        [this, &bar, &settings, isEndless](const ::dpdl::Progress& progress) {
            if (!progress.warnings.empty())
            {
                bar.End();
                TellAll(progress.warnings);
            }
            // The result of the last round is known only after Finish(), which follows the
            // simulation.
            if (settings.progress && m_speaks && progress.round < progress.rounds)
            {
                bar.Show(progress);
            }
            if (g_interrupted != 0 || (isEndless && progress.round == progress.rounds))
            {
                Simulator::Stop();
            }
        });
    m_isAhead = true;
    Simulator::Run();
    ::dpdl::RunRecorder& recorder = helper.Experiment().Recorder();
    const std::string reason = helper.Experiment().StallReason();
    const std::string losses = recorder.Deliveries().Warning();
    const bool isComplete = helper.Finish();
    if (isComplete && settings.progress && m_speaks)
    {
        bar.Show(recorder.LastProgress());
    }
    bar.End();
    TellAll(recorder.TakeWarnings());
    const double end = helper.EndOfRounds().GetSeconds();
    Simulator::Destroy();
    Agree(g_interrupted != 0);
    if (g_interrupted != 0)
    {
        Tell("interrupted; the trace is valid and says incomplete");
        throw Ended{STATUS_INTERRUPTED};
    }
    if (!watch)
    {
        const ::dpdl::ResolvedRun& run = helper.Experiment().Settings();
        std::vector<std::string> warnings = ::dpdl::WarnOfLateFailures(run.failureEvents, end);
        for (const auto& times : {m_times, ::dpdl::ContactTimes(*run.graph)})
        {
            warnings.push_back(times ? ::dpdl::WarnOfTimes(*times, end) : "");
        }
        TellAll(warnings);
        if (!losses.empty() && reason.empty() && !HasOtherRanks())
        {
            Tell(losses);
        }
        if (isComplete && !HasOtherRanks() && !m_isQuiet)
        {
            std::cout << "result: " << helper.Result();
        }
        std::cout << "trace: " << run.TracePath() << std::endl;
    }
    Agree(!reason.empty());
    if (!reason.empty())
    {
        throw ::dpdl::Error("the run cannot go on and is incomplete: " + reason);
    }
}

void
DpdlScenario::Install(DpdlHelper& helper, const ::dpdl::RunOptions& settings)
{
    const auto count = static_cast<uint32_t>(settings.nodes);
    if (!HasOtherRanks())
    {
        ::dpdl::CheckNeed(settings, settings.trace);
        if (m_ranks)
        {
            helper.SetRanks(*m_ranks);
        }
        NodeContainer nodes(count);
        if (m_network)
        {
            RngSeedManager::SetSeed(settings.seed.seed);
            RngSeedManager::SetRun(settings.seed.run);
            m_network(nodes, settings);
        }
        helper.Install(nodes);
        return;
    }
    std::exception_ptr failure;
    const uint32_t here = m_ranks->Here();
    try
    {
        ::dpdl::CheckNeed(settings, settings.trace, m_ranks->Part().ranks, here);
        helper.SetRanks(*m_ranks);
        helper.Install(m_ranks->CreateNodes(count));
    }
    catch (const std::exception&)
    {
        failure = std::current_exception();
    }
    m_orphan = failure ? "" : helper.Experiment().Settings().trace;
    Agree(failure != nullptr);
    if (failure)
    {
        std::rethrow_exception(failure);
    }
    m_orphan.clear();
}

} // namespace ns3
