// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/symmetric-matrix.h"

#include "dpdl/base/blas-threads.h"
#include "dpdl/base/errors.h"

// LAPACK and BLAS routines for dense symmetric matrices.

extern "C"
{
    // Fortran interface of LAPACK and BLAS, provided by OpenBLAS.
    void dpotrf_(const char* part, const int* n, double* a, const int* lda, int* info);
    void dpotri_(const char* part, const int* n, double* a, const int* lda, int* info);
    void dsyevd_(const char* job,
                 const char* part,
                 const int* n,
                 double* a,
                 const int* lda,
                 double* values,
                 double* work,
                 const int* workSize,
                 int* integers,
                 const int* integerSize,
                 int* info);
    void dsymm_(const char* side,
                const char* part,
                const int* m,
                const int* n,
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

void
CheckDefinite(int info)
{
    if (info != 0)
    {
        throw Error("a covariance of noise is not positive definite");
    }
}

} // namespace

SymmetricMatrix
SymmetricMatrix::Root() const
{
    UseOneBlasThread();
    SymmetricMatrix root = *this;
    const int n = static_cast<int>(m_size);
    int info = 0;
    dpotrf_("L", &n, root.m_values.data(), &n, &info);
    CheckDefinite(info);
    return root;
}

SymmetricMatrix
SymmetricMatrix::Inverse() const
{
    SymmetricMatrix inverse = Root();
    const int n = static_cast<int>(m_size);
    int info = 0;
    dpotri_("L", &n, inverse.m_values.data(), &n, &info);
    CheckDefinite(info);
    return inverse;
}

std::vector<double>
SymmetricMatrix::InverseDiagonal() const
{
    const SymmetricMatrix inverse = Inverse();
    std::vector<double> diagonal;
    for (std::size_t i = 0; i < m_size; ++i)
    {
        diagonal.push_back(inverse.At(i, i));
    }
    return diagonal;
}

std::vector<double>
SymmetricMatrix::Spectrum(bool withVectors, std::vector<double>& vectors) const
{
    UseOneBlasThread();
    vectors = m_values;
    std::vector<double> values(m_size);
    std::vector<double> work(1);
    std::vector<int> integers(1);
    const int n = static_cast<int>(m_size);
    int workSize = -1;
    int integerSize = -1;
    int info = 0;
    for (int pass = 0; pass < 2; ++pass)
    {
        dsyevd_(withVectors ? "V" : "N",
                "L",
                &n,
                vectors.data(),
                &n,
                values.data(),
                work.data(),
                &workSize,
                integers.data(),
                &integerSize,
                &info);
        if (info != 0)
        {
            throw Error("the eigenvalues of a matrix did not converge");
        }
        workSize = static_cast<int>(work[0]);
        integerSize = integers[0];
        work.resize(static_cast<std::size_t>(workSize));
        integers.resize(static_cast<std::size_t>(integerSize));
    }
    return values;
}

std::vector<double>
SymmetricMatrix::Eigenvalues() const
{
    std::vector<double> vectors;
    return Spectrum(false, vectors);
}

SymmetricMatrix
SymmetricMatrix::Map(const std::function<double(double)>& function) const
{
    std::vector<double> vectors;
    const std::vector<double> values = Spectrum(true, vectors);
    SymmetricMatrix mapped(m_size);
    for (std::size_t k = 0; k < m_size; ++k)
    {
        const double* const vector = vectors.data() + k * m_size;
        const double value = function(values[k]);
        for (std::size_t column = 0; column < m_size; ++column)
        {
            for (std::size_t row = column; row < m_size; ++row)
            {
                mapped.Add(row, column, value * vector[row] * vector[column]);
            }
        }
    }
    return mapped;
}

SymmetricMatrix
SymmetricMatrix::Around(const SymmetricMatrix& middle) const
{
    UseOneBlasThread();
    std::vector<double> whole(m_size * m_size);
    for (std::size_t column = 0; column < m_size; ++column)
    {
        for (std::size_t row = 0; row < m_size; ++row)
        {
            whole[column * m_size + row] = At(row, column);
        }
    }
    std::vector<double> product(m_size * m_size);
    SymmetricMatrix around(m_size);
    const int n = static_cast<int>(m_size);
    const double one = 1.0;
    const double zero = 0.0;
    const double* const inner = middle.m_values.data();
    dsymm_("L", "L", &n, &n, &one, inner, &n, whole.data(), &n, &zero, product.data(), &n);
    const double* const outer = m_values.data();
    double* const out = around.m_values.data();
    dsymm_("L", "L", &n, &n, &one, outer, &n, product.data(), &n, &zero, out, &n);
    return around;
}

} // namespace dpdl
