// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BENCH_TRAFFIC_WORK_H
#define DPDL_BENCH_TRAFFIC_WORK_H

#include "dpdl/base/types.h"
#include "dpdl/training/gossip.h"

#include <string>
#include <vector>

namespace ns3
{

/// A run of messages.
struct Traffic
{
    std::uint32_t nodes;  ///< how many
    std::uint32_t degree; ///< receivers of a node, itself included
    dpdl::Round rounds;   ///< how many
    bool small;           ///< 7850 parameters instead of 26,010
    bool large;           ///< left out unless it is asked for

    double Messages() const
    {
        return 1.0 * nodes * (degree - 1) * static_cast<double>(rounds);
    }

    std::size_t Parameters() const
    {
        return small ? 7850 : 26010;
    }
};

/**
 * @brief Simulates messages with all that they pass: application, transport, learner, mixing,
 * trace.
 * @param traffic who sends how often
 * @param measureQ whether q is measured
 * @param trace file
 * @return processor seconds of the simulation, without building it
 */
double RunMessages(const Traffic& traffic, bool measureQ, const std::string& trace);

/// Processor seconds to install a thousand nodes with 9000 links, without reading the dataset.
/// @param trace file
double RunSetUp(const std::string& trace);

/// The models of all nodes, mixed as in a run of messages.
class MixingWork
{
  public:
    /// @param traffic who mixes how many
    explicit MixingWork(const Traffic& traffic);

    /// A round.
    void Run();

  private:
    dpdl::ParameterPool m_pool;                  ///< where the models are from
    std::vector<dpdl::MixTerm> m_terms;          ///< of one node
    std::vector<dpdl::ParameterHandle> m_before; ///< by node
    std::vector<dpdl::ParameterHandle> m_after;  ///< by node
};

} // namespace ns3

#endif // DPDL_BENCH_TRAFFIC_WORK_H
