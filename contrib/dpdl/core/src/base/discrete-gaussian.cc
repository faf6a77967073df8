// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/discrete-gaussian.h"

#include "dpdl/base/errors.h"

#include <string>

namespace dpdl
{

namespace
{

/// Returns true with probability numerator / denominator; requires numerator <= denominator.
inline bool
Chance(WordSequence& words, std::uint32_t numerator, std::uint32_t denominator)
{
    // Compares a uniform real with the fraction: draws base-2^32 digits until the result is
    // certain.
    std::uint64_t rest = numerator;
    for (;;)
    {
        const std::uint64_t target = rest << 32;
        const std::uint64_t low = static_cast<std::uint64_t>(words.Next()) * denominator;
        if (low >= target)
        {
            return false;
        }
        rest = target - low;
        if (rest >= denominator)
        {
            return true;
        }
    }
}

/// Returns true with probability exp(-x).
/// @param event function without arguments that returns true with probability x, in [0, 1]
template <typename Event>
inline bool
ChanceOfExp(WordSequence& words, const Event& event)
{
    // Let k be the first of 1, 2, ... for which an event of probability x / k does not occur. Then
    // k is odd with probability exp(-x).
    std::uint32_t k = 1;
    while ((k == 1 || Chance(words, 1, k)) && event())
    {
        ++k;
    }
    return k % 2 == 1;
}

/// Returns true with probability exp(-part / scale); requires part <= scale.
inline bool
ChanceOfExp(WordSequence& words, std::uint32_t part, std::uint32_t scale)
{
    return ChanceOfExp(words, [&] { return Chance(words, part, scale); });
}

/// Returns true with probability exp(-(part / scale)^2 / 2); requires part <= scale.
inline bool
ChanceOfHalfSquare(WordSequence& words, std::uint32_t part, std::uint32_t scale)
{
    return ChanceOfExp(words, [&] {
        return (words.Next() >> 31) != 0 && Chance(words, part, scale) &&
               Chance(words, part, scale);
    });
}

} // namespace

DiscreteGaussian::DiscreteGaussian(std::uint32_t scale)
    : m_scale(scale)
{
    DPDL_REFUSE_IF(scale < 1 || scale > MAX_SCALE,
                   "discrete Gaussian noise: scale",
                   std::to_string(scale),
                   "1 to " + std::to_string(MAX_SCALE));
}

std::int64_t
DiscreteGaussian::Draw(WordSequence& words) const
{
    const std::uint32_t s = m_scale;
    for (;;)
    {
        // Draws |y| = part + s * whole with probability proportional to exp(-|y| / s): the discrete
        // Laplace distribution.
        const std::uint32_t part = words.Integer(s);
        if (!ChanceOfExp(words, part, s))
        {
            continue;
        }
        std::uint32_t whole = 0;
        // Each further multiple of s has probability exp(-1).
        while (ChanceOfExp(words, [] { return true; }))
        {
            ++whole;
        }
        const bool negative = (words.Next() >> 31) != 0;
        if (negative && part == 0 && whole == 0)
        {
            continue;
        }
        // Accepts y with probability exp(-(|y| - s)^2 / (2 s^2)), which turns the Laplace
        // distribution into the Gaussian distribution. For whole >= 1, with n = whole - 1 and x =
        // part / s, this is exp(-1/2)^(n^2) * exp(-x)^n * exp(-x^2 / 2).
        bool accepted = whole == 0 ? ChanceOfHalfSquare(words, s - part, s)
                                   : ChanceOfHalfSquare(words, part, s);
        const std::uint64_t n = whole == 0 ? 0 : whole - 1;
        for (std::uint64_t i = 0; accepted && i < n; ++i)
        {
            accepted = ChanceOfExp(words, part, s);
        }
        for (std::uint64_t i = 0; accepted && i < n * n; ++i)
        {
            accepted = ChanceOfHalfSquare(words, s, s);
        }
        if (accepted)
        {
            const std::int64_t size = part + static_cast<std::int64_t>(s) * whole;
            return negative ? -size : size;
        }
    }
}

} // namespace dpdl
