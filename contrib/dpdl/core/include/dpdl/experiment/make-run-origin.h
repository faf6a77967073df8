// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_MAKE_RUN_ORIGIN_H
#define DPDL_EXPERIMENT_MAKE_RUN_ORIGIN_H

#include "dpdl/experiment/experiment.h"
#include "dpdl/trace/run-origin.h"

#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Program, command line and inputs that reproduce a run.
 *
 * Contains the digests of the program with dpdl's libraries and of each file that a word of the
 * command line names, after `=` or `:`. It also contains the environment variables that affect the
 * last bits of results.
 * @param program the scenario's name
 * @param trace the run's trace, as named in its settings
 * @param words the command line, starting with the program's path
 */
RunOrigin OriginOf(const std::string& program,
                   const std::string& trace,
                   const std::vector<std::string>& words);

/// An incomplete run that its program resumes.
struct BegunRun
{
    std::string path;               ///< absolute path of the trace
    std::string trace;              ///< name of the trace when the run began
    std::vector<std::string> words; ///< the command line, starting with the program's path
};

/**
 * @brief Reads the command line of an incomplete run, and changes to the folder in which it began.
 * @param trace path of the run's trace
 * @param program the name of this program
 * @throws UsageError if that is not possible, or another program began the run
 */
BegunRun ReturnTo(const std::string& trace, const std::string& program);

/// Digest of all examples with their labels and owners, as 16 hexadecimal digits.
std::string DigestOf(const Dataset& data);

/// @brief Appends digests of a run's inputs to @p origin; an empty origin is returned unchanged.
/// @param dataset digest of its examples, from DigestOf() @param model name of its model
RunOrigin WithInputs(RunOrigin origin, const std::string& dataset, const std::string& model);

/// The files of a model, each with a digest; empty if it has no files. @param model name of the
/// model
std::string DigestOfModel(const std::string& model);

/// Version of dpdl from which this binary was built, for example `0.1.0`.
std::string BuildVersion();

/// Value of an environment variable; `not set` if it does not exist.
std::string EnvironmentValue(const char* name);

/// Present time in UTC, as in 2026-01-02T03:04:05Z.
std::string TimeNow();

/**
 * @brief Versions of this binary and of its machine: dpdl, its commit (empty outside of a clone),
 *        LibTorch, BLAS, SQLite, the compiler and the processor. For the trace's `settings`.
 */
Experiment::Metadata BuildFacts();

} // namespace dpdl

#endif // DPDL_EXPERIMENT_MAKE_RUN_ORIGIN_H
