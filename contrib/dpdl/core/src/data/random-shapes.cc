// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "random-shapes.h"

#include "dpdl/base/random.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

/// Of an image of 28 rows; larger ones have larger shapes.
constexpr double SMALLEST_RADIUS = 2.0 / 28.0;
constexpr double LARGEST_RADIUS = 16.0 / 28.0;
constexpr double MOST_SHAPES = 12.0;
constexpr double HIGHEST_STRIPES = 0.25;

/// The numbers of one image, one after another.
class Numbers
{
  public:
    explicit Numbers(std::uint32_t number)
        : m_stream({0, 0}, RandomPurpose::DATASET, number, 0) // a seed that no dataset has
    {
    }

    /// Uniform in [from, to).
    double Between(double from, double to)
    {
        return from + (to - from) * m_stream.Uniform(m_next++);
    }

    bool Coin()
    {
        return Between(0.0, 1.0) < 0.5;
    }

  private:
    RandomStream m_stream;
    std::uint64_t m_next{0};
};

/// Draws one shape over what is there.
void
Cover(Numbers& numbers, std::uint32_t rows, std::uint32_t columns, std::vector<float>& image)
{
    const double side = std::min(rows, columns);
    const double radius =
        side * std::exp(numbers.Between(std::log(SMALLEST_RADIUS), std::log(LARGEST_RADIUS)));
    const double row = numbers.Between(0.0, rows);
    const double column = numbers.Between(0.0, columns);
    const double angle = numbers.Between(0.0, M_PI);
    const double cosine = std::cos(angle);
    const double sine = std::sin(angle);
    const double stretch = std::exp(numbers.Between(-1.0, 1.0));
    const bool isBox = numbers.Coin();
    const double grey = numbers.Between(0.0, 1.0);
    const double stripes = numbers.Between(0.0, HIGHEST_STRIPES) * (numbers.Coin() ? 1.0 : 0.0);
    const double wave = numbers.Between(0.2, 2.7);
    for (std::uint32_t i = 0; i < rows; ++i)
    {
        for (std::uint32_t j = 0; j < columns; ++j)
        {
            const double down = i - row;
            const double right = j - column;
            const double along = cosine * right + sine * down;
            const double u = along / (radius * stretch);
            const double v = (cosine * down - sine * right) / radius * stretch;
            if (isBox ? std::max(std::abs(u), std::abs(v)) < 1.0 : u * u + v * v < 1.0)
            {
                const double value = grey + stripes * std::sin(wave * along);
                image[i * columns + j] = static_cast<float>(std::clamp(value, 0.0, 1.0));
            }
        }
    }
}

} // namespace

std::vector<float>
RandomShapes(std::uint32_t number, std::uint32_t rows, std::uint32_t columns)
{
    Numbers numbers(number);
    const double ground = numbers.Coin() ? numbers.Between(0.0, 1.0) : 0.0;
    std::vector<float> image(std::size_t{rows} * columns, static_cast<float>(ground));
    const double shapes = std::floor(numbers.Between(1.0, MOST_SHAPES));
    for (double shape = 0.0; shape < shapes; shape += 1.0)
    {
        Cover(numbers, rows, columns, image);
    }
    return image;
}

} // namespace dpdl
