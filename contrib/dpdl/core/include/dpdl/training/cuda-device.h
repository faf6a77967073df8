// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CUDA_DEVICE_H
#define DPDL_TRAINING_CUDA_DEVICE_H

#include <string>

namespace dpdl
{

/// Reason why this process cannot use a CUDA device, one line; "": this process can use a CUDA
/// device.
std::string WhyNoCudaDevice();

/**
 * @brief Threshold of `--device=auto`, in floating-point operations per round of all nodes
 *        together. A run with at least this number of operations uses the CUDA device if it
 *        supports the run.
 * @return the threshold; infinity if `--device=auto` never uses the device (doc/cuda.md)
 * @throws UsageError if the environment variable DPDL_DEVICE_THRESHOLD is not a number >= 0
 */
double DeviceThreshold();

} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_DEVICE_H
