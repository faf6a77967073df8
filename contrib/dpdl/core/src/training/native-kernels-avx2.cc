// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "native-kernels.h"

#ifdef DPDL_SIMD_LEVELS
#include <immintrin.h>

#pragma GCC push_options
#pragma GCC target("arch=x86-64-v3")

namespace dpdl::avx2
{

namespace
{

#include "dpdl/base/avx2-registers-body.h"

/// Number of the 16 SIMD registers that hold sums. The remaining registers hold factors.
constexpr int SUMS = 12;

#include "native-kernels-body.h"
} // namespace

const NativeKernels NATIVE_KERNELS{KERNELS};

} // namespace dpdl::avx2

#pragma GCC pop_options
#endif
