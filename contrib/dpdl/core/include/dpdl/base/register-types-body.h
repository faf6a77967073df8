// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Types of SIMD registers. Each SIMD level includes this file once, inside its namespace. LANES is
// the number of floats in a register. The file has no include guard.

#define DPDL_INLINE inline __attribute__((always_inline))

typedef float Vector __attribute__((vector_size(4 * LANES)));
typedef std::int32_t Integers __attribute__((vector_size(4 * LANES)));
typedef std::uint32_t Words __attribute__((vector_size(4 * LANES)));
typedef std::uint64_t Longs __attribute__((vector_size(4 * LANES)));

/// Number of doubles in a register.
constexpr std::size_t HALF = LANES / 2;
typedef double Doubles __attribute__((vector_size(8 * HALF)));
typedef float Half __attribute__((vector_size(4 * HALF)));
