// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_MPI_GATEWAY_H
#define DPDL_MPI_GATEWAY_H

#include "dpdl/experiment/experiment.h"

#include "ns3/dpdl-gateway.h"
#include "ns3/node-container.h"

#include <map>
#include <memory>
#include <mpi.h>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Carries messages between ranks by ns-3's MPI simulator.
 *
 * Of each message its packet travels the way that ns-3 sends packets to other ranks, so that the
 * simulators know of it when they agree on how far they may go. The parameters go beside it,
 * straight from the vector of the sender into one of the receiver: ns-3 has no room for them. What
 * a node sends to several nodes of a rank at one time goes there once.
 *
 * A rank has one more ns-3 node, behind those of the run, which stands for it: messages reach it,
 * and channels between these nodes give ns-3 the look-ahead.
 */
class DpdlMpiGateway : public DpdlGateway
{
  public:
    /**
     * @param experiment the run, which outlives this
     * @param lookAhead no message takes less; at least 2 ns
     * @param communicator of all ranks, for parameters alone
     * @throws dpdl::UsageError if the look-ahead is too short
     */
    DpdlMpiGateway(::dpdl::Experiment& experiment, Time lookAhead, MPI_Comm communicator);
    ~DpdlMpiGateway() override;
    DpdlMpiGateway(const DpdlMpiGateway&) = delete;
    DpdlMpiGateway& operator=(const DpdlMpiGateway&) = delete;

    bool IsElsewhere(uint32_t node) const override;
    void Send(const DpdlMessage& message, Time delay) override;

  private:
    /// A message that leaves at this moment.
    struct Leaving
    {
        DpdlMessage message; //!< what was sent
        Time arrival;        //!< when it arrives
    };

    /// Parameters that go to a rank.
    struct Payload
    {
        uint32_t number{0}; //!< among those from here to that rank
        uint32_t uses{0};   //!< messages that they belong to
    };

    /// Parameters that came.
    struct Arrived
    {
        ::dpdl::ParameterHandle z; //!< values
        uint32_t left{0};          //!< messages still to come
    };

    /// Rank, vector and chunk, in the order in which nodes send.
    using PayloadKey = std::pair<uint32_t, std::pair<const float*, uint16_t>>;

    PayloadKey KeyOf(const ::dpdl::Share& share) const;
    void Connect(Time lookAhead);
    void Flush();
    void SendParameters(const ::dpdl::Share& share, uint32_t rank, uint32_t number);
    void FreeSent();
    void Take(Ptr<Packet> packet);
    ::dpdl::ParameterHandle TakeParameters(const ::dpdl::Share& share,
                                           uint32_t number,
                                           uint32_t uses);

    ::dpdl::Experiment& m_experiment; //!< the run
    Time m_lookAhead;                 //!< see DpdlMpiGateway()
    MPI_Comm m_communicator;          //!< see DpdlMpiGateway()
    uint32_t m_tags{0};               //!< numbers that MPI distinguishes
    NodeContainer m_ranks;            //!< by rank, the node that stands for it
    std::vector<Leaving> m_leaving;   //!< of this moment
    std::vector<uint32_t> m_numbers;  //!< by rank, of the next payload
    std::vector<std::pair<::dpdl::ParameterHandle, MPI_Request>> m_sent; //!< may be read still
    std::map<std::pair<uint32_t, uint32_t>, Arrived> m_arrived; //!< by rank and number, in use
};

} // namespace ns3

#endif // DPDL_MPI_GATEWAY_H
