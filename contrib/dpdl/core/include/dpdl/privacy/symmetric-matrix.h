// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_SYMMETRIC_MATRIX_H
#define DPDL_PRIVACY_SYMMETRIC_MATRIX_H

#include <cstddef>
#include <functional>
#include <vector>

namespace dpdl
{

/// A dense symmetric matrix, computed with Eigen. Some methods require it to be positive definite.
class SymmetricMatrix
{
  public:
    /// Zero matrix. @param size number of rows
    explicit SymmetricMatrix(std::size_t size)
        : m_size(size),
          m_values(size * size, 0.0)
    {
    }

    /// Number of rows and of columns.
    std::size_t Size() const
    {
        return m_size;
    }

    /// Entry (row, column), 0-based.
    double At(std::size_t row, std::size_t column) const
    {
        return m_values[Place(row, column)];
    }

    /// Adds @p value to entry (row, column) and, off the diagonal, to entry (column, row).
    void Add(std::size_t row, std::size_t column, double value)
    {
        m_values[Place(row, column)] += value;
    }

    /// The lower triangular Cholesky factor L with L L' = this; only its entries (row, column) with
    /// row >= column are valid. @throws Error if this is not positive definite
    SymmetricMatrix Root() const;

    /// The diagonal of the inverse. @throws Error if this is not positive definite
    std::vector<double> InverseDiagonal() const;

    /// The inverse. @throws Error if this is not positive definite
    SymmetricMatrix Inverse() const;

    /// Eigenvalues, ascending.
    std::vector<double> Eigenvalues() const;

    /// Eigenvalues, ascending. @param[out] vectors eigenvectors of norm 1 in the same order, one
    /// after another, [n, n]
    std::vector<double> Eigenvectors(std::vector<double>& vectors) const;

    /// The matrix with the same eigenvectors in which function(l) replaces each eigenvalue l.
    SymmetricMatrix Map(const std::function<double(double)>& function) const;

    /// Product this * middle * this. @param middle a matrix of the same size
    SymmetricMatrix Around(const SymmetricMatrix& middle) const;

  private:
    std::size_t Place(std::size_t row, std::size_t column) const
    {
        return row >= column ? column * m_size + row : row * m_size + column;
    }

    std::size_t m_size;           ///< number of rows
    std::vector<double> m_values; ///< entries, column-major; only the lower triangle is valid
};

} // namespace dpdl

#endif // DPDL_PRIVACY_SYMMETRIC_MATRIX_H
