// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "feature-whitening.h"

#include "scattering.h"

#include <cmath>

namespace dpdl
{

namespace
{

/// Part of the mean variance below which none counts as smaller.
constexpr double FLOOR = 0.05;

/// Rows are the cosines of type II, of length 1.
std::vector<float>
Cosines(std::size_t size)
{
    std::vector<float> rows;
    const auto count = static_cast<double>(size);
    for (std::size_t k = 0; k < size; ++k)
    {
        for (std::size_t i = 0; i < size; ++i)
        {
            const double phase = M_PI * (static_cast<double>(i) + 0.5) * static_cast<double>(k);
            rows.push_back(static_cast<float>(std::sqrt((k == 0 ? 1.0 : 2.0) / count) *
                                              std::cos(phase / count)));
        }
    }
    return rows;
}

/// Rows are the constant, then cosine and sine of each frequency, of length 1. @param size even
std::vector<float>
Waves(std::size_t size)
{
    std::vector<float> rows;
    const auto count = static_cast<double>(size);
    for (std::size_t k = 0; k < size; ++k)
    {
        const std::size_t frequency = (k + 1) / 2;
        const bool isAlone = k == 0 || k + 1 == size;
        for (std::size_t i = 0; i < size; ++i)
        {
            const double phase = 2 * M_PI * static_cast<double>(frequency * i) / count;
            const double wave = k % 2 == 0 && k > 0 ? std::sin(phase) : std::cos(phase);
            rows.push_back(static_cast<float>(std::sqrt((isAlone ? 1.0 : 2.0) / count) * wave));
        }
    }
    return rows;
}

} // namespace

FeatureWhitening::FeatureWhitening(std::size_t rows,
                                   std::size_t columns,
                                   std::size_t count,
                                   const std::function<void(std::size_t, float*)>& example,
                                   double power)
    : m_rows(rows),
      m_columns(columns),
      m_down(Cosines(rows)),
      m_right(Cosines(columns)),
      m_directions(Waves(ANGLES))
{
    const std::size_t size = Scattering::CHANNELS * rows * columns;
    std::vector<float> plane(size);
    std::vector<double> sum(size, 0.0);
    std::vector<double> squares(size, 0.0);
    for (std::size_t number = 0; number < count; ++number)
    {
        example(number, plane.data());
        Turn(plane.data());
        for (std::size_t i = 0; i < size; ++i)
        {
            sum[i] += plane[i];
            squares[i] += double{plane[i]} * plane[i];
        }
    }
    double total = 0.0;
    for (std::size_t i = 0; i < size; ++i)
    {
        const double mean = sum[i] / static_cast<double>(count);
        squares[i] = squares[i] / static_cast<double>(count) - mean * mean;
        total += squares[i];
    }
    for (const double variance : squares)
    {
        const double least = FLOOR * total / static_cast<double>(size);
        m_weights.push_back(static_cast<float>(std::pow(variance + least, -power / 2.0)));
    }
}

void
FeatureWhitening::Apply(float* plane) const
{
    Turn(plane);
    for (std::size_t i = 0; i < m_weights.size(); ++i)
    {
        plane[i] *= m_weights[i];
    }
}

void
FeatureWhitening::Turn(float* plane) const
{
    const std::size_t size = m_rows * m_columns;
    for (std::size_t channel = 0; channel < Scattering::CHANNELS; ++channel)
    {
        OverPlaces(plane + channel * size);
    }
    std::array<float*, ANGLES> channels{};
    for (const std::size_t first : {std::size_t{1}, 1 + ANGLES})
    {
        for (std::size_t angle = 0; angle < ANGLES; ++angle)
        {
            channels[angle] = plane + (first + angle) * size;
        }
        OverAngles(channels);
    }
    // The channel of a first direction and of the difference to the second.
    const auto pair = [&](std::size_t first, std::size_t difference) {
        return plane + (1 + (2 + first) * ANGLES + (first + difference) % ANGLES) * size;
    };
    for (std::size_t fixed = 0; fixed < ANGLES; ++fixed)
    {
        for (std::size_t angle = 0; angle < ANGLES; ++angle)
        {
            channels[angle] = pair(angle, fixed);
        }
        OverAngles(channels);
    }
    for (std::size_t fixed = 0; fixed < ANGLES; ++fixed)
    {
        for (std::size_t angle = 0; angle < ANGLES; ++angle)
        {
            channels[angle] = pair(fixed, angle);
        }
        OverAngles(channels);
    }
}

void
FeatureWhitening::OverPlaces(float* channel) const
{
    std::vector<float> between(m_rows * m_columns, 0.0F);
    for (std::size_t k = 0; k < m_rows; ++k)
    {
        for (std::size_t i = 0; i < m_rows; ++i)
        {
            for (std::size_t j = 0; j < m_columns; ++j)
            {
                between[k * m_columns + j] += m_down[k * m_rows + i] * channel[i * m_columns + j];
            }
        }
    }
    for (std::size_t i = 0; i < m_rows; ++i)
    {
        for (std::size_t k = 0; k < m_columns; ++k)
        {
            float sum = 0.0F;
            for (std::size_t j = 0; j < m_columns; ++j)
            {
                sum += m_right[k * m_columns + j] * between[i * m_columns + j];
            }
            channel[i * m_columns + k] = sum;
        }
    }
}

void
FeatureWhitening::OverAngles(const std::array<float*, ANGLES>& channels) const
{
    for (std::size_t place = 0; place < m_rows * m_columns; ++place)
    {
        std::array<float, ANGLES> values{};
        for (std::size_t angle = 0; angle < ANGLES; ++angle)
        {
            values[angle] = channels[angle][place];
        }
        for (std::size_t k = 0; k < ANGLES; ++k)
        {
            float sum = 0.0F;
            for (std::size_t angle = 0; angle < ANGLES; ++angle)
            {
                sum += m_directions[k * ANGLES + angle] * values[angle];
            }
            channels[k][place] = sum;
        }
    }
}

} // namespace dpdl
