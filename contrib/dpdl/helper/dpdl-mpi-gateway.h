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
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Carries messages between ranks by MPI, and keeps their simulators in step.
 *
 * The ranks simulate windows of time. Before a window they tell each other what they have sent and
 * when their next event is. No message takes less than the look-ahead, so that events within the
 * look-ahead after the first of these times depend on nothing that is still to be sent
 * (conservative synchronisation by windows; Fujimoto, Parallel and Distributed Simulation Systems,
 * 2000, section 3.5). A scheduler asks for the next window when all events of the last one are
 * done; ns-3 needs no simulator of its own for this.
 *
 * If the graph of a round is made when the first node begins the round, a rank whose node
 * is the first on this rank waits in that event until all ranks have come so far, and the first of
 * them makes the graph for all.
 */
class DpdlMpiGateway : public DpdlGateway
{
  public:
    /**
     * @param experiment the run, which outlives this
     * @param lookAhead no message takes less; at least 1 ns
     * @param feedback after a loss at its receiver a message goes back to its sender, under the
     *        loss policy refund; not below @p lookAhead there
     * @param communicator of all ranks, for this alone
     */
    DpdlMpiGateway(::dpdl::Experiment& experiment,
                   Time lookAhead,
                   Time feedback,
                   MPI_Comm communicator);
    ~DpdlMpiGateway() override;
    DpdlMpiGateway(const DpdlMpiGateway&) = delete;
    DpdlMpiGateway& operator=(const DpdlMpiGateway&) = delete;

    bool IsElsewhere(uint32_t node) const override;
    void Announce(const ::dpdl::Share& share) override;
    void Send(const DpdlMessage& message, Time delay, Time arriving) override;
    bool Lose(const ::dpdl::Share& share, const ::dpdl::MessageLoss& loss) override;
    bool Close(const ::dpdl::Share& share) override;
    bool IsOver(bool here) override;
    std::vector<::dpdl::Edge> EdgesOf(::dpdl::Round round, const ::dpdl::EdgeMaker& make) override;
    void Leave() override;

    /// True if no rank has anything left to simulate.
    bool IsDone() const
    {
        return m_isDone;
    }

    /// When an event that is handed to the scheduler was scheduled, in steps of the clock: now, or
    /// before on another rank.
    uint64_t SchedulingTime(Time now) const
    {
        return m_scheduledAt.value_or(static_cast<uint64_t>(now.GetTimeStep()));
    }

    /**
     * @brief True if the next event may run now; if not, waits for the next window.
     * @param next time of this rank's next event; NEVER: there is none
     * @return false if there was a wait, which may have brought an earlier event
     */
    bool MayRun(uint64_t next);

    /// The time of no event, in steps of ns-3's clock.
    static constexpr uint64_t NEVER = DpdlRankExchange::NEVER;

  private:
    /// Source, target, round and chunk of a share.
    using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint16_t>;

    void Report(::dpdl::NodeId node,
                ::dpdl::Round round,
                const std::vector<::dpdl::MixedShare>& shares);
    DpdlCrossing& Cross(const ::dpdl::Share& share, ::dpdl::NodeId node);
    void Exchange(uint64_t next);
    void AnswerFirst(const std::vector<DpdlRankExchange::Parcel>& parcels, uint64_t first);
    void Take(const DpdlCrossing& crossing, const std::vector<::dpdl::ParameterHandle>& vectors);
    void TakeBack(const DpdlCrossing& crossing, ::dpdl::Share share);
    uint32_t RowOf(const ::dpdl::Share& share);
    uint32_t TakeRow(const ::dpdl::Share& share);
    void Arrive(const DpdlCrossing& crossing, ::dpdl::Share share);
    ::dpdl::LossPolicy Policy() const;

    ::dpdl::Experiment& m_experiment;         //!< the run
    uint64_t m_lookAhead;                     //!< see DpdlMpiGateway(), in steps of the clock
    Time m_feedback;                          //!< see DpdlMpiGateway()
    std::shared_ptr<DpdlPayload> m_payload;   //!< writes the packets of messages that arrive
    DpdlRankExchange m_exchange;              //!< to the other ranks
    uint64_t m_earliest{NEVER};               //!< time at which the first of these arrives
    uint64_t m_granted{0};                    //!< events before this may run
    std::optional<uint64_t> m_scheduledAt;    //!< see SchedulingTime(): on another rank
    uint64_t m_asks{NEVER};                   //!< the round whose graph this rank waits for
    const ::dpdl::EdgeMaker* m_make{nullptr}; //!< makes that graph
    bool m_isDone{false};                     //!< see IsDone()
    bool m_isOver{false};                     //!< see IsOver(): here
    bool m_areAllOver{false};                 //!< see IsOver(): on all ranks
    std::map<Key, uint32_t> m_rows;           //!< of messages that more will be heard of
    std::map<Key, bool> m_repeated;           //!< from here, sent again until closed: has crossed
    /// Of rounds that no node of this rank has begun.
    std::map<::dpdl::Round, std::vector<::dpdl::Edge>> m_edges;
    std::vector<::dpdl::MixedShare> m_mixing; //!< what a node has mixed, as far as it has come
};

/**
 * @ingroup dpdl
 *
 * @brief Lets the simulator of this process take its events when a gateway says that they may run.
 * @param gateway to the other ranks, which outlives all events; nullptr: there are none any more
 */
void SetDpdlRankScheduler(DpdlMpiGateway* gateway);

} // namespace ns3

#endif // DPDL_MPI_GATEWAY_H
