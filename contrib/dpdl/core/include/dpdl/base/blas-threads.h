// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_BLAS_THREADS_H
#define DPDL_BASE_BLAS_THREADS_H

namespace dpdl
{

/**
 * @brief From here on the BLAS and LAPACK calls of this thread run on this thread alone.
 *
 * So results do not depend on the number of threads, and those of small matrices, which wait for
 * each other longer than they compute, do not take the processor time of other runs.
 */
void UseOneBlasThread();

} // namespace dpdl

#endif // DPDL_BASE_BLAS_THREADS_H
