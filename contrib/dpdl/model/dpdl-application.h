// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_APPLICATION_H
#define DPDL_APPLICATION_H

#include "dpdl-message.h"
#include "dpdl-step-timer.h"
#include "dpdl-transport.h"
#include "dpdl/algorithm/learner.h"

#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief One node of a decentralized learning run.
 *
 * The application is the clock of its learner. A round is a local step, which takes ComputeTime,
 * the sending of its shares, and the wait for those of the in-neighbours. Algorithms that send
 * first send when the round begins, and the messages travel while the node computes. It ends when
 * all of them have been heard or, if there is a deadline D, at the latest at (round + 1) D after
 * the start of the application: deadlines stand on a clock that all nodes share, so that one lost
 * message delays its receiver once and never makes the shares of others late.
 *
 * With FullRounds a round lasts until its deadline in any case: a node that hears no other does not
 * run ahead of the others.
 *
 * If a learner announces a sensitivity after its step (SensitivityRound), its shares follow when
 * it has heard those of all nodes or, at the latest, half a deadline before the end of the round.
 *
 * A node can be paused, slowed down and crashed at any time, before its start too; pausing and
 * crashing are independent of each other. Each of them may be called again without effect.
 */
class DpdlApplication : public Application
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    DpdlApplication();
    ~DpdlApplication() override = default;

    /**
     * @brief Gives the application what it drives; done by DpdlHelper.
     * @param node number of the node in the run
     * @param learner its learner, which outlives the application's last event
     * @param transport carries its shares
     * @param deadline longest time of a round; zero: none
     */
    void Setup(uint32_t node,
               ::dpdl::Learner& learner,
               Ptr<DpdlTransport> transport,
               Time deadline);

    /// When the node had done all its rounds, or crashed last before that; 0: neither.
    Time FinishTime() const
    {
        return m_finishTime;
    }

    /// @param payload writes and reads what messages carry; virtual bytes if this is not called
    void SetPayload(std::shared_ptr<DpdlPayload> payload)
    {
        m_payload = std::move(payload);
    }

    /**
     * @brief Shifts this node's clock, its deadlines included, by a time that is drawn.
     * @param longest time from the start to the first round, drawn uniformly from 0 on; before
     *        AssignStreams()
     */
    void SetStartJitter(Time longest)
    {
        m_startJitter = longest;
    }

    /**
     * @brief The node no longer computes or sends, and still receives.
     *
     * A running step is suspended. What arrives waits in the inbox.
     */
    void Pause();

    /// Ends a pause: a suspended step goes on for its remaining time.
    void Resume();

    /**
     * @brief The node is gone until Recover(): its step and its inbox are lost, nothing arrives.
     *
     * A round that is being computed has released nothing yet, so that a later attempt, whose noise
     * is the same function of node and round, reveals nothing twice.
     * @param keepState true: (z, w) survives in stable storage, and an interrupted step is redone;
     *        false: both are lost, and the node comes back with z^0 and w = 0, neither learning nor
     *        releasing until it has heard a share that carries mass
     */
    void Crash(bool keepState);

    /// Brings a crashed node back, in the round in which it crashed.
    void Recover();

    /**
     * @brief Scales the time of local steps, what is left of a running one included.
     * @param factor on ComputeTime, > 0; 1 is the node's own pace
     */
    void SetSlowdown(double factor);

    /// Lets the node lie from its next round on, or be honest. @param lie what it does
    void SetLie(const ::dpdl::Lie& lie);

    /**
     * @brief Assigns a fixed stream to the jitter of the start.
     * @param stream first stream index to use
     * @return the number of streams used: 1, or 0 without jitter
     */
    virtual int64_t AssignStreams(int64_t stream);

    /**
     * TracedCallback signature of a round that starts.
     * @param round the round
     */
    typedef void (*RoundStartCallback)(uint32_t round);

    /**
     * TracedCallback signature of a round that ends.
     * @param round the round
     * @param weight the node's push-sum weight after it
     */
    typedef void (*RoundEndCallback)(uint32_t round, double weight);

    /**
     * TracedCallback signature of a message of this node that will never arrive.
     * @param packet the message
     * @param cause why, in the words of the trace's view `delivery`
     * @param place where, likewise; empty: unknown
     */
    typedef void (*LossCallback)(Ptr<const Packet> packet, std::string cause, std::string place);

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    void Begin();
    void BeginRound();
    void ScheduleDeadline();
    void CancelDeadline();
    void ContinueStep();
    void ResetStep();
    void SendAhead();
    void FinishStep();
    void Transmit(const std::vector<::dpdl::Share>& shares);
    void Receive(const DpdlMessage& message);
    void Lose(const ::dpdl::Share& share, const ::dpdl::MessageLoss& loss);
    void Feedback(std::function<void()> refund);
    void ReleaseIfReady();
    void MixIfReady();

    /// Stage of the application; it takes shares until it is stopped.
    enum class Stage
    {
        INSTALLED, //!< its start has not come yet
        RUNNING,   //!< between start and stop
        STOPPED,   //!< it neither takes nor sends any shares
    };

    /// True if the node may compute, send and mix.
    bool IsActive() const
    {
        return m_stage != Stage::STOPPED && !m_paused && !m_learner->IsDown();
    }

    /// True if the learner is in this phase. @param phase one of a round
    bool IsIn(::dpdl::Phase phase) const
    {
        return m_learner->CurrentPhase() == phase;
    }

    uint32_t m_node{0};                     //!< number of the node in the run
    ::dpdl::Learner* m_learner{nullptr};    //!< what this application drives
    Ptr<DpdlTransport> m_transport;         //!< carries the shares
    std::shared_ptr<DpdlPayload> m_payload; //!< see SetPayload()
    Time m_computeTime;                     //!< simulated time of a local step
    Time m_feedbackDelay;                   //!< from a loss until its sender knows
    double m_measuredScale{0.0};            //!< of the step's wall time; 0: m_computeTime is taken
    double m_clipDecay{0.0};                //!< rho_c; 0: of the preset. Read by DpdlHelper
    double m_muGrowth{0.0};                 //!< rho_mu; 0: of the preset. Read by DpdlHelper
    std::string m_engine;                   //!< gradient engine. Read by DpdlHelper
    bool m_fullRounds{false};               //!< rounds last until their deadline
    Time m_deadline;                        //!< longest time of a round; zero: none
    Time m_startTime;                       //!< when the first round began
    Time m_startJitter;                     //!< see SetStartJitter()
    Ptr<UniformRandomVariable> m_jitter;    //!< draws it; empty: none
    EventId m_beginEvent;                   //!< of the first round
    Time m_finishTime;                      //!< see FinishTime()
    Stage m_stage{Stage::INSTALLED};        //!< how far the application is
    bool m_paused{false};                   //!< see Pause()
    bool m_deadlinePassed{false};           //!< no more waiting in this round
    DpdlStepTimer m_step;                   //!< of the local step
    EventId m_sendEvent;                    //!< of shares that are sent before the step
    EventId m_deadlineEvent;                //!< end of the round at the latest
    bool m_halfTimePassed{false};           //!< no more waiting for sensitivities in this round
    EventId m_halfTimeEvent;                //!< end of that waiting at the latest

    TracedCallback<uint32_t> m_roundStartTrace;       //!< a round starts
    TracedCallback<uint32_t, double> m_roundEndTrace; //!< a round ends
    TracedCallback<Ptr<const Packet>> m_txTrace;      //!< a share is sent
    TracedCallback<Ptr<const Packet>> m_rxTrace;      //!< a share arrives
    /// a share is lost
    TracedCallback<Ptr<const Packet>, std::string, std::string> m_dropTrace;
};

} // namespace ns3

#endif // DPDL_APPLICATION_H
