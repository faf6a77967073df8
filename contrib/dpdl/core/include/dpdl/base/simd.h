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
 * the function calls must be inline and free of attributes of its own.
 */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) &&       \
    !defined(__SANITIZE_ADDRESS__) && !defined(DPDL_NO_MULTIVERSION)
#define DPDL_MULTIVERSION                                                                          \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define DPDL_MULTIVERSION
#endif

#endif // DPDL_BASE_SIMD_H
