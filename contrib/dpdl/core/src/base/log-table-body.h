// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// The logarithm by a table lookup. Include this file after normal-kernels-body.h and after the
// definitions of
//
//   Words Mantissa(const Vector& x)                       bits of the mantissas, in [0.75, 1.5)
//   Vector FromTable(const Words& m, const float* table)  for each mantissa an entry of table [16]
//
// SIMD levels whose Fused() rounds once give bit-identical logarithms. The file has no include
// guard, because each SIMD level includes it.

/**
 * -2 ln(x) for x = 2^e m in (0, 1], with the mantissa m in [0.75, 1.5). A table of 16 numbers gives
 * c, close to 1 / m. Then ln(x) = e ln 2 + ln(1 / c) + ln(1 + r), r = m c - 1, |r| < 1/16. Around m
 * = 1 the table has c = 1, so the relative error stays below 3e-7.
 */
DPDL_INLINE Vector
MinusTwiceLog(const Vector& x)
{
    static constexpr float RECIPROCAL[16] = {1.0F,
                                             0.914285719F,
                                             0.864864886F,
                                             0.820512831F,
                                             0.780487776F,
                                             0.744186044F,
                                             0.711111128F,
                                             0.680851042F,
                                             1.30612242F,
                                             1.25490201F,
                                             1.20754719F,
                                             1.16363633F,
                                             1.12280703F,
                                             1.08474576F,
                                             1.04918027F,
                                             1.0F};
    static constexpr float TWICE_LOG[16] = {0.0F,
                                            -0.179224306F,
                                            -0.290363971F,
                                            -0.395651461F,
                                            -0.495672402F,
                                            -0.590928433F,
                                            -0.681853126F,
                                            -0.768823461F,
                                            0.53412553F,
                                            0.454114972F,
                                            0.377182369F,
                                            0.303099733F,
                                            0.231663646F,
                                            0.162691283F,
                                            0.0960183266F,
                                            0.0F};
    const Words m = Mantissa(x);
    const Vector e = __builtin_convertvector((Integers)x - (Integers)m, Vector); // e times 2^23
    const Vector r = Horner((Vector)m, FromTable(m, RECIPROCAL), -1.0F);
    Vector p = Horner(Vector{} - 0.4F, r, 0.5F);
    p = Horner(p, r, -0.66666667F);
    p = Horner(p, r, 1.0F);
    p = Horner(p, r, -2.0F);
    return Fused(Vector{} - 1.65259172e-7F, e, Fused(p, r, FromTable(m, TWICE_LOG)));
}
