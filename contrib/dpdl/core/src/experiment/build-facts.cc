// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/build-facts.h"

#include <cstdlib>
#include <fstream>

namespace dpdl
{

namespace
{

/// The processor's name as Linux gives it.
std::string
ProcessorName()
{
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line))
    {
        if (line.rfind("model name", 0) == 0)
        {
            const std::size_t colon = line.find(": ");
            return colon == std::string::npos ? line : line.substr(colon + 2);
        }
    }
    return "unknown";
}

std::string
Environment(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? "not set" : value;
}

} // namespace

std::string
BuildVersion()
{
    return DPDL_VERSION;
}

Experiment::Metadata
BuildFacts()
{
    return {{"dpdl", BuildVersion()},
            {"LibTorch", DPDL_TORCH_VERSION},
            {"compiler", __VERSION__},
            {"cpu", ProcessorName()},
            {"gpu", "none used"},
            {"OPENBLAS_CORETYPE", Environment("OPENBLAS_CORETYPE")},
            {"OMP_NUM_THREADS", Environment("OMP_NUM_THREADS")}};
}

} // namespace dpdl
