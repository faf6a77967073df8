// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "contraction-figures.h"
#include "lanczos.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

// Computes the maximal correlation by Lanczos iteration on M M^T with M = (I - u u^T) A.
// ContractionTracker defines u and A. A is stored as a dense or a sparse matrix, depending on the
// fraction of zeros.

namespace dpdl
{

namespace
{

/// Fraction of nonzero entries of R (WindowMatrix) below which a sparse matrix is used, because its
/// products are faster.
constexpr double SPARSE_SHARE = 0.15;

/// Largest number of rows up to which the dense matrix is always used. It is more accurate for a
/// maximal correlation near 0, and its cost is negligible.
constexpr std::size_t SMALL_MATRIX = 64;

/// Push-sum mass at a window's end, by the column of R (WindowMatrix) from which it comes,
/// [columns]. `scaled` is the mass as a ScaledDouble, which does not underflow. `share` is pi, the
/// mass divided by the total mass of all nodes.
struct ColumnMasses
{
    std::vector<ScaledDouble> scaled;
    std::vector<double> share;
};

/// Computes the masses of the columns of R, the product of a window's mixing matrices. The function
/// computes pi as the row of the node with the largest weight, plus the weighted mean difference of
/// all rows from that row. So pi is exact for a column in which all rows are equal.
/// @param weights push-sum weight of each node at the window's end, [nodes]
/// @param total sum of @p weights, > 0
ColumnMasses
MassesOf(const WindowMatrix& matrix, const std::vector<ScaledDouble>& weights, ScaledDouble total)
{
    const auto heaviest = std::max_element(weights.begin(), weights.end());
    const double* reference = matrix.Row(heaviest - weights.begin());
    ColumnMasses masses;
    masses.scaled.resize(matrix.columns);
    masses.share.resize(matrix.columns);
    for (std::size_t j = 0; j < matrix.rows; ++j)
    {
        const double* row = matrix.Row(j);
        const double weight = weights[j] / total;
        for (std::size_t c = 0; c < matrix.columns; ++c)
        {
            masses.share[c] += weight * (row[c] - reference[c]);
            if (reference[c] == 0.0 && row[c] > 0.0)
            {
                masses.scaled[c] += weights[j] * row[c];
            }
        }
    }
    for (std::size_t c = 0; c < matrix.columns; ++c)
    {
        masses.share[c] += reference[c];
        if (reference[c] > 0.0)
        {
            masses.scaled[c] = total * masses.share[c];
        }
    }
    return masses;
}

/// M = (I - u u^T) A as a dense matrix. Entry (j, c) is sqrt(w_j / pi_c) (R_jc - pi_c), with the
/// push-sum weights w of the nodes and the masses pi of the columns, each scaled to sum 1.
class DenseCentred
{
  public:
    DenseCentred(const WindowMatrix& matrix,
                 const std::vector<ScaledDouble>& weights,
                 ScaledDouble total)
        : m_rows(matrix.rows),
          m_columns(matrix.columns),
          m_inner(matrix.columns)
    {
        const ColumnMasses masses = MassesOf(matrix, weights, total);
        m_values.reserve(m_rows * m_columns);
        for (std::size_t j = 0; j < m_rows; ++j)
        {
            const double* row = matrix.Row(j);
            const double rootWeight = std::sqrt(weights[j] / total);
            for (std::size_t c = 0; c < m_columns; ++c)
            {
                const double share = masses.share[c];
                m_values.push_back(row[c] > 0.0 && rootWeight > 0.0
                                       ? std::sqrt(weights[j] / masses.scaled[c]) * (row[c] - share)
                                       : -rootWeight * std::sqrt(share));
            }
        }
    }

    /// Computes y = M M^T x.
    void Apply(const std::vector<double>& x, std::vector<double>& y)
    {
        std::fill(m_inner.begin(), m_inner.end(), 0.0);
        for (std::size_t j = 0; j < m_rows; ++j)
        {
            AddMultiple(m_inner.data(), m_values.data() + j * m_columns, x[j], m_columns);
        }
        for (std::size_t j = 0; j < m_rows; ++j)
        {
            y[j] = DotProduct(m_values.data() + j * m_columns, m_inner.data(), m_columns);
        }
    }

