// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-application.h"

#include "ns3/node.h"
#include "ns3/simulator.h"

#include <utility>

// Members of DpdlApplication that schedule the deadline, the local step and the sending of a round
// in simulated time; also DpdlStepTimer.

namespace ns3
{

void
DpdlApplication::Begin()
{
    m_startTime = Simulator::Now();
    m_stage = Stage::RUNNING;
    if (!m_learner->IsDown())
    {
        BeginRound();
    }
}

void
DpdlApplication::ScheduleDeadline()
{
    m_deadlinePassed = false;
    m_halfTimePassed = false;
    if (m_deadline.IsStrictlyPositive())
    {
        const auto rounds = static_cast<int64_t>(m_learner->CurrentRound()) + 1;
        const Time end = m_startTime + m_deadline * rounds;
        const Time wait = Max(end - Simulator::Now(), Time(0));
        m_deadlineEvent = Simulator::Schedule(wait, [this] {
            m_deadlinePassed = true;
            MixIfReady();
        });
        if (m_learner->Announces())
        {
            const Time half = Max(wait - m_deadline / int64x64_t(2), Time(0));
            m_halfTimeEvent = Simulator::Schedule(half, [this] {
                m_halfTimePassed = true;
                ReleaseIfReady();
                MixIfReady();
            });
        }
    }
}

void
DpdlApplication::CancelDeadline()
{
    m_deadlineEvent.Cancel();
    m_halfTimeEvent.Cancel();
}

void
DpdlApplication::ContinueStep()
{
    const bool isComputing = IsIn(::dpdl::Phase::COMPUTING) || IsIn(::dpdl::Phase::COMPUTING_SENT);
    if (!isComputing || !IsActive())
    {
        return;
    }
    if (m_learner->SendsFirst() && m_sendEvent.IsExpired())
    {
        // Send after all rounds that begin at this time, so the backend computes their steps as one
        // batch.
        m_sendEvent = Simulator::ScheduleNow(&DpdlApplication::SendAhead, this);
    }
    m_step.Start();
}

void
DpdlApplication::SendAhead()
{
    if (IsActive())
    {
        Transmit(m_learner->SendAhead(Simulator::Now().GetSeconds()));
    }
}

void
DpdlApplication::ResetStep()
{
    const Time length = m_learner->Learns() || m_learner->Finished() ? m_computeTime : Time(0);
    m_step.Reset(m_measuredScale > 0.0 ? std::nullopt : std::optional<Time>(length));
}

void
DpdlApplication::ReleaseIfReady()
{
    const bool mayRelease = IsActive() && IsIn(::dpdl::Phase::AWAITING_MAXIMUM);
    if (mayRelease && (m_halfTimePassed || m_learner->HeardMaximum()))
    {
        Transmit(m_learner->PublishAfterNoise(Simulator::Now().GetSeconds()));
    }
}

void
DpdlApplication::Feedback(std::function<void()> refund)
{
    Simulator::ScheduleWithContext(GetNode()->GetId(),
                                   Max(m_feedbackDelay, Time(0)),
                                   [this, refund = std::move(refund)] {
                                       if (m_learner != nullptr && m_stage != Stage::STOPPED)
                                       {
                                           refund();
                                       }
                                   });
}

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
        // Measure after all steps that begin at this time, so the backend computes them as one
        // batch.
        m_event = Simulator::ScheduleNow([this] {
            m_remaining = m_measure();
            Start();
        });
        return;
    }
    m_event = Simulator::Schedule(*m_remaining * int64x64_t(m_slowdown), m_finish);
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
