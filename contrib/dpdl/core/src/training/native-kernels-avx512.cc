// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "native-kernels.h"

#ifdef DPDL_SIMD_LEVELS
#include <immintrin.h>

#pragma GCC push_options
#pragma GCC target("arch=x86-64-v4")

namespace dpdl::avx512
{

namespace
{

#include "dpdl/base/avx512-registers-body.h"

/// Number of the 32 SIMD registers that hold sums. The remaining registers hold factors.
constexpr int SUMS = 24;

#include "native-kernels-body.h"
} // namespace

const NativeKernels NATIVE_KERNELS{KERNELS};

} // namespace dpdl::avx512

#pragma GCC pop_options
#endif
