// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "native-kernels.h"

#ifdef DPDL_SIMD_LEVELS
#pragma GCC push_options
#pragma GCC target("arch=x86-64-v3")

namespace dpdl::avx2
{

namespace
{

constexpr std::size_t LANES = 8;
/// Registers for sums; the others hold what is multiplied.
constexpr int SUMS = 12;

#include "native-kernels-body.h"
} // namespace

const NativeKernels NATIVE_KERNELS{Correlate, WeightGradient, Pool, PoolGradient};

} // namespace dpdl::avx2

#pragma GCC pop_options
#endif
