// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_EXECUTOR_TIMING_H
#define DPDL_TRAINING_EXECUTOR_TIMING_H

#include "cuda/device-executor.h"
#include "dpdl/training/device-timing.h"

namespace dpdl
{

/// Times the work of a round on an executor; see TimeCudaDevice(). @throws cuda::DeviceError
DeviceTiming TimeExecutor(cuda::DeviceExecutor& executor,
                          const ModelSpec& model,
                          const Dataset& dataset,
                          const DeviceLoad& load);

} // namespace dpdl

#endif // DPDL_TRAINING_EXECUTOR_TIMING_H
