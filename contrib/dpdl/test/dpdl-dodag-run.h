// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DODAG_RUN_H
#define DPDL_DODAG_RUN_H

#include "dpdl-checked-run.h"
#include "dpdl-dodag-field.h"
#include "dpdl/experiment/option-table.h"
#include "dpdl/trace/trace-reader.h"

#include "ns3/dpdl-battery-helper.h"
#include "ns3/rng-seed-manager.h"

namespace dpdltest
{

/// A run with a root that all talk to, and messages of one or two frames.
inline dpdl::RunOptions
DodagSettings(const std::string& trace, uint32_t nodes, uint32_t rounds)
{
    dpdl::RunOptions settings = SmallRun(trace);
    settings.nodes = nodes;
    settings.rounds = rounds;
    settings.evaluateEvery = 0;
    for (const auto& [option, value] :
         std::vector<std::pair<std::string, std::string>>{{"dataset", "linear-regression"},
                                                          {"model", "linear-regression"},
                                                          {"network", "packet"},
                                                          {"transport", "udp"},
                                                          {"deadline", "none"},
                                                          {"topology", "star"}})
    {
        dpdl::SetOption(settings, option, value);
    }
    return settings;
}

/// What the run leaves without a simulator. In one some nodes are a step ahead when the last one
/// ends a round: what was known then is left out.
inline Outcome
ModelsOf(const dpdl::RunOptions& settings)
{
    Outcome outcome = RunInLockstep(settings);
    outcome.rounds.clear();
    return outcome;
}

/// One run on a field, looked at before each event.
class DodagRun
{
  public:
    DodagRun(DodagField& field, const dpdl::RunOptions& settings, bool isDodag)
        : m_field(field),
          m_settings(settings),
          m_isDodag(isDodag)
    {
    }

    /// When a node loses its power and, unless it is 0, has it back, s.
    std::map<uint32_t, std::pair<double, double>> outages;

    /// Runs it. @param inspect is called before the simulator forgets the nodes
    void Run(const std::function<void()>& inspect = {})
    {
        ns3::ObjectFactory factory;
        factory.SetTypeId(CheckingScheduler::GetTypeId());
        ns3::Simulator::SetScheduler(factory);
        ns3::RngSeedManager::SetSeed(m_settings.seed.seed);
        ns3::RngSeedManager::SetRun(m_settings.seed.run);
        m_field.Install(m_isDodag, m_settings);
        InstallPower();
        ns3::DpdlHelper helper(m_settings);
        helper.Install(m_field.Nodes()).Start(m_field.SettlingTime());
        helper.StopAtEnd();
        helper.Experiment().Recorder().SetProgressCallback([this](const dpdl::Progress& progress) {
            progress.round == progress.rounds ? ns3::Simulator::Stop() : void();
        });
        CheckingScheduler::s_check = [this, &helper]() { Check(helper); };
        ns3::Simulator::Run();
        CheckingScheduler::s_check = nullptr;
        inspect ? inspect() : void();
        isComplete = helper.Finish();
        Collect(helper.Experiment(), outcome);
        ns3::Simulator::Destroy();
    }

    /// Messages of a link that arrived, and those that were lost, sent after a time. @param from s
    std::pair<uint32_t, uint32_t> FatesOf(uint32_t source, uint32_t target, double from) const
    {
        std::pair<uint32_t, uint32_t> fates{0, 0};
        for (const auto& row : dpdl::TraceReader(m_settings.trace).Deliveries(m_settings.nodes))
        {
            const bool isMine = row.source == source && row.target == target && row.sentAt >= from;
            fates.first += isMine && row.arrivedAt ? 1 : 0;
            fates.second += isMine && row.fate == dpdl::DeliveryFate::LOST ? 1 : 0;
        }
        return fates;
    }

    Outcome outcome;        ///< what the run leaves
    bool isComplete{false}; ///< all that are up have done their rounds
    std::string fault;      ///< the first

  private:
    void InstallPower()
    {
        if (outages.empty())
        {
            return;
        }
        ns3::DpdlBatteryHelper batteries;
        batteries.SetCapacity(1e6, 0.0); // whose power fails is said below
        batteries.SetHarvest(1e-9, ns3::Time(0));
        batteries.Install(m_field.Nodes());
        for (const auto& [node, times] : outages)
        {
            const auto radio = m_field.Nodes().Get(node)->GetObject<ns3::DpdlRadio>();
            ns3::Simulator::Schedule(ns3::Seconds(times.first),
                                     &ns3::DpdlRadio::SetPowered,
                                     radio,
                                     false);
            if (times.second > 0.0)
            {
                ns3::Simulator::Schedule(ns3::Seconds(times.second),
                                         &ns3::DpdlRadio::SetPowered,
                                         radio,
                                         true);
            }
        }
    }

    void Check(ns3::DpdlHelper& helper)
    {
        const double error = std::fabs(helper.Experiment().Mass().Error());
        const bool isEndless = ns3::Simulator::Now() > ns3::Seconds(5000);
        fault = !fault.empty()                     ? fault
                : error > 1e-12 * m_settings.nodes ? "mass"
                : isEndless                        ? "does not end"
                                                   : m_field.Fault();
        isEndless ? ns3::Simulator::Stop() : void();
    }

    DodagField& m_field;         ///< where the nodes are
    dpdl::RunOptions m_settings; ///< of the run
    bool m_isDodag;              ///< or routes are fixed
};

} // namespace dpdltest

#endif // DPDL_DODAG_RUN_H
