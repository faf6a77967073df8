// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_SAMPLER_NAMES_H
#define DPDL_PRIVACY_SAMPLER_NAMES_H

#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// The ways of drawing a batch: what `account` and `audit` call them, and what a Release does. The
/// first is the default.
const std::vector<std::pair<std::string, std::string>>& SamplerNames();

} // namespace dpdl

#endif // DPDL_PRIVACY_SAMPLER_NAMES_H
