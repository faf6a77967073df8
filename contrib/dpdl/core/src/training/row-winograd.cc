// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "row-winograd.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

// RowWinograd: derives the transform matrices from the interpolation points, and applies them to
// images, weights and gradients.

namespace dpdl
{

namespace
{

/// Finite interpolation points. Small values keep the rounding error low. A kernel of size k uses
/// the first k + 2 of these points, and infinity.
constexpr std::array<double, 7> POINTS{0.0, 1.0, -1.0, 2.0, -0.5, -2.0, 0.5};

/// Coefficients, in ascending order of the exponent, of the product of (x - p) over all finite
/// points p except one.
/// @param points number of points, infinity included
/// @param but index of the omitted point
std::vector<double>
ProductOfOthers(std::size_t points, std::size_t but)
{
    std::vector<double> product{1.0};
    for (std::size_t p = 0; p + 1 < points; ++p)
    {
        if (p == but)
        {
            continue;
        }
        product.insert(product.begin(), 0.0);
        for (std::size_t i = 0; i + 1 < product.size(); ++i)
        {
            product[i] -= POINTS[p] * product[i + 1];
        }
    }
    return product;
}

/// Product of the differences between one finite point and all other finite points.
/// @param points number of points, infinity included
/// @param point index of the point
double
ProductOfDistances(std::size_t points, std::size_t point)
{
    double scale = 1.0;
    for (std::size_t p = 0; p + 1 < points; ++p)
    {
        scale *= p == point ? 1.0 : POINTS[point] - POINTS[p];
    }
    return scale;
}

/// Value of x^exponent at a point. The last point is infinity. The value at infinity is 1 for the
/// highest exponent @p most, else 0.
/// @param points number of points, infinity included
/// @param point index of the point
double
Power(std::size_t points, std::size_t point, std::size_t exponent, std::size_t most)
{
    return point + 1 < points ? std::pow(POINTS[point], static_cast<double>(exponent))
                              : (exponent == most ? 1.0 : 0.0);
}

} // namespace

bool
RowWinograd::Suits(const ConvShape& shape)
{
    return shape.stride == 1 && shape.kernel >= 3 && shape.kernel <= 5 &&
           shape.padding < shape.kernel && shape.channels % 16 == 0 &&
           shape.outChannels % 16 == 0 && shape.outWidth >= TILE;
}

RowWinograd::RowWinograd(const ConvShape& shape, const NativeKernels& kernels)
    : m_shape(shape),
      m_kernels(kernels),
      m_points(shape.kernel + TILE - 1),
      m_tiles((shape.outWidth + TILE - 1) / TILE),
      m_grid{shape.kernel,
             shape.channels,
             m_tiles * shape.channels,
             m_tiles * shape.channels,
             shape.channels,
             shape.outHeight,
             m_tiles,
             m_tiles * shape.outChannels,
             shape.outChannels,
             shape.outChannels,
             shape.padding,
             shape.padding},
      m_fromImage(m_points * m_points),
      m_fromWeight(m_points * shape.kernel),
      m_toWeight(m_points * shape.kernel),
      m_fromResults(m_points * TILE),
      m_toResults(TILE * (m_points + 1)),
      m_zeros(std::max(shape.channels, shape.outChannels)),
      m_weights(m_points * WeightSize()),
      m_images(m_points * ImageSize()),
      m_results(m_points * ResultSize()),
      m_gradients(m_points * WeightSize())
{
    MakeMatrices();
}

void
RowWinograd::MakeMatrices()
{
    const std::size_t kernel = m_shape.kernel;
    for (std::size_t p = 0; p < m_points; ++p)
    {
        const bool isFinite = p + 1 < m_points;
        const std::vector<double> others = ProductOfOthers(m_points, p);
        std::copy(others.begin(), others.end(), m_fromImage.Data() + p * m_points);
        for (std::size_t k = 0; k < kernel; ++k)
        {
            const double scale = isFinite ? ProductOfDistances(m_points, p) : 1.0;
            const auto entry = static_cast<float>(Power(m_points, p, k, kernel - 1) / scale);
            m_fromWeight.Data()[p * kernel + k] = entry;
            m_toWeight.Data()[k * m_points + p] = entry;
        }
        for (std::size_t i = 0; i < TILE; ++i)
        {
            const auto entry = static_cast<float>(Power(m_points, p, i, TILE - 1));
            m_fromResults.Data()[p * TILE + i] = entry;
            m_toResults.Data()[i * (m_points + 1) + p] = entry;
        }
    }
    for (std::size_t i = 0; i < TILE; ++i)
    {
        m_toResults.Data()[i * (m_points + 1) + m_points] = 1.0F;
    }
}

void
RowWinograd::Load(const float* weight)
{
    const std::size_t size = m_shape.channels * m_shape.outChannels;
    VectorTransform transform{m_points, m_shape.kernel, m_fromWeight.Data()};
    for (std::size_t row = 0; row < m_shape.kernel; ++row)
    {
        for (std::size_t k = 0; k < m_shape.kernel; ++k)
        {
            transform.in[k] = weight + (row * m_shape.kernel + k) * size;
        }
        for (std::size_t p = 0; p < m_points; ++p)
        {
            transform.out[p] = m_weights.Data() + p * WeightSize() + row * size;
        }
        m_kernels.transform(transform, size);
    }
}

/// Transforms an image for all interpolation points, into m_images. Padding rows are never written,
/// so they stay zero.
void
RowWinograd::LoadImage(const float* image)
{
    const ConvShape& s = m_shape;
    VectorTransform transform{m_points, m_points, m_fromImage.Data()};
    for (std::size_t y = 0; y < s.height; ++y)
    {
        for (std::size_t tile = 0; tile < m_tiles; ++tile)
        {
            for (std::size_t i = 0; i < m_points; ++i)
            {
                const std::size_t x = tile * TILE + i - s.padding;
                // To the left of the image, the unsigned x wraps around to a value above the width.
                transform.in[i] =
                    x < s.width ? image + (y * s.width + x) * s.channels : m_zeros.Data();
                transform.out[i] = m_images.Data() + i * ImageSize() +
                                   ((y + s.padding) * m_tiles + tile) * s.channels;
            }
            m_kernels.transform(transform, s.channels);
        }
    }
}

void
RowWinograd::Correlate(const float* image, const float* bias, float* out)
{
    LoadImage(image);
    for (std::size_t p = 0; p < m_points; ++p)
    {
        m_kernels.correlate(m_grid,
                            m_images.Data() + p * ImageSize(),
                            m_weights.Data() + p * WeightSize(),
                            m_zeros.Data(),
                            m_results.Data() + p * ResultSize());
    }
    StoreResults(bias, out);
}

/// Computes the results from the products at the interpolation points in m_results, and adds the
/// bias.
void
RowWinograd::StoreResults(const float* bias, float* out)
{
    const ConvShape& s = m_shape;
    VectorTransform transform{TILE, m_points + 1, m_toResults.Data()};
    transform.in[m_points] = bias;
    for (std::size_t y = 0; y < s.outHeight; ++y)
    {
        for (std::size_t tile = 0; tile < m_tiles; ++tile)
        {
            const std::size_t first = (y * m_tiles + tile) * s.outChannels;
            for (std::size_t p = 0; p < m_points; ++p)
            {
                transform.in[p] = m_results.Data() + p * ResultSize() + first;
            }
            for (std::size_t i = 0; i < TILE; ++i)
            {
                const std::size_t x = tile * TILE + i;
                transform.out[i] =
                    x < s.outWidth ? out + (y * s.outWidth + x) * s.outChannels : nullptr;
            }
            m_kernels.transform(transform, s.outChannels);
        }
    }
}

/// Transforms the gradient of the results to the gradients of the products at the interpolation
/// points, into m_results.
void
RowWinograd::LoadGradient(const float* outGradient)
{
    const ConvShape& s = m_shape;
    VectorTransform transform{m_points, TILE, m_fromResults.Data()};
    for (std::size_t y = 0; y < s.outHeight; ++y)
    {
        for (std::size_t tile = 0; tile < m_tiles; ++tile)
        {
            for (std::size_t i = 0; i < TILE; ++i)
            {
                const std::size_t x = tile * TILE + i;
                transform.in[i] = x < s.outWidth
                                      ? outGradient + (y * s.outWidth + x) * s.outChannels
                                      : m_zeros.Data();
            }
            for (std::size_t p = 0; p < m_points; ++p)
            {
                transform.out[p] =
                    m_results.Data() + p * ResultSize() + (y * m_tiles + tile) * s.outChannels;
            }
            m_kernels.transform(transform, s.outChannels);
        }
    }
}

void
RowWinograd::WeightGradient(const float* image, const float* outGradient, float* gradient)
{
    const ConvShape& s = m_shape;
    LoadImage(image);
    LoadGradient(outGradient);
    for (std::size_t p = 0; p < m_points; ++p)
    {
        m_kernels.weightGradient(m_grid,
                                 m_images.Data() + p * ImageSize(),
                                 m_results.Data() + p * ResultSize(),
                                 m_gradients.Data() + p * WeightSize());
    }
    const std::size_t size = s.channels * s.outChannels;
    VectorTransform transform{s.kernel, m_points, m_toWeight.Data()};
    for (std::size_t row = 0; row < s.kernel; ++row)
    {
        for (std::size_t p = 0; p < m_points; ++p)
        {
            transform.in[p] = m_gradients.Data() + p * WeightSize() + row * size;
        }
        for (std::size_t k = 0; k < s.kernel; ++k)
        {
            transform.out[k] = gradient + (row * s.kernel + k) * size;
        }
        m_kernels.transform(transform, size);
    }
}

} // namespace dpdl
