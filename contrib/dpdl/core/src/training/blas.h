// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_BLAS_H
#define DPDL_TRAINING_BLAS_H

#include "float-buffer.h"
#include "native-kernels.h"

#include <cstddef>
#include <cstdint>
#include <vector>

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

/// Owns the scratch memory of NativeKernels::addProducts.
class ProductScratch
{
  public:
    /// @param count largest number of outer products @param rows values of a left vector
    ProductScratch(std::size_t count, std::size_t rows)
        : m_lefts(count * rows),
          m_places(count * rows),
          m_terms(rows)
    {
    }

    ProductMemory Memory()
    {
        return {m_lefts.Data(), m_places.data(), m_terms.data()};
    }

  private:
    DoubleBuffer m_lefts;
    std::vector<std::uint32_t> m_places;
    std::vector<std::uint32_t> m_terms;
};

} // namespace dpdl

#endif // DPDL_TRAINING_BLAS_H
