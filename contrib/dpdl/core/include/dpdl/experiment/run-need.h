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
 * @brief Memory and time that a run needs, estimated from its options before any work.
 *
 * The figures of a node, a message and a round were measured; the test `system-need` compares the
 * sums with what runs take. Memory of activations, of a device and of other processes is not in
 * them.
 */
struct RunNeed
{
    std::map<std::string, double> memory; ///< bytes, by what they are for
    std::map<std::string, double> disk;   ///< bytes of the trace, by what they are for

    /// All bytes of memory.
    double MemoryBytes() const;

    /// All bytes of disk.
    double DiskBytes() const;
};

/// The part of RunNeed::memory that the first rank of a run alone needs.
constexpr const char* NEED_OF_Q = "q (nodes, topology)";

/**
 * @brief Estimates what a run needs; takes milliseconds, whatever the numbers in its options.
 * @param settings of the run
 * @param ranks processes that it is cut into, >= 1
 * @return what the first of them needs; the others need as much, without q
 * @throws UsageError if there is no such model, algorithm or dataset
 */
RunNeed NeedOf(const RunOptions& settings, std::uint32_t ranks = 1);

/// Least memory of the nodes and messages of a run, whatever their models; reads no file.
double LeastBytes(const RunOptions& settings);

/// Bytes of memory that may still be had: of the machine, or of the control group that it is cut
/// into; what files take in a cache counts as free. Infinity if the kernel does not say.
double MemoryAtHand();

/**
 * @brief Refuses a run that this machine has no room for.
 * @param settings of the run
 * @param trace file that it will write
 * @param ranks processes that it is cut into, >= 1
 * @param here how many of these are on this machine, 1..ranks
 * @throws UsageError with the need, what most of it is for, and what is available
 */
void CheckNeed(const RunOptions& settings,
               const std::string& trace,
               std::uint32_t ranks = 1,
               std::uint32_t here = 1);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RUN_NEED_H
