// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BENCH_DEVICE_TIMING_H
#define DPDL_BENCH_DEVICE_TIMING_H

#include "dpdl/data/dataset.h"
#include "dpdl/training/model.h"
#include "dpdl/training/parameters.h"

#include <cstddef>
#include <string>

namespace dpdl
{

namespace cuda
{
class DeviceExecutor;
} // namespace cuda

/// Size of the timed workload.
struct DeviceLoad
{
    std::size_t nodes{20};     ///< n >= 1
    std::size_t batchSize{64}; ///< examples of each node, at most those of the training split
    std::size_t sources{2};    ///< source rows of each mixed row, at most n
    std::size_t repeats{20};   ///< repetitions, of which the fastest counts; at least 1
};

/// Speed of a device. Bandwidths count the necessary bytes: an update reads and writes a state and
/// reads its sum; a mix reads every source and writes every row.
struct DeviceTiming
{
    std::string device;          ///< its name
    double copyBandwidth{0.0};   ///< bytes read and written in a copy on the device, in B/s
    double updateBandwidth{0.0}; ///< of clip, noise and update in one pass, in B/s
    double mixBandwidth{0.0};    ///< of the mixing of all nodes' states, in B/s
    double stepSeconds{0.0};     ///< of a full step of all nodes, host and transfers included
    double productSeconds{0.0};  ///< of its matrix products only, also replayed from a recording
    std::size_t nodesAtOnce{0};  ///< nodes that computed together; the others waited
};

/**
 * @brief Times the work of a round on the first CUDA device.
 * @param model a chain of layers
 * @param dataset has images of the model's size; the training split is used
 * @param load size of the workload
 * @throws Error if there is no device, or not enough memory on it
 */
DeviceTiming TimeCudaDevice(const ModelSpec& model, const Dataset& dataset, const DeviceLoad& load);

/// Times the work of a round on an executor; see TimeCudaDevice(). @throws cuda::DeviceError
DeviceTiming TimeExecutor(cuda::DeviceExecutor& executor,
                          const ModelSpec& model,
                          const Dataset& dataset,
                          const DeviceLoad& load);

/// |a - b| / |b|, in the L2 norm.
double RelativeDistance(const ParameterVector& a, const ParameterVector& b);

} // namespace dpdl

#endif // DPDL_BENCH_DEVICE_TIMING_H
