// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/blas-threads.h"
#include "dpdl/base/errors.h"
#include "dpdl/observation/network-observer.h"

#include <algorithm>
#include <cmath>
#include <limits>

// Builds the projector R^+ R from a LAPACK singular value decomposition of the normalised rows.

extern "C"
{
    // The Fortran interface of LAPACK and BLAS, provided by OpenBLAS.
    void dgesdd_(const char* job,
                 const int* m,
                 const int* n,
                 double* a,
                 const int* lda,
                 double* s,
                 double* u,
                 const int* ldu,
                 double* vt,
                 const int* ldvt,
                 double* work,
                 const int* lwork,
                 int* iwork,
                 int* info);
    void dgemm_(const char* transA,
                const char* transB,
                const int* m,
                const int* n,
                const int* k,
                const double* alpha,
                const double* a,
                const int* lda,
                const double* b,
                const int* ldb,
                const double* beta,
                double* c,
                const int* ldc);
}

namespace dpdl
{

namespace
{

/// Euclidean length of a vector, without intermediate overflow or underflow.
double
Length(const std::vector<double>& row)
{
    double largest = 0.0;
    for (const double entry : row)
    {
        if (!std::isfinite(entry))
        {
            throw Error("the knowledge matrix has an entry that is not finite");
        }
        largest = std::max(largest, std::abs(entry));
    }
    double sum = 0.0;
    for (const double entry : row)
    {
        sum += largest > 0.0 ? (entry / largest) * (entry / largest) : 0.0;
    }
    return largest * std::sqrt(sum);
}

/// Concatenates the nonzero rows, each scaled to length 1.
std::vector<double>
UnitRows(const std::vector<const std::vector<double>*>& rows, std::size_t columns)
{
    std::vector<double> matrix;
    for (const std::vector<double>* row : rows)
    {
        const double length = Length(*row);
        if (length == 0.0)
        {
            continue;
        }
        const std::size_t begin = matrix.size();
        for (const double entry : *row)
        {
            matrix.push_back(entry / length);
        }
        matrix.resize(begin + columns, 0.0);
    }
    return matrix;
}

/// Singular value decomposition of a row-major matrix. LAPACK is column-major and sees the
/// transpose: its left singular vectors are the right ones of the row-major matrix.
struct Decomposition
{
    Decomposition(std::vector<double> matrix, std::size_t rows, std::size_t columns)
        : values(std::min(rows, columns)),
          vectors(columns * values.size())
    {
        UseOneBlasThread();
        const int m = static_cast<int>(columns);
        const int n = static_cast<int>(rows);
        const int k = static_cast<int>(values.size());
        std::vector<double> others(values.size() * rows);
        std::vector<int> integers(8 * values.size());
        std::vector<double> work(1);
        int size = -1;
        int info = 0;
        for (int pass = 0; pass < 2; ++pass)
        {
            dgesdd_("S",
                    &m,
                    &n,
                    matrix.data(),
                    &m,
                    values.data(),
                    vectors.data(),
                    &m,
                    others.data(),
                    &k,
                    work.data(),
                    &size,
                    integers.data(),
                    &info);
            if (info != 0)
            {
                throw Error("the singular value decomposition did not converge");
            }
            size = static_cast<int>(work[0]);
            work.resize(static_cast<std::size_t>(size));
        }
    }

    std::vector<double> values;  ///< in descending order
    std::vector<double> vectors; ///< concatenated, each with `columns` entries
};

} // namespace

KnowledgeMatrix::KnowledgeMatrix(const std::vector<const std::vector<double>*>& rows,
                                 std::size_t columns)
{
    std::vector<double> matrix = columns == 0 ? std::vector<double>() : UnitRows(rows, columns);
    if (matrix.empty())
    {
        return;
    }
    const std::size_t count = matrix.size() / columns;
    const Decomposition parts(std::move(matrix), count, columns);
    const double least = static_cast<double>(std::max(count, columns)) *
                         std::numeric_limits<double>::epsilon() * parts.values.front();
    while (m_rank < parts.values.size() && parts.values[m_rank] > least)
    {
        ++m_rank;
    }
    m_conditioning = parts.values[m_rank - 1] / parts.values.front();
    m_vectors.resize(columns * m_rank);
    for (std::size_t i = 0; i < m_rank; ++i)
    {
        for (std::size_t column = 0; column < columns; ++column)
        {
            m_vectors[column * m_rank + i] = parts.vectors[i * columns + column];
        }
    }
}

std::vector<double>
KnowledgeMatrix::Block(const std::vector<std::size_t>& columns) const
{
    std::vector<double> block(columns.size() * columns.size(), 0.0);
    if (m_rank == 0 || columns.empty())
    {
        return block;
    }
    UseOneBlasThread();
    std::vector<double> part;
    part.reserve(columns.size() * m_rank);
    for (const std::size_t column : columns)
    {
        const auto first = m_vectors.begin() + static_cast<std::ptrdiff_t>(column * m_rank);
        part.insert(part.end(), first, first + static_cast<std::ptrdiff_t>(m_rank));
    }
    const int size = static_cast<int>(columns.size());
    const int rank = static_cast<int>(m_rank);
    const double one = 1.0;
    const double zero = 0.0;
    dgemm_("T",
           "N",
           &size,
           &size,
           &rank,
           &one,
           part.data(),
           &rank,
           part.data(),
           &rank,
           &zero,
           block.data(),
           &size);
    return block;
}

} // namespace dpdl
