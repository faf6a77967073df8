// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "native-kernels.h"

#ifdef DPDL_SIMD_LEVELS
#pragma GCC push_options
#pragma GCC target("arch=x86-64-v4")

namespace dpdl::avx512
{

namespace
{

constexpr std::size_t LANES = 16;
/// Registers for sums; the others hold what is multiplied.
constexpr int SUMS = 24;

#include "native-kernels-body.h"
} // namespace

const NativeKernels NATIVE_KERNELS{Correlate, WeightGradient, Pool, PoolGradient};

} // namespace dpdl::avx512

#pragma GCC pop_options
#endif
