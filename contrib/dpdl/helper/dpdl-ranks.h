// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_RANKS_H
#define DPDL_RANKS_H

#include "dpdl/experiment/experiment.h"

#include "ns3/dpdl-gateway.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/nstime.h"

#include <memory>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief The MPI processes (ranks) that simulate one run together, started by mpirun or srun.
 *
 * A program started without a launcher is the only rank, with or without MPI. In a build without
 * MPI, the constructor throws if a launcher started several processes: each would simulate the
 * whole run.
 *
 * Create exactly one object, at the start of main(). Its destructor finalises MPI.
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

    /// Index of this rank, and the number of ranks.
    ::dpdl::RankBlock Part() const
    {
        return m_part;
    }

    /// True for rank 0, which prints the messages of all ranks.
    bool IsFirst() const
    {
        return m_part.rank == 0;
    }

    /// Object for collective calls among all ranks; empty if there are no other ranks.
    std::shared_ptr<::dpdl::RankLink> Link() const
    {
        return m_link;
    }

    /**
     * @brief Creates the nodes of a run. The system id of each node is the rank that simulates it.
     * @param count number of nodes of the run
     * @return all nodes of the run; nodes that other ranks simulate get no application here
     */
    NodeContainer CreateNodes(uint32_t count) const
    {
        NodeContainer nodes;
        for (uint32_t node = 0; node < count; ++node)
        {
            nodes.Add(CreateObject<Node>(m_part.RankOf(node, count)));
        }
        return nodes;
    }

    /// Number of ranks on this machine, this rank included; a collective call.
    uint32_t Here() const;

    /// Default number of compute threads of this rank. It is the number of cores to which the rank
    /// is bound. A rank that is not bound gets an equal fraction of the machine's cores. Returns 0,
    /// which stands for all cores, if there are no other ranks.
    unsigned Workers() const;

    /**
     * @brief Waits for all ranks and finds the first that has failed; a collective call.
     * @param failed true if this rank has failed
     * @return index of the first rank that has failed; the number of ranks if no rank has failed
     */
    uint32_t FirstFailure(bool failed) const;

    /**
     * @brief Creates the gateway to the other ranks; call it on every rank after creating all
     * nodes.
     * @param experiment the run, which outlives the gateway
     * @param lookAhead minimum transfer time of a message between ranks; at least 1 ns
     * @param feedback time from a loss until its sender takes the mass back, under policy refund
     * @return the gateway; empty if there are no other ranks
     */
    std::shared_ptr<DpdlGateway> MakeGateway(::dpdl::Experiment& experiment,
                                             Time lookAhead,
                                             Time feedback) const;

    /// Ends all ranks immediately; does not return.
    /// @param status exit status of the program
    void Abort(int status) const;

  private:
    ::dpdl::RankBlock m_part; //!< index of this rank, and the number of ranks
    /// Object for collective calls among all ranks; empty: one process.
    std::shared_ptr<::dpdl::RankLink> m_link;
    bool m_joined{false}; //!< true: this object initialised MPI, and finalises it
};

} // namespace ns3

#endif // DPDL_RANKS_H
