// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_PLANNER_MUTEX_H
#define DPDL_BASE_PLANNER_MUTEX_H

#include <mutex>

namespace dpdl
{

/// Mutex to lock while creating or destroying FFTW plans, which is not thread-safe in FFTW.
inline std::mutex&
PlannerMutex()
{
    static std::mutex mutex;
    return mutex;
}

} // namespace dpdl

#endif // DPDL_BASE_PLANNER_MUTEX_H
