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
 * @brief Returns the data from which the program can start a run again: program, folder, command
 *        line, and digests of the inputs.
 *
 * The result contains digests of the program with dpdl's libraries, and of each file that a word of
 * the command line names after `=` or `:`. The result also contains the environment variables that
 * affect the rounding of results.
 * @param program name of the scenario
 * @param trace path of the run's trace, as in the run's settings
 * @param words command line, starting with the program's path
 */
RunOrigin OriginOf(const std::string& program,
                   const std::string& trace,
                   const std::vector<std::string>& words);

/// Trace and command line of an incomplete run that the program resumes.
struct BegunRun
{
    std::string path;               ///< absolute path of the trace
    std::string trace;              ///< name of the trace, as given when the run began
    std::vector<std::string> words; ///< command line of the run, starting with the program's path
};

/**
 * @brief Reads the command line of an incomplete run. Changes the working directory to that in
 *        which the run began.
 * @param trace path of the run's trace
 * @param program name of this program
 * @throws UsageError if the trace cannot be read or the run cannot be resumed, or if a different
 *         program began the run
 */
BegunRun ReturnTo(const std::string& trace, const std::string& program);

/// Digest of all examples of a dataset (inputs, labels and owners), as 16 hexadecimal digits.
std::string DigestOf(const Dataset& data);

/// @brief Returns @p origin with digests of the run's inputs. An empty origin is returned
/// unchanged.
/// @param dataset digest of the run's examples, from DigestOf()
/// @param model name of the run's model
RunOrigin WithInputs(RunOrigin origin, const std::string& dataset, const std::string& model);

/// Paths of the files of a model, each followed by a space and its digest, separated by commas; ""
/// if the model has no files.
/// @param model name of the model
std::string DigestOfModel(const std::string& model);

/// Version of dpdl in this binary, for example `0.1.0`.
std::string BuildVersion();

/// Value of an environment variable; `not set` if the variable does not exist.
std::string EnvironmentValue(const char* name);

/// Current time in UTC, in the format 2026-01-02T03:04:05Z.
std::string TimeNow();

/**
 * @brief Metadata about this binary and its machine, for the trace's view `settings`: versions of
 *        dpdl and its libraries, git commit (empty outside of a clone), compiler, processor, SIMD
 *        level, and environment variables of the numeric libraries.
 */
Experiment::Metadata BuildFacts();

} // namespace dpdl

#endif // DPDL_EXPERIMENT_MAKE_RUN_ORIGIN_H
