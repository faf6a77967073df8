// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * Implementation of DpdlRanks in builds with MPI.
 */

#include "dpdl-mpi-gateway.h"
#include "dpdl-ranks.h"

#include <algorithm>
#include <cstdlib>
#include <mpi.h>
#include <thread>
#include <unistd.h>

namespace ns3
{

namespace
{

/// True if a launcher such as mpirun started this process.
bool
HasLauncher()
{
    const auto names = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
    return std::any_of(names.begin(), names.end(), [](const char* name) {
        return std::getenv(name) != nullptr;
    });
}

/// Communicator of DpdlMpiGateway, so its messages are not confused with collective calls of
/// DpdlRanks.
MPI_Comm g_messages = MPI_COMM_NULL;

/// Implements RankLink: collective calls among all ranks.
class MpiRankLink : public ::dpdl::RankLink
{
  public:
    uint64_t Least(uint64_t mine) override
    {
        MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
        return mine;
    }

    void Chain(std::vector<double>& running, const std::function<void()>& add) override
    {
        int rank = 0;
        int ranks = 1;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        const int count = static_cast<int>(running.size());
        if (rank > 0)
        {
            MPI_Recv(running.data(),
                     count,
                     MPI_DOUBLE,
                     rank - 1,
                     0,
                     MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        }
        add();
        if (rank + 1 < ranks)
        {
            MPI_Send(running.data(), count, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);
        }
        MPI_Bcast(running.data(), count, MPI_DOUBLE, ranks - 1, MPI_COMM_WORLD);
    }
};

} // namespace

DpdlRanks::DpdlRanks(int& argc, char**& argv)
{
    if (!HasLauncher())
    {
        return;
    }
    MPI_Init(&argc, &argv);
    m_joined = true;
    int rank = 0;
    int ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    m_part = {static_cast<uint32_t>(rank), static_cast<uint32_t>(ranks)};
    if (!m_part.IsWhole())
    {
        m_link = std::make_shared<MpiRankLink>();
        MPI_Comm_dup(MPI_COMM_WORLD, &g_messages);
    }
}

DpdlRanks::~DpdlRanks()
{
    if (!m_part.IsWhole())
    {
        MPI_Comm_free(&g_messages);
    }
    if (m_joined)
    {
        MPI_Finalize();
    }
}

uint32_t
DpdlRanks::Here() const
{
    if (m_part.IsWhole())
    {
        return 1;
    }
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    int here = 1;
    MPI_Comm_size(machine, &here);
    MPI_Comm_free(&machine);
    return static_cast<uint32_t>(here);
}

unsigned
DpdlRanks::Workers() const
{
    if (m_part.IsWhole())
    {
        return 0;
    }
    // A rank that is bound to some cores uses all of them; hardware_concurrency() counts only these
    // cores. If it is not bound, the ranks of the machine share its cores.
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    const bool isBound = cores < static_cast<unsigned>(sysconf(_SC_NPROCESSORS_ONLN));
    return isBound ? cores : std::max(1U, cores / Here());
}

uint32_t
DpdlRanks::FirstFailure(bool failed) const
{
    const uint32_t first = failed ? m_part.rank : m_part.ranks;
    return m_link ? static_cast<uint32_t>(m_link->Least(first)) : first;
}

std::shared_ptr<DpdlGateway>
DpdlRanks::MakeGateway(::dpdl::Experiment& experiment, Time lookAhead, Time feedback) const
{
    return m_part.IsWhole()
               ? nullptr
               : std::make_shared<DpdlMpiGateway>(experiment, lookAhead, feedback, g_messages);
}

void
DpdlRanks::Abort(int status) const
{
    if (!m_part.IsWhole())
    {
        MPI_Abort(MPI_COMM_WORLD, status);
    }
    std::exit(status);
}

} // namespace ns3
