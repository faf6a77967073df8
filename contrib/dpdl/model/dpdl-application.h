// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_APPLICATION_H
#define DPDL_APPLICATION_H

#include "dpdl-message.h"
#include "dpdl-transport.h"
#include "dpdl/algorithm/learner.h"

#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
    /// Computes the step and returns its simulated duration at normal speed.
    using Measure = std::function<Time()>;

    /**
     * @param measure is called at the start of a step for which Reset() set no duration
     * @param finish is called at the end of a step
     */
    DpdlStepTimer(Measure measure, std::function<void()> finish);

    /**
     * @brief Cancels a running step and prepares the next.
     * @param length duration at normal speed; empty: the constructor's @p measure gives it when the
     *        step starts
     */
    void Reset(std::optional<Time> length);

    /// Starts the step, or resumes it for its remaining time.
    void Start();

    /// Suspends the step until Start().
    void Suspend();

    /**
     * @brief Scales the duration of all steps and the remaining time of a running step.
     * @param factor ratio of the duration to the duration at normal speed, > 0
     */
    void SetSlowdown(double factor);

  private:
    Measure m_measure;               //!< computes a step and returns its duration at normal speed
    std::function<void()> m_finish;  //!< called at the end of a step
    std::optional<Time> m_remaining; //!< remaining time at normal speed; empty: not known yet
    double m_slowdown{1.0};          //!< factor on the duration of steps, > 0
    EventId m_event;                 //!< event of the measurement, or of the end of the step
};

