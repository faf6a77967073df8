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
 * @brief The scattering transform of images with Morlet wavelets, up to order 2.
 *
 * The transform has J = 2 scales (0 and 1) and L = 8 orientations. Each colour plane x of the image
 * is first extended by mirroring at its edges, so that its height and width are multiples of 4. Let
 * phi be a Gaussian low-pass filter, psi_a one of the 16 wavelets, and * the convolution. The
 * features of x have 81 channels, sampled at every fourth pixel (Bruna and Mallat, IEEE TPAMI
 * 2013):
 * - order 0, 1 channel: x * phi
 * - order 1, 16 channels: |x * psi_a| * phi
 * - order 2, 64 channels: ||x * psi_a| * psi_b| * phi, with a of scale 0 and b of scale 1.
 *
 * The channel order is that of Kymatio.
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

    /// @param image shape of the images; height and width at least SMALLEST_SIDE
    explicit Scattering(const ImageShape& image);
    ~Scattering();

    /// Shape of an image's features: [81 * channels, height / 4, width / 4], rounded down.
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
 * @brief Computes the discrete Fourier transform of a Morlet wavelet psi on a periodic grid. All
 *        values of this transform are real.
 *
 * psi(u) = g(u) (exp(i xi (u . e)) - K), with the point u = (row, column) in pixels and e = (cos
 * theta, sin theta). g is a Gaussian density with standard deviation sigma = 0.8 2^j along e and
 * sigma L / 4 perpendicular to e, where L is MORLET_ANGLES. The frequency is xi = 3 pi / 4 / 2^j,
 * and the constant K makes the sum of psi over the grid 0. Orientation a has theta = (L/2 - 1 - a)
 * pi / L. The conventions are those of Kymatio (Andreux et al., JMLR 2020).
 *
 * @param rows number of rows of the period
 * @param columns number of columns of the period
 * @param scale j, 0 or more
 * @param angle a, 0..MORLET_ANGLES-1
 * @return [rows, columns], the sums of psi(u) exp(-2 pi i (k . u)), with frequencies k in the order
 *         of FFTW
 */
std::vector<double> MorletSpectrum(std::size_t rows,
                                   std::size_t columns,
                                   std::size_t scale,
                                   std::size_t angle);

/**
 * @brief Matrix that convolves the samples along one axis of a mirrored plane with a Gaussian of
 *        standard deviation 1.6 pixels, and keeps the result at every fourth pixel.
 *
 * The two-dimensional low-pass filter is the product of the filters of both axes. The first and the
 * last of the kept samples are dropped, because they are in the mirrored margin.
 *
 * @param period number of pixels along the axis, a multiple of 4
 * @param level base-2 logarithm of the distance between the input's samples in pixels: 0 or 1. The
 *        filter contains only frequencies that samples at this distance can represent
 * @return [period / 4 - 2, period / 2^level]
 */
std::vector<double> SmoothingMatrix(std::size_t period, std::size_t level);

} // namespace dpdl

#endif // DPDL_DATA_SCATTERING_H
