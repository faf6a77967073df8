// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_RANK_EXCHANGE_H
#define DPDL_RANK_EXCHANGE_H

#include "dpdl/algorithm/learner-observer.h"
#include "dpdl/algorithm/share.h"
#include "dpdl/topology/graph-sequence.h"
#include "dpdl/training/chunk-layout.h"

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
 * @brief Something that one rank tells another about a share.
 *
 * All ranks of a run are of one machine type: this travels as it is.
 */
struct DpdlCrossing
{
    /// Kind of the message.
    enum class Kind : uint32_t
    {
        OWED,    ///< a share leaves on a link that keeps sums
        ARRIVAL, ///< a message will arrive
        LOST,    ///< a message does not arrive that its target's rank has the row of
        REFUND,  ///< a message is lost, and its mass goes back to its sender
        MIX,     ///< a share that a node has mixed
    };

    /// No parameters come with it.
    static constexpr uint32_t NO_VECTOR = UINT32_MAX;

    Kind kind{};                //!< what it is
    uint32_t vector{NO_VECTOR}; //!< number of its parameters; MIX: round of the mixing
    uint32_t source{0};         //!< see dpdl::Share
    uint32_t target{0};         //!< see dpdl::Share; MIX: who mixed it
    uint32_t round{0};          //!< see dpdl::Share
    uint16_t chunk{0};          //!< see dpdl::Share; MIX: how many shares of the mixing follow
    uint16_t copy{0};           //!< see dpdl::Share
    double weight{0.0};         //!< see dpdl::Share
    double mass{0.0};           //!< see dpdl::Share: mantissa
    int32_t exponent{0};        //!< see dpdl::Share: of the mass
    ::dpdl::MessageLoss loss{}; //!< LOST, REFUND: why and where
    double sentAt{0.0};         //!< see dpdl::Share
    double lostAt{0.0};         //!< LOST, REFUND: when, in seconds
    uint64_t scheduledAt{0};    //!< when it was caused, in steps of the clock
    uint64_t arrival{0};        //!< ARRIVAL, REFUND: when, in steps of the clock
    int64_t arriving{0};        //!< ARRIVAL: how long its bits take to arrive
    int64_t givenUpAt{0};       //!< ARRIVAL: see DpdlMessage
    uint32_t reference{0};      //!< see dpdl::Share
    bool isCompressed{false};   //!< see dpdl::Share
    bool isClosed{false};       //!< ARRIVAL: its row is closed already, or it has none

    DpdlCrossing() = default;

    /// @param share what it is about @param now in steps of the clock
    DpdlCrossing(const ::dpdl::Share& share, uint64_t now);

    /// The share, without its parameters and its row.
    ::dpdl::Share Share() const;
};

/**
 * @ingroup dpdl
 *
 * @brief Carries crossings and parameters between the ranks of a run by MPI.
 *
 * The parameters go straight from the vector of the sender into one of the receiver. What a node
 * sends to several nodes of a rank at a time goes there once.
 */
class DpdlRankExchange
{
  public:
    /// The time of no event, in steps of ns-3's clock, and no round.
    static constexpr uint64_t NEVER = UINT64_MAX;

    /// State of a rank that all others receive at each exchange.
    struct Standing
    {
        uint64_t bound{NEVER}; //!< nothing happens on it, or is caused by it, before that
        uint64_t asks{NEVER};  //!< the round whose graph it waits for; NEVER: none
        bool isOver{false};    //!< nothing is left to do on it
    };

    /// Data that a rank has received from another one.
    struct Parcel
    {
        Standing standing;                            //!< of the other one
        std::vector<DpdlCrossing> crossings;          //!< in order
        std::vector<::dpdl::ParameterHandle> vectors; //!< by number
    };

    /**
     * @param ranks of the run
     * @param chunks how models are cut
     * @param pool of vectors, which outlives this
     * @param communicator of all ranks, for this alone
     */
    DpdlRankExchange(uint32_t ranks,
                     const ::dpdl::ChunkLayout& chunks,
                     ::dpdl::ParameterPool& pool,
                     MPI_Comm communicator);

    /**
     * @brief Keeps a crossing, with the parameters of its share, until the next Exchange().
     * @return the crossing, to be filled in
     */
    DpdlCrossing& Add(const ::dpdl::Share& share, uint32_t rank, uint64_t now);

    /// Exchanges what has been added; all ranks call it. @return by rank, this one included
    std::vector<Parcel> Exchange(const Standing& mine);

    /// Brings the edges of one rank to all, which call it. @param rank whose @param edges there
    void Spread(std::vector<::dpdl::Edge>& edges, uint32_t rank) const;

  private:
    /// What waits for a rank until the next exchange.
    struct Outgoing
    {
        std::vector<DpdlCrossing> crossings;                               //!< in order
        std::vector<std::pair<::dpdl::ParameterHandle, uint16_t>> vectors; //!< and their chunks
        std::map<std::pair<const float*, uint16_t>, uint32_t> numbers;     //!< of vectors
    };

    std::vector<Parcel> ExchangeStandings(const Standing& mine) const;
    void SendTo(uint32_t rank, std::vector<MPI_Request>& requests) const;
    void ReceiveVectors(Parcel& parcel, uint32_t rank, std::vector<MPI_Request>& requests) const;

    ::dpdl::ChunkLayout m_chunks;     //!< see DpdlRankExchange()
    ::dpdl::ParameterPool& m_pool;    //!< see DpdlRankExchange()
    MPI_Comm m_communicator;          //!< see DpdlRankExchange()
    std::vector<Outgoing> m_outgoing; //!< by rank
};

} // namespace ns3

#endif // DPDL_RANK_EXCHANGE_H
