// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_FEATURE_WHITENING_H
#define DPDL_DATA_FEATURE_WHITENING_H

#include "morlet-filters.h"

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

namespace dpdl
{

/**
 * @brief Scattering features in coordinates of which each is about as large in images of random
 *        shapes.
 *
 * The coordinates are those in which the covariance of features would be diagonal if images looked
 * alike at every place and in every direction: a cosine transform (type II) over the places of each
 * channel, and a Fourier transform over the directions of each family of channels; of channels of
 * two directions over the first one and their difference. All of it is orthonormal. Then coordinate
 * i is multiplied by (v_i + mean(v) / 20)^(-A / 2), with the variance v_i that it has in examples.
 */
class FeatureWhitening
{
  public:
    /**
     * @param rows of a channel
     * @param columns of a channel
     * @param count how many examples
     * @param example writes the features of one plane, which no one's data are in, by its number
     * @param power A in [0, 1]; 0: the coordinates are changed and nothing is multiplied
     */
    FeatureWhitening(std::size_t rows,
                     std::size_t columns,
                     std::size_t count,
                     const std::function<void(std::size_t, float*)>& example,
                     double power);

    /// Changes the features of one plane. @param[in,out] plane [CHANNELS, rows, columns]
    void Apply(float* plane) const;

  private:
    static constexpr std::size_t ANGLES = MORLET_ANGLES;

    void Turn(float* plane) const;
    void OverPlaces(float* channel) const;
    void OverAngles(const std::array<float*, ANGLES>& channels) const;

    std::size_t m_rows;              ///< of a channel
    std::size_t m_columns;           ///< of a channel
    std::vector<float> m_down;       ///< [rows, rows] cosines
    std::vector<float> m_right;      ///< [columns, columns] cosines
    std::vector<float> m_directions; ///< [ANGLES, ANGLES] Fourier
    std::vector<float> m_weights;    ///< [CHANNELS, rows, columns]
};

} // namespace dpdl

#endif // DPDL_DATA_FEATURE_WHITENING_H
