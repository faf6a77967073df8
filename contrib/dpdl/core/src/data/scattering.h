// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_SCATTERING_H
#define DPDL_DATA_SCATTERING_H

#include "dpdl/data/dataset.h"

#include <complex>
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
    /// Number of channels per colour plane.
    static constexpr std::size_t CHANNELS = 81;
    /// Smallest height or width: smaller images cannot be mirrored.
    static constexpr std::uint32_t SMALLEST_SIDE = 8;

    /// @param image size of the images, both sides at least SMALLEST_SIDE
    explicit Scattering(const ImageShape& image);
    ~Scattering();
    Scattering(const Scattering&) = delete;
    Scattering& operator=(const Scattering&) = delete;

    /// Shape of the features. @param image size of the images
    static ImageShape Shape(const ImageShape& image);

    /**
     * @brief Transforms one image.
     * @param image values [channels, height, width]
     * @param features output, Shape().Size() values
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

    const ImageShape m_image;                    ///< of the images
    const ImageShape m_features;                 ///< shape of the features
    std::size_t m_rows;                          ///< of a mirrored plane
    std::size_t m_columns;                       ///< of a mirrored plane
    std::vector<std::vector<double>> m_wavelets; ///< [16] spectra over the size of a plane
    std::unique_ptr<Buffers> m_buffers;          ///< FFTW buffers and intermediate results
};

} // namespace dpdl

#endif // DPDL_DATA_SCATTERING_H
