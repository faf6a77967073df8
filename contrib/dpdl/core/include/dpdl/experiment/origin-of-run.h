// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_ORIGIN_OF_RUN_H
#define DPDL_EXPERIMENT_ORIGIN_OF_RUN_H

#include "dpdl/trace/run-origin.h"

#include <string>
#include <vector>

namespace dpdl
{

struct Dataset;

/**
 * @brief Program, command line and inputs that make the same run again.
 *
 * Holds the digest of the program and dpdl's libraries, of each file that a word names (behind `=`
 * or a colon), and the variables of the environment that last bits depend on.
 * @param program the scenario's name
 * @param trace the run's trace, as its settings name it
 * @param words the command line, the program's path first
 */
RunOrigin OriginOf(const std::string& program,
                   const std::string& trace,
                   const std::vector<std::string>& words);

/// A begun run, as its program resumes it.
struct BegunRun
{
    std::string path;               ///< of the trace, absolute
    std::string trace;              ///< its name when the run began
    std::vector<std::string> words; ///< the command line, the program's path first
};

/**
 * @brief Reads how an incomplete run was begun, and goes to the folder where that was.
 * @param trace its path
 * @param program the name of this program
 * @throws UsageError if that is not possible, or another program has begun it
 */
BegunRun ReturnTo(const std::string& trace, const std::string& program);

/// A digest of all examples with their labels and owners.
std::string DigestOf(const Dataset& data);

/// @brief Adds digests of what a run reads to an origin that is not empty.
/// @param dataset digest of its examples @param model name of its model
RunOrigin WithInputs(RunOrigin origin, const std::string& dataset, const std::string& model);

/// The files of a model, each with a digest; empty if it has none. @param model its name
std::string DigestOfModel(const std::string& model);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_ORIGIN_OF_RUN_H
