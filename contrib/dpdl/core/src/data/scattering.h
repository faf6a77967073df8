// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_SCATTERING_H
#define DPDL_DATA_SCATTERING_H

#include "dpdl/data/dataset.h"

#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

namespace dpdl
{

/**
 * @brief The scattering transform of images with Morlet wavelets, J = 2, L = 8, up to order 2.
 *
 * A plane is mirrored at its edges, to a multiple of 4 in each direction. Its channels are x * phi,
 * |x * psi_a| * phi and ||x * psi_a| * psi_b| * phi with b of the larger scale, sampled at every
 * fourth pixel: 1 + 16 + 64 (Bruna and Mallat, IEEE TPAMI 2013). The channel order is that of
 * Kymatio.
 *
 * Objects are not thread-safe; use one per thread.
 */
class Scattering
{
  public:
    /// Number of channels of features per colour plane: 1 + 16 + 64.
    static constexpr std::size_t CHANNELS = 81;
    /// Smallest accepted height or width, in pixels; smaller images cannot be mirrored.
    static constexpr std::uint32_t SMALLEST_SIDE = 8;

    /// @param image shape of the images, both sides at least SMALLEST_SIDE
    explicit Scattering(const ImageShape& image);
    ~Scattering();

    /// Shape of an image's features.
    /// @param image shape of the image
    static ImageShape Shape(const ImageShape& image);

    /**
     * @brief Transforms one image.
     * @param image [channels, height, width] values
     * @param[out] features Shape().Size() values in [channel, row, column] order
     */
    void Transform(const float* image, float* features);

  private:
    struct Level;
    struct Buffers;

    void Mirror(const float* plane);
    void ToFrequencies(std::vector<std::complex<double>>& spectrum);
    void Modulus(const std::vector<std::complex<double>>& spectrum,
                 const std::vector<double>& wavelet,
                 const Level& level);
    void Smooth(const Level& level, float* features);
    void TransformPlane(const float* plane, float* features);

    const ImageShape m_image;    ///< shape of the images
    const ImageShape m_features; ///< shape of the features
    std::size_t m_rows;          ///< number of rows of a mirrored plane
    std::size_t m_columns;       ///< number of columns of a mirrored plane
    /// Spectra of the 16 wavelets, each [rows, columns]: 8 orientations of scale 0, then 8 of scale
    /// 1.
    std::vector<std::vector<double>> m_wavelets;
    std::unique_ptr<Buffers> m_buffers; ///< FFTW buffers and intermediate results
};

/// Number L of orientations of the wavelets.
constexpr std::size_t MORLET_ANGLES = 8;

/**
 * @brief The Fourier transform of a periodic Morlet wavelet, which is real.
 *
 * psi(u) = g(u) (exp(i xi (u . e)) - K), with e = (cos theta, sin theta). g is an elliptic Gaussian
 * of width sigma = 0.8 2^j along e and sigma L / 4 across it. xi = 3 pi / 4 / 2^j, and K makes the
 * sum of psi 0. Orientation a has theta = (L/2 - 1 - a) pi / L. The conventions are those of
 * Kymatio (Andreux et al., JMLR 2020).
 *
 * @param rows number of rows of the period
 * @param columns number of columns of the period
 * @param scale j, 0 or more
 * @param angle a, 0..MORLET_ANGLES-1
 * @return [rows, columns], frequencies in the order of FFTW
 */
std::vector<double> MorletSpectrum(std::size_t rows,
                                   std::size_t columns,
                                   std::size_t scale,
                                   std::size_t angle);

/**
 * @brief Matrix that smooths an axis by a Gaussian of standard deviation 1.6 pixels and keeps every
 *        fourth pixel.
 *
 * The two-dimensional low-pass filter is the product of the filters of both axes. The first and the
 * last sample of the result are dropped, because they are in the mirrored margin.
 *
 * @param period number of samples of the axis, a multiple of 4
 * @param level base-2 logarithm of the distance of the input's samples; the filter is restricted to
 *        the frequencies that such samples represent
 * @return [period / 4 - 2, period / 2^level]
 */
std::vector<double> SmoothingMatrix(std::size_t period, std::size_t level);

} // namespace dpdl

#endif // DPDL_DATA_SCATTERING_H
