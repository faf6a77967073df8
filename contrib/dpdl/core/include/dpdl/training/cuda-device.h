// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CUDA_DEVICE_H
#define DPDL_TRAINING_CUDA_DEVICE_H

#include <string>

namespace dpdl
{

/// Reason why no CUDA device can be used, in one line; empty if one can.
std::string WhyNoCudaDevice();

/**
 * @brief Floating-point operations per round, of all nodes together, from which --device=auto takes
 *        the CUDA device.
 * @return infinity if it never does; see doc/cuda.md
 * @throws UsageError if the environment variable DPDL_DEVICE_THRESHOLD is no such number
 */
double DeviceThreshold();

} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_DEVICE_H
