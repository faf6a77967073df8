// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Replaces the CUDA executor if there is no compiler for it.

#ifndef DPDL_HAS_CUDA

#include "cuda/cuda-executor.h"

namespace dpdl
{
namespace cuda
{

std::string
WhyNoDevice()
{
    return "this build has no CUDA";
}

std::unique_ptr<DeviceExecutor>
MakeCudaExecutor()
{
    throw DeviceError(WhyNoDevice(), false);
}

} // namespace cuda
} // namespace dpdl

#endif
