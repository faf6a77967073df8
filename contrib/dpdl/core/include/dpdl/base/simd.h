// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_SIMD_H
#define DPDL_BASE_SIMD_H

/**
 * @def DPDL_MULTIVERSION
 * @brief Compiles a function for AVX-512, AVX2 and plain x86-64; the loader picks the best version
 *        for the processor.
 *
 * Write DPDL_MULTIVERSION before the return type of a function with plain loops that the compiler
 * vectorises. All functions that are called there must be inline and without attributes.
 */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) &&       \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&                             \
    !defined(DPDL_NO_MULTIVERSION)
#define DPDL_MULTIVERSION                                                                          \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define DPDL_MULTIVERSION
#endif

// Defined if the compiler can put code for several SIMD levels into one program.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#define DPDL_SIMD_LEVELS
#endif

#include <vector>

namespace dpdl
{

/// SIMD levels of hand-written kernels. The kernels exist for code that the compiler does not
/// vectorise well.
enum class SimdLevel
{
    PORTABLE, ///< no vector extensions required
    AVX2,     ///< x86-64-v3: registers of 8 floats, fused multiply-add
    AVX512,   ///< x86-64-v4: registers of 16 floats
};

/// Levels supported by this processor, ascending.
const std::vector<SimdLevel>& SimdLevels();

/// Best SIMD level of this processor, or the level in the environment variable DPDL_SIMD (portable,
/// avx2, avx512).
/// @throws UsageError if the processor does not support that level
SimdLevel ResolveSimdLevel();

/// Name of a level: portable, avx2 or avx512.
const char* NameOf(SimdLevel level);

/**
 * @brief Selects the argument for a level.
 * @param level a level that the processor supports
 * @param portable result for SimdLevel::PORTABLE
 * @param avx2 result for SimdLevel::AVX2
 * @param avx512 result for SimdLevel::AVX512
 */
template <typename Kernels>
const Kernels&
OfLevel(SimdLevel level, const Kernels& portable, const Kernels& avx2, const Kernels& avx512)
{
    return level == SimdLevel::AVX512 ? avx512 : level == SimdLevel::AVX2 ? avx2 : portable;
}

} // namespace dpdl

#endif // DPDL_BASE_SIMD_H
