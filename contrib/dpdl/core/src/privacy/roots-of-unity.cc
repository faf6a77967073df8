// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "roots-of-unity.h"

#include "numbers.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

/// Terms of one sum of the lower level.
constexpr std::size_t BLOCK = 64;

} // namespace

void
RootsOfUnity::Transform(const LossCells& cells, std::vector<std::complex<double>>& coefficients)
{
    if (m_roots.empty())
    {
        for (std::size_t j = 0; j < m_size; ++j)
        {
            const double angle = -2.0 * PI * static_cast<double>(j) / static_cast<double>(m_size);
            m_roots.emplace_back(std::cos(angle), std::sin(angle));
        }
    }
    const auto modulus = static_cast<std::int64_t>(m_size);
    const auto first = static_cast<std::size_t>(((cells.first % modulus) + modulus) % modulus);
    for (std::size_t k = 0; k < coefficients.size(); ++k)
    {
        std::size_t position = first * k % m_size;
        double re = 0.0;
        double im = 0.0;
        for (std::size_t j = 0; j < cells.mass.size();)
        {
            const std::size_t end = std::min(j + BLOCK, cells.mass.size());
            double blockRe = 0.0;
            double blockIm = 0.0;
            for (; j < end; ++j)
            {
                blockRe += cells.mass[j] * m_roots[position].real();
                blockIm += cells.mass[j] * m_roots[position].imag();
                position += k;
                position -= position >= m_size ? m_size : 0;
            }
            re += blockRe;
            im += blockIm;
        }
        coefficients[k] = {re, im};
    }
}

} // namespace dpdl
