// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/build-facts.h"

#include "dpdl/base/simd.h"

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <gnu/libc-version.h>

namespace dpdl
{

namespace
{

/// Name of the processor as reported by Linux.
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

} // namespace

std::string
EnvironmentValue(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? "not set" : value;
}

std::string
TimeNow()
{
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

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
            {"Boost", DPDL_BOOST_VERSION},
            {"SQLite", DPDL_SQLITE_VERSION},
            {"compiler", __VERSION__},
            {"glibc", gnu_get_libc_version()},
            {"cpu", ProcessorName()},
            {"simd", NameOf(ResolveSimdLevel())},
            {"gpu", "none used"},
            {"OPENBLAS_CORETYPE", EnvironmentValue("OPENBLAS_CORETYPE")},
            {"OMP_NUM_THREADS", EnvironmentValue("OMP_NUM_THREADS")}};
}

} // namespace dpdl
