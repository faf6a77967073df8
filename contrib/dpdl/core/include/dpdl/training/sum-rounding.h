// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_SUM_ROUNDING_H
#define DPDL_TRAINING_SUM_ROUNDING_H

#include <cstddef>

namespace dpdl
{

/// Examples whose clipped gradients are added up before they are added to those of other blocks.
constexpr std::size_t SUM_BLOCK = 128;

/**
 * @brief How much further than by the clip bound C one example can move a sum of clipped gradients
 *        in double precision: the sum of GradientEngine::ClippedGradientSum() moves by at most
 *        C (1 + SumRounding(n)), in the norm that the gradients are clipped in.
 *
 * Proof. Let an engine compute the same v_i of example i in every batch
 * (GradientEngine::IsBatchInvariant()), and u = 2^-53. The clip factor keeps |v_i| <= C (1 - 1e-6)
 * but for the rounding of norm and factor, which is below 1e-10 C where v_i is made of double
 * factors and below 1.2e-7 C where it is rounded to float32: |v_i| <= C (1 - 8e-7). A sum of m <= n
 * examples adds up blocks of at most b = SUM_BLOCK, then the m / b results, so that each v_i is
 * rounded at most b + m / b times, and coordinate by coordinate the sum in the computer differs
 * from the real one by at most (b + m / b) u times the sum of all |v_ij|, to first order in u. Its
 * norm is at most n (b + n / b) u C. Two neighbouring batches differ by one v_i and by two such
 * errors: by at most C (1 - 8e-7 + 2 n (b + n / b) u).
 *
 * @param examples n, what the node owns; no batch has more
 * @return max(0, 2 n (b + n / b) 2^-53 - 8e-7): 0 up to some 670,000 examples
 */
double SumRounding(std::size_t examples);

/**
 * @brief The same for the float32 sums of a device, whose order is not known.
 *
 * Each v_i is rounded at most n times, by u = 2^-24: two neighbouring batches differ by at most
 * C (1 + 2 n^2 u).
 *
 * @param examples n, the largest batch
 * @return 2 n^2 2^-24 for up to SUM_BLOCK examples; infinity for more
 */
double DeviceSumRounding(std::size_t examples);

} // namespace dpdl

#endif // DPDL_TRAINING_SUM_ROUNDING_H
