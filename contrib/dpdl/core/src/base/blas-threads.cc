// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/blas-threads.h"

#include <mutex>

extern "C"
{
    // Only one of the two functions has an effect, depending on the build of OpenBLAS.
    __attribute__((weak)) void openblas_set_num_threads(int threads);
    __attribute__((weak)) void omp_set_num_threads(int threads);
}

namespace dpdl
{

void
UseOneBlasThread()
{
    static std::mutex mutex;
    thread_local bool done = false;
    if (done)
    {
        return;
    }
    const std::lock_guard<std::mutex> lock(mutex);
    if (openblas_set_num_threads != nullptr)
    {
        openblas_set_num_threads(1);
    }
    if (omp_set_num_threads != nullptr)
    {
        omp_set_num_threads(1);
    }
    done = true;
}

} // namespace dpdl
