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
 * @brief Memory and disk space that a run needs, estimated from its options before any work.
 *
 * The sizes of a node, a message and a round were measured; the test `system-need` compares the
 * sums with real runs. Memory of activations, of a device and of other processes is not included.
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

/// Key of the entry of RunNeed::memory that only the first rank of a run needs.
constexpr const char* NEED_OF_Q = "q (nodes, topology)";

/**
 * @brief Estimates the need of a run; takes milliseconds for any options.
 * @param settings of the run
 * @param ranks number of processes of the run, >= 1
 * @return need of the first rank; the others need the same, without q
 * @throws UsageError if there is no such model, algorithm or dataset
 */
RunNeed NeedOf(const RunOptions& settings, std::uint32_t ranks = 1);

/// Lower bound on the memory of the nodes and messages of a run in bytes, for any model; reads no
/// file.
double LeastBytes(const NetworkSettings& settings);

/// Available memory in bytes: the smaller of the machine's and the control group's; file caches
/// count as free. Infinity if the kernel does not report it.
double MemoryAtHand();

/**
 * @brief Rejects a run that exceeds the available memory or disk space.
 * @param settings of the run
 * @param trace file that it will write
 * @param ranks number of processes of the run, >= 1
 * @param here number of the run's processes on this machine, 1..ranks
 * @throws UsageError with the need, the purpose with the largest need, and the available amount
 */
void CheckNeed(const RunOptions& settings,
               const std::string& trace,
               std::uint32_t ranks = 1,
               std::uint32_t here = 1);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RUN_NEED_H
