// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_BLAS_H
#define DPDL_TEST_BLAS_H

#include <cstddef>

namespace dpdl
{

/// A row-major matrix of floats, optionally transposed.
struct MatrixView
{
    const float* data;     ///< first element
    std::size_t stride;    ///< elements between rows
    bool transpose{false}; ///< the product uses the transpose
};

/**
 * @brief C = A B + beta C, all row-major, on the calling thread only.
 * @param a [rows, inner] after transposition
 * @param b [inner, columns] after transposition
 * @param beta 0: C is overwritten; 1: C is added to
 * @param[in,out] c [rows, columns], contiguous
 */
void Multiply(const MatrixView& a,
              const MatrixView& b,
              std::size_t rows,
              std::size_t columns,
              std::size_t inner,
              float beta,
              float* c);

} // namespace dpdl

#endif // DPDL_TEST_BLAS_H
