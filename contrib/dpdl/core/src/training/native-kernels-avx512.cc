// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "native-kernels.h"

#include <type_traits>

#ifdef DPDL_SIMD_LEVELS
#include <immintrin.h>

#pragma GCC push_options
#pragma GCC target("arch=x86-64-v4")

namespace dpdl::avx512
{

namespace
{

constexpr std::size_t LANES = 16;
/// Registers for sums; the others hold what is multiplied.
constexpr int SUMS = 24;

#include "dpdl/base/register-types-body.h"

DPDL_INLINE Doubles
Widened(const Half& x)
{
    return (Doubles)_mm512_maskz_cvtps_pd(0xff, (__m256)x);
}

#include "native-kernels-body.h"
} // namespace

const NativeKernels NATIVE_KERNELS{KERNELS};

} // namespace dpdl::avx512

#pragma GCC pop_options
#endif