  private:
    std::size_t m_rows;
    std::size_t m_columns;
    std::vector<double> m_values; ///< entries, row-major
    std::vector<double> m_inner;  ///< scratch: M^T x
};

/// M = (I - u u^T) A in the form A - u v^T, with sparse A, u = w^(1/2) and v = A^T u. w are the
/// push-sum weights of the nodes, scaled to sum 1.
class SparseCentred
{
  public:
    SparseCentred(const WindowMatrix& matrix,
                  const std::vector<ScaledDouble>& weights,
                  ScaledDouble total)
        : m_inner(matrix.columns)
    {
        const ColumnMasses masses = MassesOf(matrix, weights, total);
        for (const double share : masses.share)
        {
            m_columnRoots.push_back(std::sqrt(share));
        }
        for (std::size_t j = 0; j < matrix.rows; ++j)
        {
            const double* row = matrix.Row(j);
            m_rowRoots.push_back(std::sqrt(weights[j] / total));
            m_begin.push_back(m_values.size());
            for (std::size_t c = 0; c < matrix.columns; ++c)
            {
                if (row[c] > 0.0 && !weights[j].IsZero())
                {
                    m_column.push_back(static_cast<std::uint32_t>(c));
                    m_values.push_back(std::sqrt(weights[j] / masses.scaled[c]) * row[c]);
                }
            }
        }
        m_begin.push_back(m_values.size());
    }

    /// Computes y = M M^T x.
    void Apply(const std::vector<double>& x, std::vector<double>& y)
    {
        const double alongU = DotProduct(m_rowRoots.data(), x.data(), x.size());
        for (std::size_t c = 0; c < m_inner.size(); ++c)
        {
            m_inner[c] = -alongU * m_columnRoots[c];
        }
        for (std::size_t j = 0; j < x.size(); ++j)
        {
            for (std::size_t t = m_begin[j]; t < m_begin[j + 1]; ++t)
            {
                m_inner[m_column[t]] += m_values[t] * x[j];
            }
        }
        const double alongV = DotProduct(m_columnRoots.data(), m_inner.data(), m_inner.size());
        for (std::size_t j = 0; j < x.size(); ++j)
        {
            y[j] = -alongV * m_rowRoots[j];
            for (std::size_t t = m_begin[j]; t < m_begin[j + 1]; ++t)
            {
                y[j] += m_values[t] * m_inner[m_column[t]];
            }
        }
    }

  private:
    /// Element j: index in m_values of the first entry of row j. The last element is the number of
    /// entries.
    std::vector<std::size_t> m_begin;
    std::vector<std::uint32_t> m_column; ///< column of each entry of m_values
    /// Nonzero entries of A, row by row (CSR).
    std::vector<double> m_values;
    std::vector<double> m_rowRoots;    ///< u: square roots of the masses w; index: row
    std::vector<double> m_columnRoots; ///< v: square roots of the masses pi; index: column
    std::vector<double> m_inner;       ///< scratch: M^T x
};

template <typename Centred>
double
LargestSingularValue(const WindowMatrix& matrix,
                     const std::vector<ScaledDouble>& weights,
                     ScaledDouble total)
{
    Centred centred(matrix, weights, total);
    const double square = LargestEigenvalue(
        matrix.rows,
        [&centred](const std::vector<double>& x, std::vector<double>& y) { centred.Apply(x, y); });
    return std::min(std::sqrt(square), 1.0);
}

} // namespace

double
MaximalCorrelation(const WindowMatrix& matrix, const std::vector<ScaledDouble>& weights)
{
    const ScaledDouble total = std::accumulate(weights.begin(), weights.end(), ScaledDouble());
    const auto zeros = std::count(matrix.values.begin(), matrix.values.end(), 0.0);
    const double present = 1.0 - static_cast<double>(zeros) / matrix.values.size();
    return matrix.rows > SMALL_MATRIX && present < SPARSE_SHARE
               ? LargestSingularValue<SparseCentred>(matrix, weights, total)
               : LargestSingularValue<DenseCentred>(matrix, weights, total);
}

} // namespace dpdl
