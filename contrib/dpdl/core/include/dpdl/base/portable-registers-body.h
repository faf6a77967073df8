// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Registers for any processor, an alternative to register-types-body.h. No include guard.

constexpr std::size_t LANES = 4;

#include "dpdl/base/register-types-body.h"

DPDL_INLINE Doubles
Widened(const Half& x)
{
    return __builtin_convertvector(x, Doubles);
}

/// a b + c, rounded twice, because some processors have no fused multiply-add.
template <typename T>
DPDL_INLINE T
Fused(const T& a, const T& b, const T& c)
{
    return a * b + c;
}
