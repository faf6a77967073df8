// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-rank-exchange.h"

#include <algorithm>
#include <array>

// One all-to-all call exchanges the states and the sizes; messages and parameter vectors follow as
// nonblocking point-to-point messages.

namespace ns3
{

namespace
{

constexpr int CROSSINGS = 0; // MPI tag of messages
constexpr int VECTORS = 1;

void
WaitForAll(std::vector<MPI_Request>& requests)
{
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    requests.clear();
}

} // namespace

DpdlRankMessage::DpdlRankMessage(const ::dpdl::Share& share, uint64_t now)
    : source(share.source),
      target(share.target),
      round(share.round),
      chunk(share.chunk),
      copy(share.copy),
      weight(share.weight),
      mass(share.mass.Mantissa()),
      exponent(share.mass.Exponent()),
      sentAt(share.sentAt),
      scheduledAt(now),
      reference(share.reference),
      isCompressed(share.isCompressed)
{
}

::dpdl::Share
DpdlRankMessage::Share() const
{
    ::dpdl::Share share;
    share.source = source;
    share.target = target;
    share.round = round;
    share.weight = weight;
    share.mass = ::dpdl::ScaledDouble::FromParts(mass, exponent);
    share.chunk = chunk;
    share.copy = copy;
    share.sentAt = sentAt;
    share.reference = reference;
    share.isCompressed = isCompressed;
    return share;
}

DpdlRankExchange::DpdlRankExchange(uint32_t ranks,
                                   const ::dpdl::ChunkLayout& chunks,
                                   ::dpdl::ParameterPool& pool,
                                   MPI_Comm communicator)
    : m_chunks(chunks),
      m_pool(pool),
      m_communicator(communicator),
      m_outgoing(ranks)
{
}

DpdlRankMessage&
DpdlRankExchange::Add(const ::dpdl::Share& share, uint32_t rank, uint64_t now)
{
    Outgoing& outgoing = m_outgoing[rank];
    DpdlRankMessage& crossing = outgoing.crossings.emplace_back(share, now);
    if (share.z)
    {
        const auto number = static_cast<uint32_t>(outgoing.vectors.size());
        const auto [entry, isNew] =
            outgoing.numbers.try_emplace({share.z->Data(), share.chunk}, number);
        if (isNew)
        {
            outgoing.vectors.emplace_back(share.z, share.chunk);
        }
        crossing.vector = entry->second;
    }
    return crossing;
}

std::vector<DpdlRankExchange::Parcel>
DpdlRankExchange::ExchangeStandings(const Standing& mine) const
{
    enum : std::size_t
    {
        COUNT,
        VECTOR_COUNT,
        BOUND,
        ASKS,
        OVER,
        WORDS
    };

    const std::size_t ranks = m_outgoing.size();
    std::vector<std::array<uint64_t, WORDS>> sent(ranks);
    std::vector<std::array<uint64_t, WORDS>> got(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank)
    {
        sent[rank] = {m_outgoing[rank].crossings.size(),
                      m_outgoing[rank].vectors.size(),
                      mine.bound,
                      mine.asks,
                      mine.isOver ? uint64_t{1} : 0};
    }
    MPI_Alltoall(sent.data(), WORDS, MPI_UINT64_T, got.data(), WORDS, MPI_UINT64_T, m_communicator);
    std::vector<Parcel> parcels(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank)
    {
        parcels[rank].standing = {got[rank][BOUND], got[rank][ASKS], got[rank][OVER] != 0};
        parcels[rank].crossings.resize(got[rank][COUNT]);
        parcels[rank].vectors.reserve(got[rank][VECTOR_COUNT]);
    }
    return parcels;
}

void
DpdlRankExchange::SendTo(uint32_t rank, std::vector<MPI_Request>& requests) const
{
    const Outgoing& own = m_outgoing[rank];
    const auto peer = static_cast<int>(rank);
    if (!own.crossings.empty())
    {
        MPI_Isend(own.crossings.data(),
                  static_cast<int>(own.crossings.size() * sizeof(DpdlRankMessage)),
                  MPI_BYTE,
                  peer,
                  CROSSINGS,
                  m_communicator,
                  &requests.emplace_back());
    }
    for (const auto& [vector, chunk] : own.vectors)
    {
        MPI_Isend(vector->Data() + m_chunks.Begin(chunk),
                  static_cast<int>(m_chunks.Size(chunk)),
                  MPI_FLOAT,
                  peer,
                  VECTORS,
                  m_communicator,
                  &requests.emplace_back());
    }
}

void
DpdlRankExchange::ReceiveVectors(Parcel& parcel,
                                 uint32_t rank,
                                 std::vector<MPI_Request>& requests) const
{
    for (const DpdlRankMessage& crossing : parcel.crossings)
    {
        if (crossing.kind != DpdlRankMessage::Kind::MIX && crossing.vector == parcel.vectors.size())
        {
            parcel.vectors.push_back(m_pool.Acquire());
            MPI_Irecv(parcel.vectors.back()->Data() + m_chunks.Begin(crossing.chunk),
                      static_cast<int>(m_chunks.Size(crossing.chunk)),
                      MPI_FLOAT,
                      static_cast<int>(rank),
                      VECTORS,
                      m_communicator,
                      &requests.emplace_back());
        }
    }
}

std::vector<DpdlRankExchange::Parcel>
DpdlRankExchange::Exchange(const Standing& mine)
{
    std::vector<Parcel> parcels = ExchangeStandings(mine);
    std::vector<MPI_Request> outgoing;
    std::vector<MPI_Request> incoming;
    for (uint32_t rank = 0; rank < parcels.size(); ++rank)
    {
        SendTo(rank, outgoing);
        std::vector<DpdlRankMessage>& crossings = parcels[rank].crossings;
        if (!crossings.empty())
        {
            MPI_Irecv(crossings.data(),
                      static_cast<int>(crossings.size() * sizeof(DpdlRankMessage)),
                      MPI_BYTE,
                      static_cast<int>(rank),
                      CROSSINGS,
                      m_communicator,
                      &incoming.emplace_back());
        }
    }
    WaitForAll(incoming);
    for (uint32_t rank = 0; rank < parcels.size(); ++rank)
    {
        ReceiveVectors(parcels[rank], rank, incoming);
    }
    WaitForAll(incoming);
    WaitForAll(outgoing);
    std::fill(m_outgoing.begin(), m_outgoing.end(), Outgoing());
    return parcels;
}

void
DpdlRankExchange::Spread(std::vector<::dpdl::Edge>& edges, uint32_t rank) const
{
    const auto root = static_cast<int>(rank);
    uint64_t count = edges.size();
    MPI_Bcast(&count, 1, MPI_UINT64_T, root, m_communicator);
    edges.resize(count);
    MPI_Bcast(edges.data(),
              static_cast<int>(count * sizeof(::dpdl::Edge)),
              MPI_BYTE,
              root,
              m_communicator);
}

} // namespace ns3
