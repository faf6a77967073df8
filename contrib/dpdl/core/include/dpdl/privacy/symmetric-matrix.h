// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_SYMMETRIC_MATRIX_H
#define DPDL_PRIVACY_SYMMETRIC_MATRIX_H

#include <cstddef>
#include <functional>
#include <vector>

namespace dpdl
{

/// Dense symmetric matrix, computed with Eigen.
class SymmetricMatrix
{
  public:
    /// Constructs a zero matrix.
    /// @param size number of rows
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

    /// Adds @p value to the entries (row, column) and (column, row); once if they are the same
    /// entry.
    void Add(std::size_t row, std::size_t column, double value)
    {
        m_values[Place(row, column)] += value;
    }

    /// Lower triangular Cholesky factor L with L L' = this matrix. Only its entries (row, column)
    /// with row >= column are valid.
    /// @throws Error if this matrix is not positive definite
    SymmetricMatrix Root() const;

    /// Diagonal of the inverse.
    /// @throws Error if this matrix is not positive definite
    std::vector<double> InverseDiagonal() const;

    /// Inverse matrix.
    /// @throws Error if this matrix is not positive definite
    SymmetricMatrix Inverse() const;

    /// Eigenvalues, ascending.
    /// @throws Error if the computation does not converge, for example with NaN entries
    std::vector<double> Eigenvalues() const;

    /// Returns the eigenvalues, ascending, and computes the eigenvectors.
    /// @param[out] vectors unit eigenvectors in the same order, one after another, [n, n]
    /// @throws Error if the computation does not converge
    std::vector<double> Eigenvectors(std::vector<double>& vectors) const;

    /// Matrix with the same eigenvectors, and with function(l) in place of each eigenvalue l.
    /// @throws Error if the computation of the eigenvalues does not converge
    SymmetricMatrix Map(const std::function<double(double)>& function) const;

    /// Matrix product this * middle * this.
    /// @param middle a matrix of the same size
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
