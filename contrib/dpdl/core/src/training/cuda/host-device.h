// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CUDA_HOST_DEVICE_H
#define DPDL_TRAINING_CUDA_HOST_DEVICE_H

/// Marks a function that runs on the host and, where nvcc compiles it, on a device as well.
#ifdef __CUDACC__
#define DPDL_HOST_DEVICE __host__ __device__
#else
#define DPDL_HOST_DEVICE
#endif

#endif // DPDL_TRAINING_CUDA_HOST_DEVICE_H