/**
 * @ingroup dpdl
 *
 * @brief One node of a decentralized learning run.
 *
 * The application runs its learner in simulated time. In a round the node takes a local step of
 * ComputeTime, sends its shares, and waits for the shares of its in-neighbours. Some algorithms
 * send the shares when the round begins, before the local step; the messages travel while the node
 * computes. The round ends when all shares have arrived. With a deadline D it ends at the latest at
 * (round + 1) D after the start of the application. Deadlines are absolute times, the same for all
 * nodes that start together. A lost message therefore delays its receiver until the deadline of one
 * round, and does not make the shares of other nodes late.
 *
 * With FullRounds and a deadline, a round always lasts until its deadline, so a node that receives
 * no shares stays in the same round as all other nodes.
 *
 * A learner may announce a sensitivity after its step (SensitivityRound). The node then sends its
 * shares when the sensitivities of all other nodes have arrived. With a deadline D it sends them at
 * the latest D / 2 before the round's deadline.
 *
 * A node can be paused, slowed down and crashed at any time, also before its start. Pausing and
 * crashing are independent of each other. Repeating one of these calls has no effect.
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
     * @brief Sets the learner and its transport; called by DpdlHelper.
     * @param node number of the node in the run
     * @param learner learner of the node; outlives the application's last event
     * @param transport carries the node's shares
     * @param deadline maximum duration of a round; zero: a round waits until all shares have
     *        arrived
     */
    void Setup(uint32_t node,
               ::dpdl::Learner& learner,
               Ptr<DpdlTransport> transport,
               Time deadline);

    /// Time at which the node finished all its rounds. If it has not finished: time of its last
    /// crash, or 0 if it never crashed.
    Time FinishTime() const
    {
        return m_finishTime;
    }

    /// Sets the encoding of the bytes after a message's header; by default these bytes have a size
    /// and no content.
    /// @param payload writes and reads these bytes
    void SetPayload(std::shared_ptr<DpdlPayload> payload)
    {
        m_payload = std::move(payload);
    }

    /**
     * @brief Delays this node's first round and all its deadlines by the same random time.
     * @param longest maximum delay; the delay is uniform on [0, longest]. Call this before
     *        AssignStreams()
     */
    void SetStartJitter(Time longest)
    {
        m_startJitter = longest;
    }

    /**
     * @brief Pauses the node: it stops computing and sending, and still receives.
     *
     * A running step is suspended. Arriving shares wait in the inbox.
     */
    void Pause();

    /// Ends a pause: a suspended step runs for its remaining time.
    void Resume();

    /**
     * @brief Crashes the node until Recover(): the running step and the inbox are lost, and the
     *        node receives nothing.
     *
     * A crash adds no privacy loss: the result of an interrupted step has not been released. When
     * the node redoes the step, it draws the same noise, because the noise is a function of node
     * and round.
     * @param keepState true: the parameters z and the push-sum weight w survive in stable storage,
     *        and an interrupted step is redone. false: z and w are lost. The node restarts with the
     *        initial parameters and w = 0, and neither learns nor sends until it receives a share
     *        with push-sum mass
     */
    void Crash(bool keepState);

    /// Restarts a crashed node in the round in which it crashed.
    void Recover();

    /**
     * @brief Scales the time of local steps and the remaining time of a running step.
     * @param factor ratio of a step's duration to ComputeTime, > 0; 1: normal speed
     */
    void SetSlowdown(double factor);

    /// Starts a Byzantine attack (lie) in the node's next round: the node sends wrong parameters or
    /// trains on wrong labels.
    /// @param lie the attack; LieKind::NONE: the node is honest again
    void SetLie(const ::dpdl::Lie& lie);

    /**
     * @brief Assigns a fixed stream to the random delay of the start.
     * @param stream first stream index to use
     * @return the number of streams used: 1, or 0 without jitter
     */
    virtual int64_t AssignStreams(int64_t stream);

    /**
     * TracedCallback signature of a round that starts.
     * @param round index of the round, from 0
     */
    typedef void (*RoundStartCallback)(uint32_t round);

    /**
     * TracedCallback signature of a round that ends.
     * @param round index of the round, from 0
     * @param weight the node's push-sum weight after the round
     */
    typedef void (*RoundEndCallback)(uint32_t round, double weight);

    /**
     * TracedCallback signature of a message of this node that will never arrive.
     * @param packet packet of the message, with its DpdlHeader
     * @param cause cause of the drop, as in the trace's view `delivery`
     * @param place place of the drop, as in that view; empty: unknown
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

    /// Stage of the application, which accepts shares in stages INSTALLED and RUNNING.
    enum class Stage
    {
        INSTALLED, //!< the start time has not come yet
        RUNNING,   //!< the application is between start and stop
        STOPPED,   //!< the application neither accepts nor sends shares
    };

    /// True if the node may compute, send and mix.
    bool IsActive() const
    {
        return m_stage != Stage::STOPPED && !m_paused && !m_learner->IsDown();
    }

    /// True if the learner is in phase @p phase of its round.
    bool IsIn(::dpdl::Phase phase) const
    {
        return m_learner->CurrentPhase() == phase;
    }

    uint32_t m_node{0};                     //!< number of the node in the run
    ::dpdl::Learner* m_learner{nullptr};    //!< learner that computes the node's rounds
    Ptr<DpdlTransport> m_transport;         //!< carries the node's shares
    std::shared_ptr<DpdlPayload> m_payload; //!< writes and reads payloads; empty: virtual bytes
    Time m_computeTime;                     //!< simulated duration of a local step
    Time m_feedbackDelay;                   //!< time from a loss to the sender's notification
    /// Ratio of simulated to wall-clock time of a step; 0: use m_computeTime.
    double m_measuredScale{0.0};
    /// Decay rho_c of the clip norm over the run; 0: that of the algorithm's preset.
    double m_clipDecay{0.0};
    /// Growth rho_mu of mu (Gaussian DP) over the run; 0: that of the algorithm's preset.
    double m_muGrowth{0.0};
    std::string m_engine;                //!< name of the gradient engine, read by DpdlHelper
    bool m_fullRounds{false};            //!< true: every round with a deadline lasts until it
    Time m_deadline;                     //!< maximum duration of a round; zero: unlimited
    Time m_startTime;                    //!< time at which the first round began
    Time m_startJitter;                  //!< longest random delay of the node's start
    Ptr<UniformRandomVariable> m_jitter; //!< draws the delay of the node's start; empty: no delay
    EventId m_beginEvent;                //!< event that starts the first round
    Time m_finishTime; //!< time of the end of the last round, else of the last crash; 0: neither
    Stage m_stage{Stage::INSTALLED}; //!< current stage of the application
    bool m_paused{false};            //!< true: the node does not compute or send, but receives
    bool m_deadlinePassed{false};    //!< true: the deadline of this round has passed
    DpdlStepTimer m_step;            //!< timer of the local step
    EventId m_sendEvent;          //!< event that sends the shares of an algorithm that sends first
    EventId m_deadlineEvent;      //!< event at the deadline of the current round
    bool m_halfTimePassed{false}; //!< true: the wait for sensitivities in this round is over
    EventId m_halfTimeEvent;      //!< event at the latest end of the wait for sensitivities

    TracedCallback<uint32_t> m_roundStartTrace;       //!< fires when a round starts
    TracedCallback<uint32_t, double> m_roundEndTrace; //!< fires when a round ends
    TracedCallback<Ptr<const Packet>> m_txTrace; //!< fires when a share is sent, with its packet
    TracedCallback<Ptr<const Packet>> m_rxTrace; //!< fires when a share arrives, with its packet
    /// Fires when a share of this node is lost. Arguments: the share's packet, and the cause and
    /// place of the loss as in LossCallback.
    TracedCallback<Ptr<const Packet>, std::string, std::string> m_dropTrace;
};

} // namespace ns3

#endif // DPDL_APPLICATION_H
