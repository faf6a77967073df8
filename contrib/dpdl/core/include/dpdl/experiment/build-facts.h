// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_BUILD_FACTS_H
#define DPDL_EXPERIMENT_BUILD_FACTS_H

#include "dpdl/experiment/experiment.h"

#include <string>

namespace dpdl
{

/// Version of dpdl from which this binary was built, for example `0.1.0`.
std::string BuildVersion();

/// Value of an environment variable; `not set` if it does not exist.
std::string EnvironmentValue(const char* name);

/// Present time in UTC, as in 2026-01-02T03:04:05Z.
std::string TimeNow();

/**
 * @brief Versions of this binary and of its machine: dpdl, LibTorch, BLAS, SQLite, the compiler and
 *        the processor. For the trace's `settings`.
 */
Experiment::Metadata BuildFacts();

} // namespace dpdl

#endif // DPDL_EXPERIMENT_BUILD_FACTS_H
