// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "scattering.h"

#include "dpdl/base/planner-mutex.h"

#include <algorithm>
#include <cmath>
#include <fftw3.h>
#include <new>

// Computes convolutions by FFT: multiplies the spectrum of a mirrored plane with the wavelets. For
// the second order, the modulus of each result of scale 0 is transformed again.

namespace dpdl
{

namespace
{

using Frequency = std::complex<double>;

/// Distance in pixels between two samples of the features, 2^J.
constexpr std::uint32_t SAMPLING = 4;

/// Length of one side of a mirrored plane, in pixels.
/// @param side length of the image's side
std::uint32_t
MirroredSide(std::uint32_t side)
{
    return (side / SAMPLING + 2) * SAMPLING;
}

/// Index in the image, along one axis, of the pixel that is copied to index @p place of the
/// mirrored plane.
/// @param margin number of mirrored pixels before the image
/// @param side length of the image's side
std::size_t
MirroredPlace(std::size_t place, std::size_t margin, std::size_t side)
{
    const std::size_t distance = place < margin ? margin - place : place - margin;
    return distance < side ? distance : 2 * (side - 1) - distance;
}

fftw_complex*
ForFftw(Frequency* frequencies)
{
    // By definition std::complex<double> and fftw_complex have the same layout.
    return reinterpret_cast<fftw_complex*>(frequencies);
}

} // namespace

/// Sizes, smoothing matrices and FFT plan for planes of one resolution (full, or every second
/// pixel).
struct Scattering::Level
{
    std::size_t rows;    ///< number of rows of a plane
    std::size_t columns; ///< number of columns of a plane
    /// Matrix [feature rows, rows] that smooths and subsamples each column.
    std::vector<double> down;
    /// Matrix [columns, feature columns] that smooths and subsamples each row.
    std::vector<double> right;
    fftw_plan inverse; ///< inverse transform of Buffers::product, in place
};

struct Scattering::Buffers
{
    /// Array in memory that FFTW allocates, with the alignment that it needs.
    template <typename T>
    struct Array
    {
        explicit Array(std::size_t size)
            : data(static_cast<T*>(fftw_malloc(size * sizeof(T))))
        {
            if (data == nullptr)
            {
                throw std::bad_alloc();
            }
        }

        Array(const Array&) = delete;
        Array& operator=(const Array&) = delete;

        ~Array()
        {
            fftw_free(data);
        }

        T* data;
    };

    Buffers(std::size_t rows, std::size_t columns);
    ~Buffers();

