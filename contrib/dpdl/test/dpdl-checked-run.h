// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_CHECKED_RUN_H
#define DPDL_CHECKED_RUN_H

#include "dpdl-test-run.h"

#include "ns3/map-scheduler.h"
#include "ns3/object-factory.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace dpdltest
{

/// The usual scheduler, with a look at the run before each event.
class CheckingScheduler : public ns3::MapScheduler
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static ns3::TypeId GetTypeId()
    {
        static ns3::TypeId tid = ns3::TypeId("dpdltest::CheckingScheduler")
                                     .SetParent<ns3::MapScheduler>()
                                     .SetGroupName("Dpdl")
                                     .AddConstructor<CheckingScheduler>();
        return tid;
    }

    Scheduler::Event RemoveNext() override
    {
        if (s_check)
        {
            s_check();
        }
        return MapScheduler::RemoveNext();
    }

    inline static std::function<void()> s_check; //!< the look
};

/// A run that was looked at before every event.
struct CheckedRun
{
    Outcome outcome;       //!< what it leaves
    double massError{0.0}; //!< largest deviation of the ledger from the number of nodes
    uint32_t events{0};    //!< looks
};

/**
 * @brief Runs in ns-3 and looks at the mass ledger before every event and at the end.
 * @param settings of the run
 * @param prepare is called before it starts
 * @param inspect is called after its end
 * @param build gives the nodes a network
 * @return what was seen
 */
inline CheckedRun
RunChecked(const dpdl::RunOptions& settings,
           const Prepare& prepare = {},
           const std::function<void(dpdl::Experiment&)>& inspect = {},
           const std::function<void(const ns3::NodeContainer&)>& build = {})
{
    ns3::ObjectFactory factory;
    factory.SetTypeId(CheckingScheduler::GetTypeId());
    ns3::Simulator::SetScheduler(factory);
    CheckedRun run;
    const auto watch = [&](ns3::DpdlHelper& helper, ns3::ApplicationContainer applications) {
        CheckingScheduler::s_check = [&run, &helper]() {
            const double error = std::fabs(helper.Experiment().Mass().Error());
            run.massError = std::max(run.massError, error);
            ++run.events;
        };
        if (prepare)
        {
            prepare(helper, applications);
        }
    };
    const auto end = [&](dpdl::Experiment& experiment) {
        CheckingScheduler::s_check = nullptr;
        run.massError = std::max(run.massError, std::fabs(experiment.Mass().Error()));
        if (inspect)
        {
            inspect(experiment);
        }
    };
    run.outcome = RunInSimulator(settings, watch, end, build);
    return run;
}

} // namespace dpdltest

#endif // DPDL_CHECKED_RUN_H
