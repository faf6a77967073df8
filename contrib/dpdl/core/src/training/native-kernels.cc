// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "native-kernels.h"

namespace dpdl
{

namespace portable
{

namespace
{

#include "dpdl/base/portable-registers-body.h"

/// Number of SIMD registers that hold sums. The remaining registers hold factors.
#ifdef __aarch64__
constexpr int SUMS = 24;
#else
constexpr int SUMS = 12;
#endif

#include "native-kernels-body.h"
} // namespace

const NativeKernels NATIVE_KERNELS{KERNELS};

} // namespace portable

const NativeKernels&
NativeKernelsOf(SimdLevel level)
{
#ifdef DPDL_SIMD_LEVELS
    return OfLevel(level, portable::NATIVE_KERNELS, avx2::NATIVE_KERNELS, avx512::NATIVE_KERNELS);
#else
    static_cast<void>(level);
    return portable::NATIVE_KERNELS;
#endif
}

} // namespace dpdl
