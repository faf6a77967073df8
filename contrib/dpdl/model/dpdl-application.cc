// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-application.h"

#include "dpdl-type.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"

// The rounds of a node as ns-3 events: begin, local step, sending, arrivals, mixing at the
// deadline or earlier. Pause, crash and recovery cancel or reschedule these events.

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DpdlApplication");
NS_OBJECT_ENSURE_REGISTERED(DpdlApplication);

TypeId
DpdlApplication::GetTypeId()
{
    static TypeId tid =
        MakeDpdlType<DpdlApplication, Application>("ns3::DpdlApplication")
            .AddAttribute("ComputeTime",
                          "Simulated time of a local step",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&DpdlApplication::m_computeTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("FeedbackDelay",
                          "Time from a loss until its sender knows of it and takes the mass back, "
                          "under the loss policy refund; negative: the delay of the links",
                          TimeValue(Seconds(-1)),
                          MakeTimeAccessor(&DpdlApplication::m_feedbackDelay),
                          MakeTimeChecker())
            .AddAttribute("MeasuredScale",
                          "Simulated seconds of a local step for each second of wall time that it "
                          "takes; 0: it takes ComputeTime",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(&DpdlApplication::m_measuredScale),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("ClipDecay",
                          "rho_c in C_k = C_0 rho_c^(-k/K); 0: of the algorithm's preset",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(&DpdlApplication::m_clipDecay),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("NoiseGrowth",
                          "rho_mu in mu_k = mu_0 rho_mu^(k/K); 0: of the algorithm's preset",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(&DpdlApplication::m_muGrowth),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute(
                "Engine",
                "What computes gradients: auto, native (chains of layers alone), libtorch, "
                "libtorch-loop (slow, for comparison), or libtorch-cuda (the same on a device)",
                StringValue("auto"),
                MakeStringAccessor(&DpdlApplication::m_engine),
                MakeStringChecker())
            .AddAttribute(
                "FullRounds",
                "Whether a round lasts until its deadline though all was heard before, so "
                "that all nodes begin their rounds together; needs a deadline",
                BooleanValue(false),
                MakeBooleanAccessor(&DpdlApplication::m_fullRounds),
                MakeBooleanChecker())
            .AddTraceSource("RoundStart",
                            "A round starts",
                            MakeTraceSourceAccessor(&DpdlApplication::m_roundStartTrace),
                            "ns3::DpdlApplication::RoundStartCallback")
            .AddTraceSource("RoundEnd",
                            "A round ends: the node has mixed",
                            MakeTraceSourceAccessor(&DpdlApplication::m_roundEndTrace),
                            "ns3::DpdlApplication::RoundEndCallback")
            .AddTraceSource("Tx",
                            "A share is handed to the transport",
                            MakeTraceSourceAccessor(&DpdlApplication::m_txTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("Rx",
                            "A share arrives",
                            MakeTraceSourceAccessor(&DpdlApplication::m_rxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("Drop",
                            "A share of this node will never arrive: the message, cause and place",
                            MakeTraceSourceAccessor(&DpdlApplication::m_dropTrace),
                            "ns3::DpdlApplication::LossCallback");
    return tid;
}

DpdlApplication::DpdlApplication()
    : m_step([this]() { return Seconds(m_measuredScale * m_learner->MeasureStep()); },
             [this]() { FinishStep(); })
{
    NS_LOG_FUNCTION(this);
}

void
DpdlApplication::Setup(uint32_t node,
                       ::dpdl::Learner& learner,
                       Ptr<DpdlTransport> transport,
                       Time deadline)
{
    NS_LOG_FUNCTION(this << node << deadline);
    m_node = node;
    m_learner = &learner;
    m_transport = transport;
    m_payload = std::make_shared<DpdlPayload>(learner.Chunks());
    m_deadline = deadline;
    m_learner->SetFeedback([this](std::function<void()> refund) { Feedback(std::move(refund)); });
    m_transport->Connect(
        node,
        GetNode()->GetId(),
        [this](const DpdlMessage& message) { Receive(message); },
        [this](const ::dpdl::Share& share, const ::dpdl::MessageLoss& loss) { Lose(share, loss); });
}

int64_t
DpdlApplication::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    if (m_startJitter.IsZero())
    {
        return 0;
    }
    m_jitter = CreateObject<UniformRandomVariable>();
    m_jitter->SetStream(stream);
    return 1;
}

void
DpdlApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_step.Suspend();
    m_beginEvent.Cancel();
    m_sendEvent.Cancel();
    CancelDeadline();
    m_transport = nullptr;
    m_payload = nullptr;
    m_learner = nullptr;
    Application::DoDispose();
}

void
DpdlApplication::StartApplication()
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_IF(m_learner == nullptr, "DpdlApplication: install it with DpdlHelper");
    if (!m_jitter)
    {
        Begin();
        return;
    }
    const Time wait = Seconds(m_jitter->GetValue(0.0, m_startJitter.GetSeconds()));
    m_beginEvent = Simulator::Schedule(wait, &DpdlApplication::Begin, this);
}

void
DpdlApplication::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_stage = Stage::STOPPED;
    m_beginEvent.Cancel();
    m_step.Suspend();
    CancelDeadline();
}

void
DpdlApplication::BeginRound()
{
    const uint32_t round = m_learner->CurrentRound();
    NS_LOG_FUNCTION(this << round);
    m_learner->BeginRound(Simulator::Now().GetSeconds());
    if (m_learner->Finished())
    {
        m_finishTime = Simulator::Now();
        return;
    }
    NS_LOG_INFO("node " << m_node << " begins round " << round);
    m_roundStartTrace(round);
    ResetStep();
    ContinueStep();
    ScheduleDeadline();
}

void
DpdlApplication::Pause()
{
    NS_LOG_FUNCTION(this);
    m_step.Suspend();
    m_paused = true;
}

void
DpdlApplication::Resume()
{
    NS_LOG_FUNCTION(this);
    if (m_paused)
    {
        m_paused = false;
        ContinueStep();
        ReleaseIfReady();
        MixIfReady();
    }
}

void
DpdlApplication::SetSlowdown(double factor)
{
    NS_LOG_FUNCTION(this << factor);
    NS_ABORT_MSG_UNLESS(factor > 0.0, "DpdlApplication: slowdown " << factor << " is not > 0");
    m_step.SetSlowdown(factor);
}

void
DpdlApplication::SetLie(const ::dpdl::Lie& lie)
{
    NS_LOG_FUNCTION(this);
    m_learner->SetLie(lie);
}

void
DpdlApplication::Crash(bool keepState)
{
    NS_LOG_FUNCTION(this << keepState);
    if (m_learner->IsDown())
    {
        return;
    }
    CancelDeadline();
    ResetStep();
    m_finishTime = m_learner->Finished() ? m_finishTime : Simulator::Now();
    m_learner->Crash(keepState, Simulator::Now().GetSeconds());
}

void
DpdlApplication::Recover()
{
    NS_LOG_FUNCTION(this);
    if (!m_learner->IsDown())
    {
        return;
    }
    m_learner->Recover(Simulator::Now().GetSeconds());
    if (m_stage == Stage::RUNNING && IsIn(::dpdl::Phase::WAITING))
    {
        BeginRound();
    }
    else if (m_stage == Stage::RUNNING && !m_learner->Finished())
    {
        ContinueStep();
        ScheduleDeadline();
        MixIfReady();
    }
}

void
DpdlApplication::FinishStep()
{
    NS_LOG_FUNCTION(this);
    Transmit(m_learner->FinishStep(Simulator::Now().GetSeconds()));
    ReleaseIfReady();
    MixIfReady();
}

void
DpdlApplication::Transmit(const std::vector<::dpdl::Share>& shares)
{
    for (const ::dpdl::Share& share : shares)
    {
        const DpdlMessage message(share, m_payload);
        if (!m_txTrace.IsEmpty())
        {
            m_txTrace(message.GetPacket());
        }
        m_transport->Send(message);
    }
}

void
DpdlApplication::Receive(const DpdlMessage& message)
{
    const ::dpdl::Share& share = message.share;
    NS_LOG_FUNCTION(this << share.source << share.round);
    if (m_stage == Stage::STOPPED)
    {
        return;
    }
    if (m_learner->IsDown())
    {
        m_transport->Refuse(share);
        return;
    }
    if (!m_rxTrace.IsEmpty())
    {
        m_rxTrace(message.GetPacket());
    }
    ::dpdl::Share received = share;
    const bool isShare = m_payload->Read(message, received);
    const bool canRead = isShare && m_learner->CanRead(received);
    if (isShare && !canRead && m_transport->Repeats())
    {
        // Compressed parameters are a difference to an earlier message. If that message is missing,
        // they cannot be decoded yet: refuse them, so they are retransmitted.
        m_transport->Refuse(share);
        return;
    }
    if (!canRead)
    {
        NS_LOG_WARN("node " << m_node << " drops a packet that is no share which it can read");
        if (m_learner->ReceiveDamaged(share, Simulator::Now().GetSeconds()))
        {
            m_transport->Reject(share);
        }
        return;
    }
    m_learner->Receive(received, Simulator::Now().GetSeconds());
    ReleaseIfReady();
    MixIfReady();
}

void
DpdlApplication::Lose(const ::dpdl::Share& share, const ::dpdl::MessageLoss& loss)
{
    NS_LOG_INFO("node " << m_node << " loses its message to node " << share.target << " of round "
                        << share.round << ": " << loss.Cause() << " " << loss.Place());
    if (!m_dropTrace.IsEmpty())
    {
        m_dropTrace(DpdlMessage(share, m_payload).GetPacket(), loss.Cause(), loss.Place());
    }
    m_learner->Lose(share, loss, Simulator::Now().GetSeconds());
}

void
DpdlApplication::MixIfReady()
{
    const bool mayMix = IsActive() && IsIn(::dpdl::Phase::AWAITING_SHARES);
    const bool waits = m_fullRounds && m_deadline.IsStrictlyPositive();
    if (!mayMix || !(m_deadlinePassed || (!waits && m_learner->HeardAll())))
    {
        return;
    }
    CancelDeadline();
    const uint32_t round = m_learner->CurrentRound();
    m_learner->Mix(Simulator::Now().GetSeconds());
    NS_LOG_INFO("node " << m_node << " ends round " << round << ", weight "
                        << m_learner->Weight().ToDouble());
    m_roundEndTrace(round, m_learner->Weight().ToDouble());
    BeginRound();
}

} // namespace ns3
