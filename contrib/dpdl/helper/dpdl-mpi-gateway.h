// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_MPI_GATEWAY_H
#define DPDL_MPI_GATEWAY_H

#include "dpdl-rank-exchange.h"
#include "dpdl/experiment/experiment.h"

#include "ns3/dpdl-gateway.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mpi.h>
#include <optional>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Carries messages between ranks by MPI, and synchronises their simulators.
 *
 * The ranks simulate windows of time. Before a window they exchange their messages and the times of
 * their next events. No message takes less time than the look-ahead. Therefore all events in the
 * window, which lasts for the look-ahead after the earliest next event, can run: no message that is
 * sent later arrives before its end (conservative synchronisation by windows; Fujimoto, Parallel
 * and Distributed Simulation Systems, 2000, section 3.5). DpdlRankScheduler, a Scheduler of ns-3,
 * requests the next window when all events of the last one are done, so ns-3's default simulator
 * suffices.
 *
 * The graph of a round may depend on the time at which the first node begins the round. When a node
 * begins such a round, its rank processes no further event until all ranks have reached this time.
 * The rank on which the round begins earliest makes the graph for all ranks.
 */
class DpdlMpiGateway : public DpdlGateway
{
  public:
    /**
     * @param experiment the run, which outlives this object
     * @param lookAhead minimum transfer time of a message between ranks; at least 1 ns
     * @param feedback time until the mass of a lost message returns to its sender; under policy
     *        refund, at least @p lookAhead
     * @param communicator MPI communicator of all ranks, used only by this object
     */
    DpdlMpiGateway(::dpdl::Experiment& experiment,
                   Time lookAhead,
                   Time feedback,
                   MPI_Comm communicator);
    ~DpdlMpiGateway() override;
    DpdlMpiGateway(const DpdlMpiGateway&) = delete;
    DpdlMpiGateway& operator=(const DpdlMpiGateway&) = delete;

    bool IsElsewhere(uint32_t node) const override
    {
        return !m_experiment.Owns(node);
    }

    void Announce(const ::dpdl::Share& share) override;
    void Send(const DpdlMessage& message, Time delay, Time arriving) override;
    bool Lose(const ::dpdl::Share& share, const ::dpdl::MessageLoss& loss) override;
    bool Close(const ::dpdl::Share& share, const ::dpdl::MessageLoss& loss) override;
    bool IsOver(bool here) override;
    std::vector<::dpdl::Edge> EdgesOf(::dpdl::Round round, const ::dpdl::EdgeMaker& make) override;
    void Leave() override;

    /// True if no rank has a pending event.
    bool IsDone() const
    {
        return m_isDone;
    }

    /// Time at which the event that the scheduler now receives was created, in ns-3's time steps:
    /// @p now or, for an event that another rank sent, the time on that rank.
    uint64_t SchedulingTime(Time now) const
    {
        return m_scheduledAt.value_or(static_cast<uint64_t>(now.GetTimeStep()));
    }

    /**
     * @brief True if the next event may run now; if not, waits for the next window.
     * @param next time of this rank's next event, in ns-3's time steps; NEVER: none
     * @return false after a wait; call again with the current next event, since the wait may have
     *        added an earlier one
     */
    bool MayRun(uint64_t next);

    /// Value of MayRun()'s argument for "no event".
    static constexpr uint64_t NEVER = DpdlRankExchange::NEVER;

  private:
    /// Key of a message: source, target, round and chunk of its share.
    using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint16_t>;

    void Report(::dpdl::NodeId node,
                ::dpdl::Round round,
                const std::vector<::dpdl::MixedShare>& shares);
    DpdlRankMessage& Cross(const ::dpdl::Share& share, ::dpdl::NodeId node);
    void Exchange(uint64_t next);
    void AnswerFirst(const std::vector<DpdlRankExchange::Parcel>& parcels, uint64_t first);
    void Take(const DpdlRankMessage& crossing, const std::vector<::dpdl::ParameterHandle>& vectors);
    void Refund(const DpdlRankMessage& crossing, ::dpdl::Share share);
    uint32_t RowOf(const ::dpdl::Share& share);
    uint32_t TakeRow(const ::dpdl::Share& share);
    void Arrive(const DpdlRankMessage& crossing, ::dpdl::Share share);
    ::dpdl::LossPolicy Policy() const;

    ::dpdl::Experiment& m_experiment; //!< run; this rank simulates a part of its nodes
    /// Minimum transfer time of a message between ranks, in ns-3's time steps.
    uint64_t m_lookAhead;
    Time m_feedback; //!< time until the mass of a lost message returns to its sender
    std::shared_ptr<DpdlPayload> m_payload; //!< writes and reads the payloads of arriving messages
    DpdlRankExchange m_exchange;            //!< exchanges data with the other ranks
    /// Earliest arrival of messages sent since the last exchange, in ns-3's time steps; NEVER:
    /// none.
    uint64_t m_earliest{NEVER};
    uint64_t m_granted{0}; //!< end of the window, in ns-3's time steps: earlier events may run
    /// While an event from another rank is inserted: time on that rank at which it was created, in
    /// ns-3's time steps; else empty.
    std::optional<uint64_t> m_scheduledAt;
    uint64_t m_asks{NEVER}; //!< round for whose graph this rank waits; NEVER: none
    const ::dpdl::EdgeMaker* m_make{nullptr}; //!< makes the graph of round m_asks
    bool m_isDone{false};                     //!< true: no rank has a pending event
    bool m_isOver{false};                     //!< true: the nodes of this rank have finished
    bool m_areAllOver{false};       //!< true: all ranks have reported that they have finished
    std::map<Key, uint32_t> m_rows; //!< indices of trace rows whose fate is not yet recorded, by
                                    //!< message from another rank
    /// Messages to other ranks that may be retransmitted; value: true if a copy has been sent to
    /// the target's rank.
    std::map<Key, bool> m_repeated;
    /// Edges by round, for rounds that no node of this rank has begun.
    std::map<::dpdl::Round, std::vector<::dpdl::Edge>> m_edges;
    /// On rank 0: shares that one node of another rank mixed in one round, as received so far in
    /// messages of kind MIX, one share per message. Empty after the last message of this mixing.
    std::vector<::dpdl::MixedShare> m_mixing;
};

/**
 * @ingroup dpdl
 *
 * @brief Makes a gateway decide when the simulator of this process may run its events.
 * @param gateway gateway to the other ranks, which outlives all events; nullptr: events run without
 *        waiting for other ranks
 */
void SetDpdlRankScheduler(DpdlMpiGateway* gateway);

} // namespace ns3

#endif // DPDL_MPI_GATEWAY_H
