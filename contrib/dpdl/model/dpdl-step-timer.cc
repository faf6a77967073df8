// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-step-timer.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3
{

DpdlStepTimer::DpdlStepTimer(Measure measure, std::function<void()> finish)
    : m_measure(std::move(measure)),
      m_finish(std::move(finish))
{
}

void
DpdlStepTimer::Reset(std::optional<Time> length)
{
    m_event.Cancel();
    m_remaining = length;
}

void
DpdlStepTimer::Start()
{
    if (!m_remaining)
    {
        // Run this after all steps that begin now, so they are computed together.
        m_event = Simulator::ScheduleNow(&DpdlStepTimer::TakeMeasure, this);
        return;
    }
    m_event =
        Simulator::Schedule(*m_remaining * int64x64_t(m_slowdown), &DpdlStepTimer::Finish, this);
}

void
DpdlStepTimer::TakeMeasure()
{
    m_remaining = m_measure();
    Start();
}

void
DpdlStepTimer::Finish()
{
    m_finish();
}

void
DpdlStepTimer::Suspend()
{
    if (!m_event.IsExpired() && m_remaining)
    {
        m_remaining = Simulator::GetDelayLeft(m_event) / int64x64_t(m_slowdown);
    }
    m_event.Cancel();
}

void
DpdlStepTimer::SetSlowdown(double factor)
{
    const bool isRunning = !m_event.IsExpired();
    Suspend();
    m_slowdown = factor;
    if (isRunning)
    {
        Start();
    }
}

} // namespace ns3
