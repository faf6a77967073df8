// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RUN_WARNINGS_H
#define DPDL_EXPERIMENT_RUN_WARNINGS_H

#include "dpdl/experiment/resolve.h"

#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Warnings about options that have no effect, or an unexpected effect.
 * @param asked options given by the user
 * @param run resolved options
 * @return one line each
 */
std::vector<std::string> IdleOptions(const RunOptions& asked, const ResolvedRun& run);

/// Warnings about a user's dataset, one line each; empty: none. They name splits whose features
/// have different scales, targets that look like classes, and classes without training or test
/// examples.
std::vector<std::string> DatasetWarnings(const ResolvedLearning& run);

/// Warnings about the noise and the certified guarantee of the plan, one line each; empty: none.
std::vector<std::string> PrivacyWarnings(const ResolvedRun& run);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RUN_WARNINGS_H
