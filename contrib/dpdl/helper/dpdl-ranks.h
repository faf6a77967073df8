// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_RANKS_H
#define DPDL_RANKS_H

#include "dpdl/experiment/experiment.h"

#include "ns3/dpdl-gateway.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"

#include <memory>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief The processes that simulate one run together: mpirun, or srun, started them.
 *
 * A program that was started by itself is the only rank, with or without MPI. In a build without
 * MPI one that mpirun started is refused, because every process would do the whole run.
 *
 * Create it first of all, and one only. It ends MPI when it goes.
 */
class DpdlRanks
{
  public:
    /**
     * @param argc as given to main
     * @param argv as given to main
     * @throws dpdl::UsageError if there are several processes and the build has no MPI
     */
    DpdlRanks(int& argc, char**& argv);
    ~DpdlRanks();
    DpdlRanks(const DpdlRanks&) = delete;
    DpdlRanks& operator=(const DpdlRanks&) = delete;

    /// Which of the ranks this process is.
    ::dpdl::RunPart Part() const
    {
        return m_part;
    }

    /// True if this process speaks for all.
    bool IsFirst() const
    {
        return m_part.rank == 0;
    }

    /// To the other ranks; empty if there are none.
    std::shared_ptr<::dpdl::RankLink> Link() const
    {
        return m_link;
    }

    /**
     * @brief Distinguishes the ranks by their system ids.
     * @param count how many
     * @return all nodes of the run, those of the other ranks as mere numbers
     */
    NodeContainer CreateNodes(uint32_t count) const;

    /// Ranks on this machine, this one included.
    uint32_t Here() const;

    /// Threads that this rank may compute with: its part of the machine's cores.
    unsigned Workers() const;

    /**
     * @brief Waits for all ranks.
     * @param failed this one cannot go on
     * @return the first rank that cannot go on; their number if all can
     */
    uint32_t FirstFailure(bool failed) const;

    /**
     * @brief Makes the way to the other ranks; after all nodes of the run, on every rank.
     * @param experiment the run, which outlives the gateway
     * @param lookAhead no message that crosses ranks takes less; at least 1 ns
     * @param feedback after a loss its sender may take its mass back, under the policy refund
     * @return the gateway; empty if there are no other ranks
     */
    std::shared_ptr<DpdlGateway> MakeGateway(::dpdl::Experiment& experiment,
                                             Time lookAhead,
                                             Time feedback) const;

    /// Ends all ranks at once. @param status of this program
    void Abort(int status) const;

  private:
    ::dpdl::RunPart m_part;                   //!< see Part()
    std::shared_ptr<::dpdl::RankLink> m_link; //!< see Link()
    bool m_joined{false};                     //!< MPI was begun
};

} // namespace ns3

#endif // DPDL_RANKS_H
