// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_BLAS_THREADS_H
#define DPDL_BASE_BLAS_THREADS_H

#include <mutex>

namespace dpdl
{

/**
 * @brief Makes all further BLAS and LAPACK calls of this thread single-threaded.
 *
 * Results then do not depend on the number of threads. Small matrices spend more time on
 * synchronisation than on arithmetic, which would take processor time from other runs.
 */
void UseOneBlasThread();

/// Lock this while creating or destroying FFTW plans, which is not thread-safe.
inline std::mutex&
PlannerMutex()
{
    static std::mutex mutex;
    return mutex;
}

} // namespace dpdl

#endif // DPDL_BASE_BLAS_THREADS_H
