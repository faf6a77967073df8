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
 * @brief Timer of a local step that can be suspended and slowed down.
 */
class DpdlStepTimer
{
  public:
    /// Computes the step and returns its duration at normal speed.
    using Measure = std::function<Time()>;

    /**
     * @param measure gives the duration of a step if Reset() did not set it
     * @param finish is called at the end of a step
     */
    DpdlStepTimer(Measure measure, std::function<void()> finish);

    /**
     * @brief Cancels a running step and prepares the next.
     * @param length duration at normal speed; empty: measured when the step starts
     */
    void Reset(std::optional<Time> length);

    /// Starts the step, or resumes it for its remaining time.
    void Start();

    /// Suspends the step until Start().
    void Suspend();

    /**
     * @brief Scales the duration of steps and the remaining time of a running one.
     * @param factor on the duration, > 0
     */
    void SetSlowdown(double factor);

  private:
    void TakeMeasure();
    void Finish();

    Measure m_measure;               //!< measures durations
    std::function<void()> m_finish;  //!< called at the end of a step
    std::optional<Time> m_remaining; //!< at normal speed; empty: not known yet
    double m_slowdown{1.0};          //!< see SetSlowdown()
    EventId m_event;                 //!< the measurement, or the end of the step
};

} // namespace ns3

#endif // DPDL_STEP_TIMER_H
