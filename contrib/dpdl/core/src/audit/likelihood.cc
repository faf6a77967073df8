// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "likelihood.h"

#include "dpdl/base/simd.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace dpdl
{

namespace
{

constexpr std::size_t LANES = 16;
/// Eight factors of at most e^80 stay within double precision's range.
constexpr float LARGEST_EXPONENT = 80.0F;
constexpr float SMALLEST_EXPONENT = -80.0F;

/// e^x for |x| <= 80, relative error below 2e-7 (Cephes' expf).
inline float
Exp(float x)
{
    // Adding 1.5 * 2^23 rounds to the nearest whole number, and leaves it in the low bits.
    constexpr float ROUNDER = 12582912.0F;
    const float shifted = x * 1.44269504088896341F + ROUNDER;
    const float whole = shifted - ROUNDER;
    const float r = x - whole * 0.693359375F - whole * -2.12194440e-4F;
    float p = 1.9875691500e-4F;
    p = p * r + 1.3981999507e-3F;
    p = p * r + 8.3334519073e-3F;
    p = p * r + 4.1665795894e-2F;
    p = p * r + 1.6666665459e-1F;
    p = p * r + 5.0000001201e-1F;
    p = p * r * r + r + 1.0F;
    const std::uint32_t bits = static_cast<std::uint32_t>(static_cast<std::int32_t>(whole) + 127)
                               << 23;
    float power;
    __builtin_memcpy(&power, &bits, sizeof(power));
    return p * power;
}

inline float
Term(float y, float rate, float shift, float offset)
{
    const float exponent = shift * y + offset;
    return rate * Exp(std::min(std::max(exponent, SMALLEST_EXPONENT), LARGEST_EXPONENT));
}

} // namespace

DPDL_MULTIVERSION double
SumOfLogs(const float* y,
          const float* rate,
          const float* shift,
          const float* offset,
          const double* none,
          std::size_t count)
{
    double sum = 0.0;
    for (std::size_t block = 0; block < count; block += LIKELIHOOD_BLOCK)
    {
        double product[LANES];
        for (std::size_t lane = 0; lane < LANES; ++lane)
        {
            product[lane] = 1.0;
        }
        for (std::size_t k = block; k < block + LIKELIHOOD_BLOCK; k += LANES)
        {
            for (std::size_t lane = 0; lane < LANES; ++lane)
            {
                const std::size_t i = k + lane;
                product[lane] *=
                    none[i] + static_cast<double>(Term(y[i], rate[i], shift[i], offset[i]));
            }
        }
        for (const double factor : product)
        {
            sum += std::log(factor);
        }
    }
    return sum;
}

DPDL_MULTIVERSION void
LikelihoodTerms(const float* y,
                const float* rate,
                const float* shift,
                const float* offset,
                float* out,
                std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        out[i] = Term(y[i], rate[i], shift[i], offset[i]);
    }
}

} // namespace dpdl
