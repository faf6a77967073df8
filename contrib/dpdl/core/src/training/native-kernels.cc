// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "native-kernels.h"

namespace dpdl
{

namespace portable
{

namespace
{

constexpr std::size_t LANES = 4;
/// Registers for sums; the others hold what is multiplied.
constexpr int SUMS = 12;

#include "native-kernels-body.h"
} // namespace

const NativeKernels NATIVE_KERNELS{Correlate, WeightGradient, Pool, PoolGradient};

} // namespace portable

const NativeKernels&
NativeKernelsOf(SimdLevel level)
{
#ifdef DPDL_SIMD_LEVELS
    switch (level)
    {
    case SimdLevel::AVX512:
        return avx512::NATIVE_KERNELS;
    case SimdLevel::AVX2:
        return avx2::NATIVE_KERNELS;
    case SimdLevel::PORTABLE:
        break;
    }
#else
    static_cast<void>(level);
#endif
    return portable::NATIVE_KERNELS;
}

} // namespace dpdl
