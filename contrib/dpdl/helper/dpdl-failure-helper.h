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
 * @brief Collects the failures of a network, as events of the failure language or by calls.
 *
 * @code
 * DpdlFailureHelper failures;
 * failures.Add("link 3->4 down at 10s for 5s");
 * failures.NodeCrash("5", Seconds(20), Seconds(20));
 * dpdl.SetFailures(failures);
 * @endcode
 *
 * A call builds the equivalent event (doc/failures.md). Sets of nodes and links are strings of
 * the language: `5`, `{0-3,7}`, `*`, `3->4`, `{0-2}->*`. If an optional duration is missing, the
 * failure lasts to the end. Errors are reported when the run is built.
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

    /// @name Calls that add an event; a duration of 0 means until the end.
    /// @{
    /// A link, given by two node numbers of the run, is down.
    void LinkDown(uint32_t source, uint32_t target, Time at, Time duration = Time());
    /// A set of links is down.
    void LinkDown(const std::string& links, Time at, Time duration = Time());
    /// Links lose messages with a probability in [0, 1].
    void LinkLoss(const std::string& links, double probability, Time at, Time duration = Time());
    /// Links have latency @p delay.
    void LinkDelay(const std::string& links, Time delay, Time at, Time duration = Time());
    /// Links have this data rate, > 0.
    void LinkRate(const std::string& links, double bitsPerSecond, Time at, Time duration = Time());
    /// Links lose messages in bursts.
    void LinkBursts(const std::string& links,
                    const ::dpdl::GilbertElliott& burst,
                    Time at,
                    Time duration = Time());
    /// Links flap: they alternate between @p up without and @p down with the failure.
    void LinkFlap(const std::string& links, Time up, Time down, Time at, Time duration = Time());
    /// Nodes neither compute nor send.
    void NodePause(const std::string& nodes, Time at, Time duration = Time());
    /// Nodes crash; with @p keepsState their model survives.
    void NodeCrash(const std::string& nodes,
                   Time at,
                   Time duration = Time(),
                   bool keepsState = false);
    /// Local steps take @p factor times as long.
    void NodeSlow(const std::string& nodes, double factor, Time at, Time duration = Time());
    /// Nodes attack: @p lie is the attack's name, with a clause for noise: `noise scale=0.1`.
    void NodeLies(const std::string& nodes,
                  const std::string& lie,
                  Time at,
                  Time duration = Time());
    /// The shared secrets of nodes leak, for all rounds; for algorithms with shared secrets.
    void NodeLeaks(const std::string& nodes, Time at);
    /// Links between different groups are down.
    void Partition(const std::vector<std::string>& groups, Time at, Time duration = Time());

    /// @}

    /// Events, in the order of their addition.
    const std::vector<std::string>& Events() const
    {
        return m_events;
    }

    /// Paths of the files, in the order of their addition.
    const std::vector<std::string>& Files() const
    {
        return m_files;
    }

    /**
     * @brief Starts the failures of a run; called by DpdlHelper.
     * @param experiment the run
     * @param installed the applications of the nodes that this rank simulates, by node
     * @param transport its transport
     * @param positions gives the nodes' positions; valid during the run
     * @return the driver of the failures; empty if nothing fails
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
