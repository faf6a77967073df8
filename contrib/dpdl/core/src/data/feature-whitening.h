// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_FEATURE_WHITENING_H
#define DPDL_DATA_FEATURE_WHITENING_H

#include <cstddef>
#include <vector>

namespace dpdl
{

/**
 * @brief Features in coordinates that tell how much of each of some shapes is in them.
 *
 * With the features S [count, size] of the shapes, less their mean, and the Gram matrix K = S S^T,
 * features x become (K + c I)^-1 S x: the coefficients of the ridge regression of x on the rows of
 * S. The penalty c is a multiple of the mean eigenvalue of K. A direction with the eigenvalue l is
 * so multiplied by sqrt(l) / (l + c): directions with large l come out alike, those with small l
 * fade, and what no shape has is gone.
 */
class FeatureWhitening
{
  public:
    /**
     * @param shapes [count, size] features of examples that are no one's data
     * @param count how many shapes, and coordinates
     * @param penalty c over the mean eigenvalue of K, above 0
     */
    FeatureWhitening(const std::vector<float>& shapes, std::size_t count, double penalty);

    /**
     * @brief Computes coordinates.
     * @param examples how many
     * @param features [examples, size]
     * @param[out] coordinates [examples, count]
     */
    void Apply(std::size_t examples, const float* features, float* coordinates) const;

  private:
    std::size_t m_count;
    std::vector<float> m_weights; ///< [size, count], the transpose of (K + c I)^-1 S
};

} // namespace dpdl

#endif // DPDL_DATA_FEATURE_WHITENING_H
