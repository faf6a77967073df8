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
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Makes the failures of a run happen at their times.
 *
 * Moves the state of the network on, notifies the transport of changes, and pauses, crashes
 * and slows down applications. While a failure within a circle lasts, it looks every second who is
 * there.
 *
 * It never keeps a simulation going indefinitely: it stops when the run is over, and at a change
 * that finds nothing else left to happen and no node that waits to be brought back. A node whose
 * failure was reported 30 days ago is no longer waited for.
 */
class DpdlFailureDriver : public Object
{
  public:
    /// Receives what begins and ends.
    using ReportCallback = std::function<void(const ::dpdl::FailureChange&)>;
    /// True if a node has done all its rounds.
    using DoneCallback = std::function<bool(uint32_t)>;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Gives the driver what it drives, and starts it.
     * @param state the failures; its positions are set
     * @param transport works under them from now on
     * @param applications by node; empty where another rank simulates the node
     * @param report may be empty
     * @param done may be empty: never
     */
    void Start(std::shared_ptr<::dpdl::FailureState> state,
               Ptr<DpdlTransport> transport,
               const std::vector<Ptr<DpdlApplication>>& applications,
               ReportCallback report,
               DoneCallback done);

    /**
     * @brief A node fails, or is back, at a time that no event gives; see FailureState::Report().
     * @param event index of the event
     * @param node its number
     * @param begins false: the failure ends
     */
    void Report(std::size_t event, uint32_t node, bool begins);

    /// @param end is called when a failure leaves no node with anything to do
    void SetEndCallback(std::function<void()> end);

    /// Whether a node is not crashed at this moment. @param node its number
    bool IsUp(uint32_t node) const;

  protected:
    void DoDispose() override;

  private:
    /**
     * @brief A node has ended a round: there may be nothing left to do.
     * @param node its number
     * @param round which one
     * @param weight its push-sum weight
     */
    void NoteRoundEnd(std::string node, uint32_t round, double weight);

    /// A reported failure has lasted too long: the node stays down. @param node its number
    void GiveUp(uint32_t node);

    /// Calls what SetEndCallback() gave if no node has anything to do.
    void EndIfDone();

    /// True if a node stays down: it has crashed too often in one round, or for too long. @param
    /// node its number
    bool IsGivenUp(uint32_t node) const;

    /// Whether every node of this rank has done its rounds or is gone.
    bool AreNodesDone();

    /// Checks that those of all ranks have, and that no message is pending. @return true if the run
    /// is over
    bool IsOver();

    /// The time of a change, or of a look at positions, has come.
    void Act();

    /// Waits for the next change, if there is a reason to.
    void ScheduleNext();

    /**
     * @brief Reports changes and passes them on to the applications.
     * @param changes in their order
     * @param isReported false: they are only passed on
     */
    void PassOn(const std::vector<::dpdl::FailureChange>& changes, bool isReported);

    /**
     * @brief Brings an application into the condition of its node.
     * @param node its number
     * @param keepsState whether a crash leaves it what it knows
     */
    void Drive(uint32_t node, bool keepsState);

    std::shared_ptr<::dpdl::FailureState> m_state;    //!< the failures
    Ptr<DpdlTransport> m_transport;                   //!< works under them
    std::vector<Ptr<DpdlApplication>> m_applications; //!< by node
    std::vector<::dpdl::NodeCondition> m_conditions;  //!< what the applications know, by node
    std::vector<uint32_t> m_crashes;                  //!< since its last round, by node
    ReportCallback m_report;                          //!< may be empty
    DoneCallback m_done;                              //!< may be empty
    std::function<void()> m_end;                      //!< see SetEndCallback()
    uint32_t m_firstOpen{0};                          //!< node; those before it are done
    double m_due{0.0};                                //!< time of the next change, in seconds
    EventId m_event;                                  //!< what comes next
    std::map<uint32_t, EventId> m_reported;           //!< ends of patience with nodes that are down
};

} // namespace ns3

#endif // DPDL_FAILURE_DRIVER_H
