// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RUN_NEED_H
#define DPDL_EXPERIMENT_RUN_NEED_H

#include "dpdl/experiment/run-options.h"

#include <cstdint>
#include <map>
#include <string>

namespace dpdl
{

/**
 * @brief Estimated memory and disk space of a run, computed from its options.
 *
 * The estimate uses measured sizes of a node, a message and a round. The test `system-need`
 * compares it with real runs. Memory of activations, of a GPU and of other processes is not
 * included.
 */
struct RunNeed
{
    std::map<std::string, double> memory; ///< memory in bytes, by purpose
    std::map<std::string, double> disk;   ///< size of the trace in bytes, by purpose

    /// Memory of the run in bytes: the sum over all purposes.
    double MemoryBytes() const;

    /// Size of the trace in bytes: the sum over all purposes.
    double DiskBytes() const;
};

/// Key of the entry in RunNeed::memory for measuring the contraction factor q. Only rank 0 measures
/// q, so the other ranks do not need this memory.
constexpr const char* NEED_OF_Q = "q (nodes, topology)";

/**
 * @brief Estimates memory and disk space of a run, in bytes. Takes milliseconds.
 * @param settings options of the run
 * @param ranks number of processes of the run, >= 1
 * @return need of rank 0 alone, in bytes. The need of every other rank is the same without the
 *         entry RunNeed::memory[NEED_OF_Q]
 * @throws UsageError if there is no such model, algorithm or dataset
 */
RunNeed NeedOf(const RunOptions& settings, std::uint32_t ranks = 1);

/// Lower bound on the memory of a run's nodes and messages, in bytes, for any model. Reads no file.
double LeastBytes(const NetworkSettings& settings);

/// Available memory in bytes: the smaller of the available memory of the machine and that of the
/// process's control group. File caches count as available. Infinity if the kernel does not report
/// it.
double MemoryAtHand();

/**
 * @brief Rejects a run that exceeds the available memory or disk space.
 * @param settings options of the run
 * @param trace path of the trace that the run will write
 * @param ranks number of processes of the run, >= 1
 * @param here number of the run's processes on this machine, 1..ranks
 * @throws UsageError naming the needed bytes, the purpose with the largest need, and the available
 *         bytes
 */
void CheckNeed(const RunOptions& settings,
               const std::string& trace,
               std::uint32_t ranks = 1,
               std::uint32_t here = 1);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RUN_NEED_H
