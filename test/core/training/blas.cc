// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "blas.h"

extern "C"
{
    void openblas_set_num_threads(int threads);
    // The Fortran interface, which every BLAS has; names of headers differ.
    void sgemm_(const char* transA,
                const char* transB,
                const int* m,
                const int* n,
                const int* k,
                const float* alpha,
                const float* a,
                const int* lda,
                const float* b,
                const int* ldb,
                const float* beta,
                float* c,
                const int* ldc);
}

namespace dpdl
{

void
Multiply(const MatrixView& a,
         const MatrixView& b,
         std::size_t rows,
         std::size_t columns,
         std::size_t inner,
         float beta,
         float* c)
{
    static const bool isSingle = (openblas_set_num_threads(1), true);
    static_cast<void>(isSingle);
    // Column-major BLAS sees every row-major matrix transposed, so that C' = B' A'.
    const char transA = a.transpose ? 'T' : 'N';
    const char transB = b.transpose ? 'T' : 'N';
    const auto m = static_cast<int>(columns);
    const auto n = static_cast<int>(rows);
    const auto k = static_cast<int>(inner);
    const auto lda = static_cast<int>(b.stride);
    const auto ldb = static_cast<int>(a.stride);
    const float one = 1.0F;
    sgemm_(&transB, &transA, &m, &n, &k, &one, b.data, &lda, a.data, &ldb, &beta, c, &m);
}

} // namespace dpdl
