// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "feature-whitening.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>
#include <zlib.h>

// Solves the ridge regression by a blocked Cholesky factorisation of K + c I.

namespace dpdl
{

namespace
{

/// Block sizes that fit into a core's cache: rows of a product, and columns of a solution. No
/// result depends on them.
constexpr std::size_t BLOCK_ROWS = 16;
constexpr std::size_t BLOCK_COLUMNS = 64;

/// A row-major matrix.
struct Matrix
{
    std::size_t columns;
    std::vector<double> values;

    double* operator[](std::size_t row)
    {
        return values.data() + row * columns;
    }
};

/// Dot product with several partial sums, for vectorisation.
double
Dot(const double* a, const double* b, std::size_t size)
{
    constexpr std::size_t LANES = 8;
    std::array<double, LANES> sums{};
    std::size_t i = 0;
    for (; i + LANES <= size; i += LANES)
    {
        for (std::size_t lane = 0; lane < LANES; ++lane)
        {
            sums[lane] += a[i + lane] * b[i + lane];
        }
    }
    double sum = 0.0;
    for (; i < size; ++i)
    {
        sum += a[i] * b[i];
    }
    for (const double lane : sums)
    {
        sum += lane;
    }
    return sum;
}

/// to += factor * from
void
Add(double factor, const double* from, double* to, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
    {
        to[i] += factor * from[i];
    }
}

/// The shapes minus their mean.
Matrix
Centred(const std::vector<float>& shapes, std::size_t count)
{
    const std::size_t size = shapes.size() / count;
    Matrix rows{size, {shapes.begin(), shapes.end()}};
    std::vector<double> mean(size, 0.0);
    for (std::size_t row = 0; row < count; ++row)
    {
        Add(1.0 / static_cast<double>(count), rows[row], mean.data(), size);
    }
    for (std::size_t row = 0; row < count; ++row)
    {
        Add(-1.0, mean.data(), rows[row], size);
    }
    return rows;
}

/// The lower triangle of K + c I.
Matrix
Penalised(Matrix& rows, std::size_t count, double penalty)
{
    Matrix gram{count, std::vector<double>(count * count, 0.0)};
    double trace = 0.0;
    for (std::size_t first = 0; first < count; first += BLOCK_ROWS)
    {
        for (std::size_t row = first; row < count; ++row)
        {
            const std::size_t end = std::min(row + 1, first + BLOCK_ROWS);
            for (std::size_t column = first; column < end; ++column)
            {
                gram[row][column] = Dot(rows[row], rows[column], rows.columns);
            }
        }
    }
    for (std::size_t row = 0; row < count; ++row)
    {
        trace += gram[row][row];
    }
    for (std::size_t row = 0; row < count; ++row)
    {
        gram[row][row] += penalty * trace / static_cast<double>(count);
    }
    return gram;
}

/// Cholesky factorisation: replaces the lower triangle of a matrix by L with L L^T = matrix.
void
Factorise(Matrix& lower, std::size_t count)
{
    for (std::size_t row = 0; row < count; ++row)
    {
        for (std::size_t column = 0; column <= row; ++column)
        {
            const double rest = lower[row][column] - Dot(lower[row], lower[column], column);
            lower[row][column] = column == row ? std::sqrt(rest) : rest / lower[column][column];
        }
    }
}

/// Replaces `size` columns of right, from `begin`, by (L L^T)^-1 right.
void
Solve(Matrix& lower, std::size_t count, Matrix& right, std::size_t begin, std::size_t size)
{
    const auto part = [&](std::size_t row) { return right[row] + begin; };
    const auto divide = [&](std::size_t row) {
        const double pivot = lower[row][row];
        std::for_each(part(row), part(row) + size, [&](double& v) { v /= pivot; });
    };
    for (std::size_t row = 0; row < count; ++row)
    {
        for (std::size_t column = 0; column < row; ++column)
        {
            Add(-lower[row][column], part(column), part(row), size);
        }
        divide(row);
    }
    for (std::size_t row = count; row-- > 0;)
    {
        for (std::size_t below = row + 1; below < count; ++below)
        {
            Add(-lower[below][row], part(below), part(row), size);
        }
        divide(row);
    }
}

template <typename T>
std::uint64_t
ChecksumOf(const std::vector<T>& values)
{
    const auto* bytes = reinterpret_cast<const Bytef*>(values.data());
    const std::size_t count = values.size() * sizeof(T);
    return std::uint64_t{crc32_z(crc32_z(0, nullptr, 0), bytes, count)} << 32 |
           adler32_z(adler32_z(0, nullptr, 0), bytes, count);
}

} // namespace

FeatureWhitening::FeatureWhitening(const std::vector<float>& shapes,
                                   std::size_t count,
                                   double penalty)
    : m_count(count),
      m_weights(shapes.size())
{
    Matrix rows = Centred(shapes, count);
    Matrix lower = Penalised(rows, count, penalty);
    Factorise(lower, count);
    for (std::size_t begin = 0; begin < rows.columns; begin += BLOCK_COLUMNS)
    {
        const std::size_t size = std::min(BLOCK_COLUMNS, rows.columns - begin);
        Solve(lower, count, rows, begin, size);
    }
    for (std::size_t row = 0; row < count; ++row)
    {
        for (std::size_t i = 0; i < rows.columns; ++i)
        {
            m_weights[i * count + row] = static_cast<float>(rows[row][i]);
        }
    }
}

void
FeatureWhitening::Apply(std::size_t examples, const float* features, float* coordinates) const
{
    std::fill(coordinates, coordinates + examples * m_count, 0.0F);
    const std::size_t size = m_weights.size() / m_count;
    for (std::size_t i = 0; i < size; ++i)
    {
        const float* weights = m_weights.data() + i * m_count;
        for (std::size_t example = 0; example < examples; ++example)
        {
            const float value = features[example * size + i];
            float* to = coordinates + example * m_count;
            for (std::size_t k = 0; k < m_count; ++k)
            {
                to[k] += value * weights[k];
            }
        }
    }
}

FeatureStore::FeatureStore(const Split& images,
                           const ImageShape& shape,
                           const std::string& features)
{
    const char* const folder = std::getenv("DPDL_FEATURES");
    if (folder == nullptr || *folder == '\0')
    {
        return;
    }
    std::string name = features;
    for (const std::uint64_t part : {std::uint64_t{shape.channels},
                                     std::uint64_t{shape.height},
                                     std::uint64_t{shape.width},
                                     ChecksumOf(images.pixels),
                                     ChecksumOf(images.values)})
    {
        name += "-" + std::to_string(part);
    }
    m_path = (std::filesystem::path(folder) / name).string();
}

bool
FeatureStore::Read(std::vector<float>& values) const
{
    std::ifstream file(m_path, std::ios::binary);
    const auto size = static_cast<std::streamsize>(values.size() * sizeof(float));
    std::uint64_t checksum = 0;
    return !m_path.empty() && file.read(reinterpret_cast<char*>(values.data()), size) &&
           file.read(reinterpret_cast<char*>(&checksum), sizeof(checksum)) &&
           checksum == ChecksumOf(values);
}

void
FeatureStore::Write(const std::vector<float>& values) const
{
    if (m_path.empty())
    {
        return;
    }
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(m_path).parent_path(), error);
    const std::string own = m_path + "." + std::to_string(getpid());
    std::ofstream file(own, std::ios::binary);
    const std::uint64_t checksum = ChecksumOf(values);
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(float)));
    file.write(reinterpret_cast<const char*>(&checksum), sizeof(checksum));
    file.close();
    if (file)
    {
        std::filesystem::rename(own, m_path, error);
    }
    else
    {
        std::filesystem::remove(own, error);
    }
}

} // namespace dpdl
