// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// A logarithm for levels without tables in registers, behind register-types-body.h. No include
// guard.

/// -2 ln(x) for x in (0, 1], relative error below 2e-7 (Cephes' logf, scaled).
DPDL_INLINE Vector
MinusTwiceLog(const Vector& x)
{
    // Mantissa in [0.75, 1.5): keeps the polynomial's argument small on both sides of 1.
    const Integers exponent = ((Integers)x - 0x3f400000) >> 23;
    const Vector f = (Vector)((Integers)x - (exponent << 23)) - 1.0F;
    const Vector z = f * f;
    Vector p = 7.0376836292e-2F * f - 1.1514610310e-1F;
    p = p * f + 1.1676998740e-1F;
    p = p * f - 1.2420140846e-1F;
    p = p * f + 1.4249322787e-1F;
    p = p * f - 1.6668057665e-1F;
    p = p * f + 2.0000714765e-1F;
    p = p * f - 2.4999993993e-1F;
    p = p * f + 3.3333331174e-1F;
    const Vector e = __builtin_convertvector(exponent, Vector);
    return (-2.0F * f) + (z - 2.0F * (p * f * z)) - 1.3862944F * e;
}
