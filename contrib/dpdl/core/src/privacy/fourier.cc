// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "fourier.h"

#include "dpdl/base/planner-mutex.h"
#include "normal-tail.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

/// Number of summands in one inner sum. The outer sum adds the inner sums, which keeps rounding
/// errors small.
constexpr std::size_t BLOCK = 64;

} // namespace

std::size_t
TransformSize(double cells)
{
    std::size_t unit = 256;
    while (static_cast<double>(7 * unit) < cells)
    {
        unit *= 2;
    }
    std::size_t size = 4 * unit;
    while (static_cast<double>(size) < cells)
    {
        size += unit;
    }
    return size;
}

Fourier::Fourier(std::size_t size)
    : m_size(size),
      m_values(fftw_alloc_real(size)),
      m_coefficients(fftw_alloc_complex(size / 2 + 1))
{
    const std::lock_guard<std::mutex> lock(PlannerMutex());
    const int n = static_cast<int>(size);
    // With FFTW_ESTIMATE the plans are the same in every run, so rounding errors are reproducible.
    m_forward = fftw_plan_dft_r2c_1d(n, m_values, m_coefficients, FFTW_ESTIMATE);
    m_backward = fftw_plan_dft_c2r_1d(n, m_coefficients, m_values, FFTW_ESTIMATE);
}

Fourier::~Fourier()
{
    const std::lock_guard<std::mutex> lock(PlannerMutex());
    fftw_destroy_plan(m_forward);
    fftw_destroy_plan(m_backward);
    fftw_free(m_values);
    fftw_free(m_coefficients);
}

void
Fourier::Forward()
{
    fftw_execute(m_forward);
}

void
Fourier::Backward()
{
    fftw_execute(m_backward);
    for (std::size_t i = 0; i < m_size; ++i)
    {
        m_values[i] /= static_cast<double>(m_size);
    }
}

void
RootsOfUnity::Transform(const PldCells& cells, std::vector<std::complex<double>>& coefficients)
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
