// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RUN_NEED_H
#define DPDL_EXPERIMENT_RUN_NEED_H

#include "dpdl/experiment/run-options.h"

#include <map>
#include <string>

namespace dpdl
{

/**
 * @brief What a run needs of its machine, estimated from its options before any work.
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

/**
 * @brief Estimates what a run needs; takes milliseconds, whatever the numbers in its options.
 * @throws UsageError if there is no such model, algorithm or dataset
 */
RunNeed NeedOf(const RunOptions& settings);

/**
 * @brief Refuses a run that this machine has no room for.
 * @param settings of the run
 * @param trace file that it will write
 * @throws UsageError with the need, what most of it is for, and what is available
 */
void CheckNeed(const RunOptions& settings, const std::string& trace);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RUN_NEED_H
