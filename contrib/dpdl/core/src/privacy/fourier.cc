// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "fourier.h"

#include <fftw3.h>
#include <mutex>

namespace dpdl
{

namespace
{

/// FFTW plans may be made and destroyed by one thread at a time only.
std::mutex&
PlannerMutex()
{
    static std::mutex mutex;
    return mutex;
}

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

struct Fourier::Plans
{
    double* values{nullptr};
    fftw_complex* coefficients{nullptr};
    fftw_plan forward{nullptr};
    fftw_plan backward{nullptr};
};

Fourier::Fourier(std::size_t size)
    : m_size(size),
      m_plans(std::make_unique<Plans>())
{
    const std::lock_guard<std::mutex> lock(PlannerMutex());
    const int n = static_cast<int>(size);
    m_plans->values = fftw_alloc_real(size);
    m_plans->coefficients = fftw_alloc_complex(size / 2 + 1);
    // Estimated plans are the same in every run, and so are their rounding errors.
    m_plans->forward =
        fftw_plan_dft_r2c_1d(n, m_plans->values, m_plans->coefficients, FFTW_ESTIMATE);
    m_plans->backward =
        fftw_plan_dft_c2r_1d(n, m_plans->coefficients, m_plans->values, FFTW_ESTIMATE);
}

Fourier::~Fourier()
{
    const std::lock_guard<std::mutex> lock(PlannerMutex());
    fftw_destroy_plan(m_plans->forward);
    fftw_destroy_plan(m_plans->backward);
    fftw_free(m_plans->values);
    fftw_free(m_plans->coefficients);
}

double*
Fourier::Values()
{
    return m_plans->values;
}

std::complex<double>*
Fourier::Coefficients()
{
    // std::complex<double> and fftw_complex have the same layout by both their definitions.
    return reinterpret_cast<std::complex<double>*>(m_plans->coefficients);
}

void
Fourier::Forward()
{
    fftw_execute(m_plans->forward);
}

void
Fourier::Backward()
{
    fftw_execute(m_plans->backward);
    for (std::size_t i = 0; i < m_size; ++i)
    {
        m_plans->values[i] /= static_cast<double>(m_size);
    }
}

} // namespace dpdl