    Array<double> values;         ///< the mirrored image, or the modulus of a convolution with a
                                  ///< wavelet
    Array<Frequency> half;        ///< real-to-complex transform of `values`; the other half of the
                                  ///< spectrum follows by symmetry
    Array<Frequency> product;     ///< product of a plane's and a wavelet's spectrum, then the
                                  ///< convolution
    std::vector<Frequency> image; ///< spectrum of the mirrored image
    std::vector<Frequency> first; ///< spectrum of the modulus of a first-order convolution
    /// One row of features before smoothing along the row: a weighted sum of the plane's rows.
    std::vector<double> smoothed;
    std::vector<double> sums; ///< the same row after smoothing along the row, at every fourth pixel
    fftw_plan forward{nullptr}; ///< real-to-complex transform from `values` to `half`
    std::vector<Level> levels;  ///< [0] full resolution, [1] every second pixel
};

Scattering::Buffers::Buffers(std::size_t rows, std::size_t columns)
    : values(rows * columns),
      half(rows * (columns / 2 + 1)),
      product(rows * columns),
      image(rows * columns),
      first(rows * columns)
{
    const std::lock_guard<std::mutex> lock(PlannerMutex());
    // FFTW_ESTIMATE plans do not depend on measured times, so rounding errors are the same in every
    // run.
    forward = fftw_plan_dft_r2c_2d(static_cast<int>(rows),
                                   static_cast<int>(columns),
                                   values.data,
                                   ForFftw(half.data),
                                   FFTW_ESTIMATE);
    for (const std::size_t level : {0, 1})
    {
        Level made{rows >> level, columns >> level, SmoothingMatrix(rows, level), {}, nullptr};
        const std::vector<double> right = SmoothingMatrix(columns, level);
        const std::size_t outputs = right.size() / made.columns;
        made.right.resize(right.size());
        for (std::size_t i = 0; i < right.size(); ++i)
        {
            made.right[i % made.columns * outputs + i / made.columns] = right[i];
        }
        made.inverse = fftw_plan_dft_2d(static_cast<int>(made.rows),
                                        static_cast<int>(made.columns),
                                        ForFftw(product.data),
                                        ForFftw(product.data),
                                        FFTW_BACKWARD,
                                        FFTW_ESTIMATE);
        levels.push_back(std::move(made));
    }
}

Scattering::Buffers::~Buffers()
{
    const std::lock_guard<std::mutex> lock(PlannerMutex());
    fftw_destroy_plan(forward);
    for (const Level& level : levels)
    {
        fftw_destroy_plan(level.inverse);
    }
}

ImageShape
Scattering::Shape(const ImageShape& image)
{
    return {image.channels * static_cast<std::uint32_t>(CHANNELS),
            image.height / SAMPLING,
            image.width / SAMPLING};
}

Scattering::Scattering(const ImageShape& image)
    : m_image(image),
      m_features(Shape(image)),
      m_rows(MirroredSide(image.height)),
      m_columns(MirroredSide(image.width)),
      m_buffers(std::make_unique<Buffers>(m_rows, m_columns))
{
    for (const std::size_t scale : {0, 1})
    {
        for (std::size_t angle = 0; angle < MORLET_ANGLES; ++angle)
        {
            m_wavelets.push_back(MorletSpectrum(m_rows, m_columns, scale, angle));
            for (double& value : m_wavelets.back())
            {
                // FFTW's inverse transform does not divide by the number of values.
                value /= static_cast<double>(m_rows * m_columns);
            }
        }
    }
}

Scattering::~Scattering() = default;

void
Scattering::Transform(const float* image, float* features)
{
    const std::size_t plane = m_image.Size() / m_image.channels;
    const std::size_t made = m_features.Size() / m_image.channels;
    for (std::uint32_t colour = 0; colour < m_image.channels; ++colour)
    {
        TransformPlane(image + colour * plane, features + colour * made);
    }
}

void
Scattering::Mirror(const float* plane)
{
    const std::size_t above = (m_rows - m_image.height) / 2;
    const std::size_t before = (m_columns - m_image.width) / 2;
    for (std::size_t row = 0; row < m_rows; ++row)
    {
        const float* from = plane + MirroredPlace(row, above, m_image.height) * m_image.width;
        for (std::size_t column = 0; column < m_columns; ++column)
        {
            m_buffers->values.data[row * m_columns + column] =
                from[MirroredPlace(column, before, m_image.width)];
        }
    }
}

/// Computes the spectrum of Buffers::values.
/// @param[out] spectrum [rows, columns]
void
Scattering::ToFrequencies(std::vector<std::complex<double>>& spectrum)
{
    fftw_execute(m_buffers->forward);
    const std::size_t kept = m_columns / 2 + 1;
    for (std::size_t row = 0; row < m_rows; ++row)
    {
        const Frequency* half = m_buffers->half.data + row * kept;
        const Frequency* opposite = m_buffers->half.data + (m_rows - row) % m_rows * kept;
        Frequency* whole = spectrum.data() + row * m_columns;
        std::copy_n(half, kept, whole);
        for (std::size_t column = kept; column < m_columns; ++column)
        {
            whole[column] = std::conj(opposite[m_columns - column]);
        }
    }
}

/// Computes |x * psi| at every 2^l-th pixel, with l the index of the level, into Buffers::values.
/// @param spectrum spectrum of x
/// @param wavelet spectrum of psi
void
Scattering::Modulus(const std::vector<std::complex<double>>& spectrum,
                    const std::vector<double>& wavelet,
                    const Level& level)
{
    Frequency* product = m_buffers->product.data;
    const std::size_t places = level.rows * level.columns;
    std::fill_n(product, places, Frequency());
    for (std::size_t row = 0; row < m_rows; ++row)
    {
        // Subsampling (aliasing): frequencies of the full grid that are equal on the coarser grid
        // are added.
        Frequency* sums = product + row % level.rows * level.columns;
        for (std::size_t begin = 0; begin < m_columns; begin += level.columns)
        {
            const Frequency* x = spectrum.data() + row * m_columns + begin;
            const double* psi = wavelet.data() + row * m_columns + begin;
            for (std::size_t i = 0; i < level.columns; ++i)
            {
                sums[i] += x[i] * psi[i];
            }
        }
    }
    fftw_execute(level.inverse);
    const auto* parts = reinterpret_cast<const double*>(product);
    double* values = m_buffers->values.data;
    for (std::size_t i = 0; i < places; ++i)
    {
        values[i] = std::sqrt(parts[2 * i] * parts[2 * i] + parts[2 * i + 1] * parts[2 * i + 1]);
    }
}

/// Smooths and subsamples Buffers::values into one channel of features.
/// @param level resolution of the values
void
Scattering::Smooth(const Level& level, float* features)
{
    std::vector<double>& line = m_buffers->smoothed;
    std::vector<double>& sums = m_buffers->sums;
    for (std::size_t row = 0; row < m_features.height; ++row)
    {
        line.assign(level.columns, 0.0);
        for (std::size_t from = 0; from < level.rows; ++from)
        {
            const double weight = level.down[row * level.rows + from];
            const double* values = m_buffers->values.data + from * level.columns;
            for (std::size_t i = 0; i < level.columns; ++i)
            {
                line[i] += weight * values[i];
            }
        }
        sums.assign(m_features.width, 0.0);
        for (std::size_t from = 0; from < level.columns; ++from)
        {
            const double* weights = level.right.data() + from * m_features.width;
            for (std::size_t i = 0; i < m_features.width; ++i)
            {
                sums[i] += line[from] * weights[i];
            }
        }
        std::copy(sums.begin(), sums.end(), features + row * m_features.width);
    }
}

void
Scattering::TransformPlane(const float* plane, float* features)
{
    const std::size_t channel = std::size_t{m_features.height} * m_features.width;
    const std::vector<Level>& levels = m_buffers->levels;
    float* firstOrder = features + channel;
    float* secondOrder = firstOrder + m_wavelets.size() * channel;
    Mirror(plane);
    Smooth(levels[0], features);
    ToFrequencies(m_buffers->image);
    for (std::size_t i = 0; i < m_wavelets.size(); ++i)
    {
        const Level& level = levels[i / MORLET_ANGLES];
        Modulus(m_buffers->image, m_wavelets[i], level);
        Smooth(level, firstOrder + i * channel);
        if (i >= MORLET_ANGLES)
        {
            continue;
        }
        ToFrequencies(m_buffers->first);
        for (std::size_t j = 0; j < MORLET_ANGLES; ++j)
        {
            Modulus(m_buffers->first, m_wavelets[MORLET_ANGLES + j], levels[1]);
            Smooth(levels[1], secondOrder + (MORLET_ANGLES * i + j) * channel);
        }
    }
}

} // namespace dpdl
