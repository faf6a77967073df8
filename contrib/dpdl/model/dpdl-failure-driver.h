// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_FAILURE_DRIVER_H
#define DPDL_FAILURE_DRIVER_H

#include "dpdl-application.h"
#include "dpdl-transport.h"
#include "dpdl/network/failure-state.h"

#include "ns3/event-id.h"
#include "ns3/object.h"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Schedules the failures of a run and applies them.
 *
 * The driver advances the FailureState, notifies the transport of changes, and pauses, crashes and
 * slows down applications. While a failure of all nodes within a circle lasts, it checks the nodes'
 * positions once per simulated second.
 *
 * The driver never keeps a simulation running indefinitely. It stops when the run is over, or after
 * a change at which no other event is pending and no node waits for its recovery. A node counts as
 * permanently down if a failure reported by Report() has lasted for 30 simulated days.
 */
class DpdlFailureDriver : public Object
{
  public:
    /// Receives the beginning and the end of each failure.
    using ReportCallback = std::function<void(const ::dpdl::FailureChange&)>;
    /// Returns true if the node with this number has done all its rounds.
    using DoneCallback = std::function<bool(uint32_t)>;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Sets the objects that fail, and starts the driver.
     * @param state the failures; its positions must be set
     * @param transport is subject to the failures from now on
     * @param applications applications, by node; empty if another rank simulates the node
     * @param report is called for each beginning and end of a failure; may be empty
     * @param done returns true if a node has finished; empty: no node has
     */
    void Start(std::shared_ptr<::dpdl::FailureState> state,
               Ptr<DpdlTransport> transport,
               const std::vector<Ptr<DpdlApplication>>& applications,
               ReportCallback report,
               DoneCallback done);

    /**
     * @brief Begins or ends a failure of a node now, such as that of an empty battery. The schedule
     * of failures does not contain its time.
     * @param event index of the event in the run's list of failures
     * @param node number of the node
     * @param begins true: the failure begins; false: it ends
     */
    void Report(std::size_t event, uint32_t node, bool begins);

    /// Sets a callback.
    /// @param end is called after a failure if every node of this rank has done its rounds or is
    /// permanently down
    void SetEndCallback(std::function<void()> end)
    {
        m_end = std::move(end);
    }

    /// True if a node is not crashed now.
    /// @param node number of the node
    bool IsUp(uint32_t node) const;

  protected:
    void DoDispose() override;

  private:
    /// Counts a node as permanently down, because a failure that Report() began has lasted for 30
    /// simulated days.
    /// @param node number of the node
    void GiveUp(uint32_t node);

    /// Calls the callback of SetEndCallback() if AreNodesDone().
    void EndIfDone();

    /// True if a node stays down permanently: it has crashed MOST_CRASHES times in one round, or
    /// GiveUp() was called.
    /// @param node number of the node
    bool IsGivenUp(uint32_t node) const;

    /// True if every node of this rank has done its rounds, has failed permanently, or is given up.
    bool AreNodesDone();

    /// Applies the failures that begin or end now, and tests which nodes are within circles of
    /// failure.
    void Act();

    /// Schedules the next change, if it can still have an effect.
    void ScheduleNext();

    /**
     * @brief Passes changes to the callback m_report, then applies them to the applications.
     * @param changes changes of failures, in chronological order
     * @param isReported false: the changes are applied, but not passed to m_report
     */
    void PassOn(const std::vector<::dpdl::FailureChange>& changes, bool isReported);

    /**
     * @brief Applies the current failures of a node to its application: speed, attack, pause,
     *        crash.
     * @param node number of the node
     * @param keepsState true: a crash keeps the node's state
     */
    void Drive(uint32_t node, bool keepsState);

    std::shared_ptr<::dpdl::FailureState> m_state;    //!< state of links and nodes
    Ptr<DpdlTransport> m_transport;                   //!< transport that is subject to the failures
    std::vector<Ptr<DpdlApplication>> m_applications; //!< applications, by node
    /// Conditions last applied to the applications, by node.
    std::vector<::dpdl::NodeCondition> m_conditions;
    std::vector<uint32_t> m_crashes; //!< number of crashes in the current round, by node
    ReportCallback m_report; //!< receives beginnings and ends of failures; empty: not reported
    DoneCallback m_done;     //!< returns true if a node has done all its rounds; empty: no node has
    std::function<void()> m_end; //!< callback of SetEndCallback(); empty: none
    uint32_t m_firstOpen{0};     //!< lowest node of this rank for which AreNodesDone() still waits
    double m_due{0.0};           //!< simulated time of the next change, in s
    EventId m_event;             //!< event of the next call of Act()
    /// Events that call GiveUp() for nodes with a reported failure, by node.
    std::map<uint32_t, EventId> m_reported;
};

} // namespace ns3

#endif // DPDL_FAILURE_DRIVER_H
