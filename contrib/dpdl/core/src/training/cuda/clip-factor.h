// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CUDA_CLIP_FACTOR_H
#define DPDL_TRAINING_CUDA_CLIP_FACTOR_H

#include "host-device.h"

#include <cfloat>

namespace dpdl
{
namespace cuda
{

/// What the clip bound keeps in reserve for float32 rounding.
constexpr double CLIP_RESERVE = 1e-6;

/// The rule of dpdl::ClipFactor().
DPDL_HOST_DEVICE inline double
ClipFactorOf(double norm, double clip)
{
    if (clip > DBL_MAX)
    {
        return 1.0;
    }
    if (!(norm <= DBL_MAX))
    {
        return 0.0;
    }
    const double bound = clip * (1.0 - CLIP_RESERVE);
    const double factor = norm > bound ? bound / norm : 1.0;
    // Rounded to a float32 below FLT_MIN, it could be larger by more than the reserve.
    return factor < FLT_MIN ? 0.0 : factor;
}

} // namespace cuda
} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_CLIP_FACTOR_H
