// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "native-kernels.h"

#include <type_traits>

#ifdef DPDL_SIMD_LEVELS
#include <immintrin.h>

#pragma GCC push_options
#pragma GCC target("arch=x86-64-v3")

namespace dpdl::avx2
{

namespace
{

constexpr std::size_t LANES = 8;
/// Registers for sums; the others hold what is multiplied.
constexpr int SUMS = 12;

#include "dpdl/base/register-types-body.h"

DPDL_INLINE Doubles
Widened(const Half& x)
{
    return (Doubles)_mm256_cvtps_pd((__m128)x);
}

#include "native-kernels-body.h"
} // namespace

const NativeKernels NATIVE_KERNELS{KERNELS};

} // namespace dpdl::avx2

#pragma GCC pop_options
#endif
