// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CUDA_DEVICE_H
#define DPDL_TRAINING_CUDA_DEVICE_H

#include <string>

namespace dpdl
{

/// Reason why this process cannot use a CUDA device, in one line; empty if it can.
std::string WhyNoCudaDevice();

/**
 * @brief Threshold of --device=auto, in floating-point operations per round of all nodes together:
 *        a run of at least this size uses the CUDA device if it can.
 * @return infinity if --device=auto never uses the device; see doc/cuda.md
 * @throws UsageError if the environment variable DPDL_DEVICE_THRESHOLD is not a number >= 0
 */
double DeviceThreshold();

} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_DEVICE_H
