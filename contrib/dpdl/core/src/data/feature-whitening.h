// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_FEATURE_WHITENING_H
#define DPDL_DATA_FEATURE_WHITENING_H

#include "dpdl/data/dataset.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Whitens features by ridge regression on the features of public reference images.
 *
 * S [count, size] are the features of the reference images minus their mean, and K = S S^T is their
 * Gram matrix. Features x [size] become (K + c I)^-1 S x [count]: the coefficients of the ridge
 * regression of x on the rows of S, with ridge penalty c. Let s be a singular value of S. The
 * component of x along the right singular vector of s is multiplied by s / (s^2 + c). If s^2 is far
 * above c, this factor is about 1 / s, as in whitening. If s^2 is far below c, it is about s / c,
 * which is less than 1 / s, so components of little variance are not amplified as much. Components
 * of x orthogonal to all rows of S become 0.
 */
class FeatureWhitening
{
  public:
    /**
     * @param shapes [count, size] features of the reference images
     * @param count number of reference images, and of coordinates in the result
     * @param penalty ridge penalty c, divided by the mean eigenvalue of K; above 0
     */
    FeatureWhitening(const std::vector<float>& shapes, std::size_t count, double penalty);

    /**
     * @brief Whitens the features of several examples.
     * @param examples number of examples
     * @param features [examples, size]
     * @param[out] coordinates [examples, count]
     */
    void Apply(std::size_t examples, const float* features, float* coordinates) const;

  private:
    std::size_t m_count;          ///< number of reference images, and of coordinates in the result
    std::vector<float> m_weights; ///< [size, count], the transpose of (K + c I)^-1 S
};

/**
 * @brief Cache of computed features, in the folder of the environment variable DPDL_FEATURES. A
 *        campaign sets the variable, so its later runs read the features that an earlier run has
 *        computed.
 *
 * A file name contains a checksum of the images, their shape and the kind of features. The file
 * ends with a checksum of the features. A file with a wrong checksum is ignored.
 */
class FeatureStore
{
  public:
    /**
     * @param images images from which the features are computed
     * @param shape shape of one image
     * @param features name of the kind of features, which is part of the file name
     */
    FeatureStore(const Split& images, const ImageShape& shape, const std::string& features);

    /// Reads the cached features.
    /// @param[in,out] values receives the features; its size must be the number of features. If the
    ///        result is false, the values are unspecified
    /// @return false if the cache has no file of these features, or the checksum of the file is
    ///         wrong
    bool Read(std::vector<float>& values) const;

    /// Caches features for other runs. Has no effect if DPDL_FEATURES is not set, or if the disk
    /// has too little space.
    void Write(const std::vector<float>& values) const;

  private:
    std::string m_path; ///< path of the file; empty if DPDL_FEATURES is not set
};

} // namespace dpdl

#endif // DPDL_DATA_FEATURE_WHITENING_H
