// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/sampler-names.h"

namespace dpdl
{

const std::vector<std::pair<std::string, std::string>>&
SamplerNames()
{
    static const std::vector<std::pair<std::string, std::string>> NAMES{
        {"poisson", "poisson"},
        {"without-replacement", "fixed"},
        {"shuffle", "shuffle"},
        {"none", "full"}};
    return NAMES;
}

} // namespace dpdl
