// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "composed-loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dpdl
{

ComposedLoss::ComposedLoss(const std::vector<Kind>& kinds,
                           LossDirection direction,
                           const Grid& grid)
    : m_grid(grid),
      m_fourier(grid.size),
      m_logSize(grid.size / 2 + 1, 0.0),
      m_angle(grid.size / 2 + 1, 0.0),
      m_product(grid.size / 2 + 1, 1.0),
      m_amplified(grid.size / 2 + 1, 0.0)
{
    double logFinite = 0.0;
    for (const Kind& kind : kinds)
    {
        const LossCells cells = ConnectTheDots(kind.rate, kind.mu, grid.h, direction);
        logFinite += kind.count * std::log1p(-cells.infinite);
        Multiply(cells, kind.count);
    }
    Finish();
    m_extra -= std::expm1(logFinite);
}

double
ComposedLoss::Epsilon(double budget)
{
    if (!(budget > 0.0))
    {
        return std::numeric_limits<double>::infinity();
    }
    const double* mass = m_fourier.Values();
    const double decay = std::exp(-m_grid.h);
    double sum = 0.0;
    double discounted = 0.0;
    for (std::size_t back = 0; back < m_grid.size; ++back)
    {
        const std::int64_t index = m_grid.first + static_cast<std::int64_t>(m_grid.size - 1 - back);
        const double p = mass[Position(index)];
        const double nextSum = sum + p;
        const double nextDiscounted = p + decay * discounted;
        // delta at this grid point is the difference; the next one above still met the budget
        if (nextSum - nextDiscounted > budget)
        {
            const double above = static_cast<double>(index + 1) * m_grid.h;
            const double inside =
                sum > budget && discounted > 0.0 ? std::log((sum - budget) / discounted) : 0.0;
            return std::max(above + inside, 0.0);
        }
        sum = nextSum;
        discounted = nextDiscounted;
        if (index <= 0)
        {
            return 0.0;
        }
    }
    return 0.0;
}

std::size_t
ComposedLoss::Position(std::int64_t index) const
{
    const auto size = static_cast<std::int64_t>(m_grid.size);
    return static_cast<std::size_t>(((index % size) + size) % size);
}

void
ComposedLoss::Multiply(const LossCells& cells, double count)
{
    double* values = m_fourier.Values();
    std::fill(values, values + m_grid.size, 0.0);
    for (std::size_t j = 0; j < cells.mass.size(); ++j)
    {
        values[Position(cells.first + static_cast<std::int64_t>(j))] += cells.mass[j];
    }
    m_fourier.Forward();
    const std::complex<double>* coefficients = m_fourier.Coefficients();
    if (count == 1.0)
    {
        for (std::size_t k = 0; k < m_product.size(); ++k)
        {
            m_product[k] *= coefficients[k];
            m_amplified[k] += 1.0 / std::sqrt(std::max(std::norm(coefficients[k]), 1e-300));
        }
        return;
    }
    for (std::size_t k = 0; k < m_logSize.size(); ++k)
    {
        const double size = std::max(std::abs(coefficients[k]), 1e-300);
        m_logSize[k] += count * std::log(size);
        m_angle[k] += count * std::arg(coefficients[k]);
        m_amplified[k] += count / size;
    }
}

void
ComposedLoss::Finish()
{
    const double unit = std::numeric_limits<double>::epsilon() *
                        (std::log2(static_cast<double>(m_grid.size)) + 4.0);
    double squares = 0.0;
    std::complex<double>* coefficients = m_fourier.Coefficients();
    for (std::size_t k = 0; k < m_logSize.size(); ++k)
    {
        coefficients[k] = std::polar(std::exp(m_logSize[k]), m_angle[k]) * m_product[k];
        const double error = unit * std::abs(coefficients[k]) * (m_amplified[k] + 1.0);
        squares += 2.0 * error * error;
    }
    m_extra = std::sqrt(squares);
    m_fourier.Backward();
}

} // namespace dpdl
