// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_ROOTS_OF_UNITY_H
#define DPDL_PRIVACY_ROOTS_OF_UNITY_H

#include "loss-cells.h"

#include <complex>
#include <cstddef>
#include <vector>

namespace dpdl
{

/// The lowest coefficients of a discrete Fourier transform, by plain sums.
class RootsOfUnity
{
  public:
    /// @param size length of the transform
    explicit RootsOfUnity(std::size_t size)
        : m_size(size)
    {
    }

    /**
     * @brief Transforms masses; sums have two levels, so that rounding errors hardly grow.
     * @param cells mass[j] is at position first + j, taken modulo the size
     * @param[out] coefficients as many as are wanted
     */
    void Transform(const LossCells& cells, std::vector<std::complex<double>>& coefficients);

  private:
    std::size_t m_size;
    std::vector<std::complex<double>> m_roots; ///< e^(-2 pi i j / size), made when first used
};

} // namespace dpdl

#endif // DPDL_PRIVACY_ROOTS_OF_UNITY_H
