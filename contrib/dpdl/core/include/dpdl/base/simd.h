// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_SIMD_H
#define DPDL_BASE_SIMD_H

/**
 * @def DPDL_MULTIVERSION
 * @brief Compiles a function once for AVX-512, once for AVX2 and once for any x86-64; the loader
 *        picks the best that the processor has.
 *
 * Put it before the return type of a function with plain loops that the compiler vectorises. What
 * the function calls must be inline and without attributes.
 */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) &&       \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&                             \
    !defined(DPDL_NO_MULTIVERSION)
#define DPDL_MULTIVERSION                                                                          \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define DPDL_MULTIVERSION
#endif

// DPDL_SIMD_LEVELS says that one program can hold code for processors with and without AVX.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#define DPDL_SIMD_LEVELS
#endif

#include <vector>

namespace dpdl
{

/// Vector instructions that kernels are written for, where plain loops would not do.
enum class SimdLevel
{
    PORTABLE, ///< what every processor has
    AVX2,     ///< x86-64-v3: registers of 8 floats, fused multiply and add
    AVX512,   ///< x86-64-v4: registers of 16 floats
};

/// The levels that this processor has, from the least on.
const std::vector<SimdLevel>& SimdLevels();

/// The best level that this processor has, or a lesser one that DPDL_SIMD names in the environment
/// (portable, avx2, avx512).
SimdLevel ResolveSimdLevel();

/// portable, avx2 or avx512.
const char* NameOf(SimdLevel level);

/**
 * @brief Chooses what is written for a level.
 * @param level one that the processor has
 * @param portable for every processor
 * @param avx2 for SimdLevel::AVX2
 * @param avx512 for SimdLevel::AVX512
 */
template <typename Kernels>
const Kernels&
OfLevel(SimdLevel level, const Kernels& portable, const Kernels& avx2, const Kernels& avx512)
{
    return level == SimdLevel::AVX512 ? avx512 : level == SimdLevel::AVX2 ? avx2 : portable;
}

} // namespace dpdl

#endif // DPDL_BASE_SIMD_H
