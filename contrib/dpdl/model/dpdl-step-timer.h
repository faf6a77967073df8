// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_STEP_TIMER_H
#define DPDL_STEP_TIMER_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <functional>
#include <optional>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Simulated time of a local step that may be suspended and slowed down.
 */
class DpdlStepTimer
{
  public:
    /// Runs the step for real and returns its length at the node's own pace.
    using Measure = std::function<Time()>;

    /**
     * @param measure is asked for the length of a step that Reset() does not give
     * @param finish is called when a step is over
     */
    DpdlStepTimer(Measure measure, std::function<void()> finish);

    /**
     * @brief Gives up the step, if one is running, and prepares another.
     * @param length at the node's own pace; empty: is measured when the step starts
     */
    void Reset(std::optional<Time> length);

    /// The step starts, or goes on for its remaining time.
    void Start();

    /// The step stands still until Start().
    void Suspend();

    /**
     * @brief Scales steps, what is left of a running one included.
     * @param factor on the length, > 0
     */
    void SetSlowdown(double factor);

  private:
    void TakeMeasure();
    void Finish();

    Measure m_measure;               //!< measures lengths
    std::function<void()> m_finish;  //!< is called at the end
    std::optional<Time> m_remaining; //!< at the node's own pace; empty: not known yet
    double m_slowdown{1.0};          //!< see SetSlowdown()
    EventId m_event;                 //!< of the measurement or of the end
};

} // namespace ns3

#endif // DPDL_STEP_TIMER_H
