// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef SCENARIOS_SINGLE_FAILURES_H
#define SCENARIOS_SINGLE_FAILURES_H

#include "dpdl/experiment/run-settings.h"

#include <cstddef>
#include <string>
#include <vector>

/// The links that the topology of @p settings ever uses, in order, in the failure language; a
/// choice of @p most of them by the seed if there are more.
std::vector<std::string> LinksOf(const dpdl::RunSettings& settings, std::size_t most);

/// The nodes, in order; a choice of @p most of them by the seed if there are more.
std::vector<std::string> NodesOf(const dpdl::RunSettings& settings, std::size_t most);

#endif // SCENARIOS_SINGLE_FAILURES_H
