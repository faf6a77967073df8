// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "machine-facts.h"

#include "dpdl/base/quantity.h"
#include "dpdl/experiment/build-facts.h"

#include <array>
#include <cstdlib>
#include <thread>

extern "C"
{
    // There with OpenBLAS only.
    __attribute__((weak)) char* openblas_get_corename();
    __attribute__((weak)) int openblas_get_num_threads();
    __attribute__((weak)) char* openblas_get_config();
}

namespace dpdl
{

namespace
{

std::string
Environment(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? "not set" : value;
}

/// The widest vector instructions for which the kernels have a variant.
std::string
VectorInstructions()
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0)
    {
        return "AVX-512";
    }
    if (__builtin_cpu_supports("avx2") != 0)
    {
        return "AVX2";
    }
#endif
    return "portable";
}

/// Mean number of processes that wanted to run, over 1, 5 and 15 minutes.
std::string
Load()
{
    std::array<double, 3> averages{};
    if (getloadavg(averages.data(), 3) != 3)
    {
        return "unknown";
    }
    return ShowRounded(averages[0], 3) + " " + ShowRounded(averages[1], 3) + " " +
           ShowRounded(averages[2], 3);
}

} // namespace

std::vector<std::pair<std::string, std::string>>
MachineFacts()
{
    std::vector<std::pair<std::string, std::string>> facts = BuildFacts();
    facts.emplace_back("commit", Environment("DPDL_COMMIT"));
    facts.emplace_back("cores", std::to_string(std::thread::hardware_concurrency()));
    facts.emplace_back("vector instructions", VectorInstructions());
    if (openblas_get_corename != nullptr && openblas_get_config != nullptr)
    {
        facts.emplace_back("OpenBLAS", openblas_get_config());
        facts.emplace_back("OpenBLAS kernels in force", openblas_get_corename());
    }
    if (openblas_get_num_threads != nullptr)
    {
        facts.emplace_back("BLAS threads", std::to_string(openblas_get_num_threads()));
    }
    facts.emplace_back("GLIBC_TUNABLES", Environment("GLIBC_TUNABLES"));
    facts.emplace_back("load", Load());
    return facts;
}

} // namespace dpdl
