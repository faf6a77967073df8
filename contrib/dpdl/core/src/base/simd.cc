// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/simd.h"

#include "dpdl/base/errors.h"

#include <cstdlib>
#include <cstring>
#include <string>

namespace dpdl
{

namespace
{

std::vector<SimdLevel>
DetectLevels()
{
    std::vector<SimdLevel> levels{SimdLevel::PORTABLE};
#ifdef DPDL_SIMD_LEVELS
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2"))
    {
        levels.push_back(SimdLevel::AVX2);
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512vl"))
        {
            levels.push_back(SimdLevel::AVX512);
        }
    }
#endif
    return levels;
}

SimdLevel
ChooseLevel()
{
    const char* wanted = std::getenv("DPDL_SIMD");
    if (wanted == nullptr || *wanted == '\0')
    {
        return SimdLevels().back();
    }
    std::string accepted = "a level of this processor:";
    for (const SimdLevel level : SimdLevels())
    {
        if (std::strcmp(wanted, NameOf(level)) == 0)
        {
            return level;
        }
        accepted += std::string(" ") + NameOf(level);
    }
    throw UsageError("environment variable DPDL_SIMD", wanted, accepted);
}

} // namespace

const std::vector<SimdLevel>&
SimdLevels()
{
    static const std::vector<SimdLevel> levels = DetectLevels();
    return levels;
}

SimdLevel
ResolveSimdLevel()
{
    static const SimdLevel level = ChooseLevel();
    return level;
}

const char*
NameOf(SimdLevel level)
{
    switch (level)
    {
    case SimdLevel::AVX512:
        return "avx512";
    case SimdLevel::AVX2:
        return "avx2";
    case SimdLevel::PORTABLE:
        break;
    }
    return "portable";
}

} // namespace dpdl
