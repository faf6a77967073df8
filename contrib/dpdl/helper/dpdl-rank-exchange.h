// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_RANK_EXCHANGE_H
#define DPDL_RANK_EXCHANGE_H

#include "dpdl/algorithm/learner-observer.h"
#include "dpdl/algorithm/share.h"
#include "dpdl/topology/graph-sequence.h"
#include "dpdl/training/parameters.h"

#include <cstdint>
#include <map>
#include <mpi.h>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Message from one rank to another about a share.
 *
 * The message is sent as raw bytes, so all ranks must run on the same type of machine.
 */
struct DpdlRankMessage
{
    /// Kind of the message.
    enum class Kind : uint32_t
    {
        /// A share was sent with lossPolicy=running-sum; sent to the rank that sums the link's
        /// shares.
        OWED,
        ARRIVAL, ///< a message will arrive at a node of the receiving rank
        LOST,    ///< a message is lost; sent to the target's rank, which writes the message's trace
                 ///< row
        /// A message is lost; sent to the sender's rank, which returns the message's mass to the
        /// sender.
        REFUND,
        MIX, ///< a node has mixed this share; sent to rank 0
    };

    /// Value of `vector` in a message without parameters.
    static constexpr uint32_t NO_VECTOR = UINT32_MAX;

    Kind kind{};                //!< kind of this message
    uint32_t vector{NO_VECTOR}; //!< index of the share's parameters among the vectors of the same
                                //!< exchange; MIX: round of the mixing
    uint32_t source{0};         //!< number of the node that sent the share
    uint32_t target{0};         //!< number of the node that receives the share; MIX: that mixed it
    uint32_t round{0};          //!< round of the share
    uint16_t chunk{0};  //!< chunk of the share; MIX: 1 if more shares of this mixing follow, else 0
    uint16_t copy{0};   //!< index of the transmission, from 0; > 0: a retransmission
    double weight{0.0}; //!< mixing weight of the share, in [0, 1]
    double mass{0.0};   //!< mantissa of the share's push-sum mass (ScaledDouble)
    int32_t exponent{0};        //!< exponent of the share's push-sum mass, a power of 2
    ::dpdl::MessageLoss loss{}; //!< LOST, REFUND: reason and place of the loss
    double sentAt{0.0};         //!< simulated time at which the share was sent, s
    double lostAt{0.0};         //!< LOST, REFUND: simulated time of the loss, s
    uint64_t scheduledAt{0};    //!< time of the event that sent the message, in ns-3's time steps
    uint64_t arrival{0};        //!< ARRIVAL, REFUND: time of arrival, in ns-3's time steps
    int64_t arriving{0};        //!< ARRIVAL: duration of the reception, in ns-3's time steps
    /// ARRIVAL: time at which the sender stops retransmitting, in ns-3's time steps; 0 without
    /// retransmission.
    int64_t givenUpAt{0};
    /// If isCompressed: round of the earlier share that the receiver needs to decode the
    /// difference.
    uint32_t reference{0};
    bool isCompressed{false}; //!< true: the parameters of the share are compressed
    bool isClosed{false}; //!< ARRIVAL: true if the message has no trace row, or its fate is already
                          //!< recorded there

    DpdlRankMessage() = default;

    /// Copies all data of a share except its parameters.
    /// @param share the share to send
    /// @param now current time, in ns-3's time steps
    DpdlRankMessage(const ::dpdl::Share& share, uint64_t now);

    /// The share, without its parameters and without the index of its trace row.
    ::dpdl::Share Share() const;
};

/**
 * @ingroup dpdl
 *
 * @brief Exchanges messages and parameters between the ranks of a run by MPI.
 *
 * The parameters are sent directly from the sender's vector into a vector of the receiver's pool. A
 * vector that a node sends to several nodes of a rank is transferred once.
 */
class DpdlRankExchange
{
  public:
    /// Value for "no event" as a time in ns-3's time steps, and for "no round".
    static constexpr uint64_t NEVER = UINT64_MAX;

    /// State of a rank that all ranks receive at each exchange.
    struct Standing
    {
        /// Earliest of the times of the rank's next event and of the arrivals of messages that it
        /// has just sent to other ranks, in ns-3's time steps; NEVER: none.
        uint64_t bound{NEVER};
        uint64_t asks{NEVER}; //!< round for whose graph the rank waits; NEVER: none
        bool isOver{false};   //!< true: the nodes of the rank have finished
    };

    /// Data that a rank has received from one rank.
    struct Parcel
    {
        Standing standing;                      //!< state of the sending rank
        std::vector<DpdlRankMessage> crossings; //!< received messages, in the order of sending
        /// Received parameters, by DpdlRankMessage::vector.
        std::vector<::dpdl::ParameterHandle> vectors;
    };

    /**
     * @param ranks number of ranks of the run
     * @param chunks division of the model's parameters into chunks
     * @param pool pool of vectors, which outlives this object
     * @param communicator MPI communicator of all ranks, used only by this object
     */
    DpdlRankExchange(uint32_t ranks,
                     const ::dpdl::ChunkLayout& chunks,
                     ::dpdl::ParameterPool& pool,
                     MPI_Comm communicator);

    /**
     * @brief Queues a message to another rank, with the parameters of its share, until the next
     *        Exchange().
     * @param share share that the message is about
     * @param rank index of the receiving rank
     * @param now current time, in ns-3's time steps
     * @return the queued message, in which the caller sets kind and times; valid until the next
     *        call
     */
    DpdlRankMessage& Add(const ::dpdl::Share& share, uint32_t rank, uint64_t now);

    /// Sends the queued messages and receives those of all other ranks; a collective call.
    /// @param mine state of this rank
    /// @return received data, by index of the sending rank, this rank included
    std::vector<Parcel> Exchange(const Standing& mine);

    /// Broadcasts edges; a collective call.
    /// @param[in,out] edges input on rank @p rank, output on all other ranks
    /// @param rank index of the rank that sends
    void Spread(std::vector<::dpdl::Edge>& edges, uint32_t rank) const;

  private:
    /// Data queued for a rank until the next exchange.
    struct Outgoing
    {
        std::vector<DpdlRankMessage> crossings; //!< messages to send, in the order of Add()
        /// Parameter vectors to send, each with the index of the chunk to send.
        std::vector<std::pair<::dpdl::ParameterHandle, uint16_t>> vectors;
        /// Index in `vectors`, by address of a vector's parameters and chunk.
        std::map<std::pair<const float*, uint16_t>, uint32_t> numbers;
    };

    std::vector<Parcel> ExchangeStandings(const Standing& mine) const;
    void SendTo(uint32_t rank, std::vector<MPI_Request>& requests) const;
    void ReceiveVectors(Parcel& parcel, uint32_t rank, std::vector<MPI_Request>& requests) const;

    ::dpdl::ChunkLayout m_chunks;     //!< division of the model's parameters into chunks
    ::dpdl::ParameterPool& m_pool;    //!< provides vectors for received parameters
    MPI_Comm m_communicator;          //!< communicator of all ranks, used only by this object
    std::vector<Outgoing> m_outgoing; //!< messages and vectors to send, by rank
};

} // namespace ns3

#endif // DPDL_RANK_EXCHANGE_H
