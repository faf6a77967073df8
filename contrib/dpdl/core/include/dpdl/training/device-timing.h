// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_DEVICE_TIMING_H
#define DPDL_TRAINING_DEVICE_TIMING_H

#include "dpdl/data/dataset.h"
#include "dpdl/training/model.h"

#include <cstddef>
#include <string>

namespace dpdl
{

/// What is timed.
struct DeviceLoad
{
    std::size_t nodes{20};     ///< n >= 1
    std::size_t batchSize{64}; ///< examples of each node, at most those of the training split
    std::size_t sources{2};    ///< rows that each row is mixed from, at most n
    std::size_t repeats{20};   ///< of which the best counts; at least 1
};

/// How fast a device is. Bytes are those that have to move: a state is read and written once in an
/// update, and its sum read; in a mix every source is read and every row written.
struct DeviceTiming
{
    std::string device;          ///< its name
    double copyBandwidth{0.0};   ///< bytes read and written in a copy on the device, in B/s
    double updateBandwidth{0.0}; ///< of clip, noise and update in one pass, in B/s
    double mixBandwidth{0.0};    ///< of the mixing of all nodes' states, in B/s
    double stepSeconds{0.0};     ///< of a whole step of all nodes, host and transfers included
    double productSeconds{0.0};  ///< of its matrix products alone, recorded and replayed as it is
    std::size_t nodesAtOnce{0};  ///< how many computed together; the others had to wait
};

/// Why no CUDA device can be used, in one line; empty if one can.
std::string WhyNoCudaDevice();

/**
 * @brief From how many floating-point operations of a round on, of all nodes together, the CUDA
 *        device of this machine was measured to be faster than its processor.
 * @return infinity if that was not measured; see doc/cuda.md
 * @throws UsageError if the environment variable DPDL_DEVICE_THRESHOLD is no such number
 */
double DeviceThreshold();

/**
 * @brief Times the work of a round on the first CUDA device.
 * @param model a chain of layers
 * @param dataset for these images; its training split is what is learnt from
 * @param load how much work
 * @throws Error if there is no device, or not enough memory on it
 */
DeviceTiming TimeCudaDevice(const ModelSpec& model, const Dataset& dataset, const DeviceLoad& load);

} // namespace dpdl

#endif // DPDL_TRAINING_DEVICE_TIMING_H
