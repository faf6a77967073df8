// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_FAILURE_HELPER_H
#define DPDL_FAILURE_HELPER_H

#include "dpdl/experiment/experiment.h"

#include "ns3/dpdl-failure-driver.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Collects the failures of a network, as events of the failure language (doc/failures.md).
 *
 * @code
 * DpdlFailureHelper failures;
 * failures.Add("link 3->4 down at 10s for 5s");
 * failures.Add("node 5 crash at 20s for 20s");
 * dpdl.SetFailures(failures);
 * @endcode
 *
 * DpdlHelper::Install() reports errors in the events.
 */
class DpdlFailureHelper
{
  public:
    /**
     * @brief Adds an event; DpdlHelper::Install() parses it and throws dpdl::UsageError for an
     *        error.
     * @param event text in the failure language
     */
    void Add(const std::string& event)
    {
        m_events.push_back(event);
    }

    /**
     * @brief Adds a file of events, one per line; DpdlHelper::Install() reads it.
     * @param path path of the file
     */
    void AddFile(const std::string& path)
    {
        m_files.push_back(path);
    }

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
     * @param experiment run whose failures are started; outlives the driver
     * @param installed applications of the nodes that this rank simulates, in ascending order of
     *        nodes
     * @param transport transport of the run
     * @param positions returns the position of a node; must stay valid during the run
     * @return object that schedules and applies the failures; empty if the run has no failures and
     *        no batteries
     */
    static Ptr<DpdlFailureDriver> Start(::dpdl::Experiment& experiment,
                                        const std::vector<Ptr<DpdlApplication>>& installed,
                                        Ptr<DpdlTransport> transport,
                                        const ::dpdl::FailureState::PositionOf& positions);

  private:
    std::vector<std::string> m_events; //!< events, in the order of their addition
    std::vector<std::string> m_files;  //!< paths of the files, in the order of their addition
};

} // namespace ns3

#endif // DPDL_FAILURE_HELPER_H
