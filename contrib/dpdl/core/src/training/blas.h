// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_BLAS_H
#define DPDL_TRAINING_BLAS_H

#include <cstddef>

namespace dpdl
{

/// A row-major matrix of floats, seen as it is or transposed.
struct MatrixView
{
    const float* data;     ///< first element
    std::size_t stride;    ///< elements between rows
    bool transpose{false}; ///< whether the product sees the transpose
};

/**
 * @brief C = A B + beta C, all row-major, on this thread alone.
 * @param a [rows, inner] as the product sees it
 * @param b [inner, columns] as the product sees it
 * @param beta 0: C is overwritten; 1: C is added to
 * @param[in,out] c [rows, columns], rows next to each other
 */
void Multiply(const MatrixView& a,
              const MatrixView& b,
              std::size_t rows,
              std::size_t columns,
              std::size_t inner,
              float beta,
              float* c);

} // namespace dpdl

#endif // DPDL_TRAINING_BLAS_H
