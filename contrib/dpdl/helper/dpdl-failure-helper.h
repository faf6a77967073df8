// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_FAILURE_HELPER_H
#define DPDL_FAILURE_HELPER_H

#include "dpdl/experiment/experiment.h"

#include "ns3/dpdl-failure-driver.h"
#include "ns3/nstime.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Says what goes wrong in a network, in events of the failure language or by calls.
 *
 * @code
 * DpdlFailureHelper failures;
 * failures.Add("link 3->4 down at 10s for 5s");
 * failures.NodeCrash("5", Seconds(20), Seconds(20));
 * dpdl.SetFailures(failures);
 * @endcode
 *
 * A call builds the event of the same meaning (doc/failures.md). Sets of nodes and links are
 * texts as in the language: `5`, `{0-3,7}`, `*`, `3->4`, `{0-2}->*`. Where a duration may be left
 * out, the failure then lasts to the end. Mistakes are found when the run is built.
 */
class DpdlFailureHelper
{
  public:
    /**
     * @brief Adds an event.
     * @param event of the failure language
     */
    void Add(const std::string& event);

    /**
     * @brief Adds a file of events.
     * @param path of the file
     */
    void AddFile(const std::string& path);

    /// @name Calls that add an event; a duration of 0 means to the end.
    /// @{
    /// A link is down: two numbers of nodes in the run.
    void LinkDown(uint32_t source, uint32_t target, Time at, Time duration = Time());
    /// Links, as an event names them, are down.
    void LinkDown(const std::string& links, Time at, Time duration = Time());
    /// Links lose messages with a probability in [0, 1].
    void LinkLoss(const std::string& links, double probability, Time at, Time duration = Time());
    /// Links have this latency.
    void LinkDelay(const std::string& links, Time delay, Time at, Time duration = Time());
    /// Links have this rate, > 0.
    void LinkRate(const std::string& links, double bitsPerSecond, Time at, Time duration = Time());
    /// Links lose messages in bursts.
    void LinkBursts(const std::string& links,
                    const ::dpdl::GilbertElliott& burst,
                    Time at,
                    Time duration = Time());
    /// Links are up for a while, then down for a while, and so on.
    void LinkFlap(const std::string& links, Time up, Time down, Time at, Time duration = Time());
    /// Nodes neither compute nor send.
    void NodePause(const std::string& nodes, Time at, Time duration = Time());
    /// Nodes are gone; with @p keepsState their model survives.
    void NodeCrash(const std::string& nodes,
                   Time at,
                   Time duration = Time(),
                   bool keepsState = false);
    /// Local steps take @p factor times as long.
    void NodeSlow(const std::string& nodes, double factor, Time at, Time duration = Time());
    /// Nodes lie: @p lie is a name, for noise with its clause, such as `noise scale=0.1`.
    void NodeLies(const std::string& nodes,
                  const std::string& lie,
                  Time at,
                  Time duration = Time());
    /// The secrets that nodes share are known, of all rounds; only of algorithms that have some.
    void NodeLeaks(const std::string& nodes, Time at);
    /// Links between different groups are down.
    void Partition(const std::vector<std::string>& groups, Time at, Time duration = Time());

    /// @}

    /// The events, in the order in which they were added.
    const std::vector<std::string>& Events() const
    {
        return m_events;
    }

    /// The files, in the order in which they were added.
    const std::vector<std::string>& Files() const
    {
        return m_files;
    }

    /**
     * @brief Starts the failures of a run; done by DpdlHelper.
     * @param experiment the run
     * @param installed the applications of the nodes that this rank simulates, by node
     * @param transport its transport
     * @param positions gives the nodes' positions, as long as the run goes on
     * @return what makes them happen; empty if nothing fails
     */
    static Ptr<DpdlFailureDriver> Start(::dpdl::Experiment& experiment,
                                        const std::vector<Ptr<DpdlApplication>>& installed,
                                        Ptr<DpdlTransport> transport,
                                        const ::dpdl::FailureState::PositionOf& positions);

  private:
    void AddTimed(const std::string& event, Time at, Time duration);

    std::vector<std::string> m_events; //!< see Events()
    std::vector<std::string> m_files;  //!< see Files()
};

} // namespace ns3

#endif // DPDL_FAILURE_HELPER_H
