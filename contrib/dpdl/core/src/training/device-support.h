// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_DEVICE_SUPPORT_H
#define DPDL_TRAINING_DEVICE_SUPPORT_H

#include "job-runner.h"

#include <string>

namespace dpdl
{

/**
 * @brief Refuses what no device program exists for.
 * @param supplies model and noise source of a run
 * @return the model
 * @throws UsageError if the model is not a chain of layers, or the noise is not `philox`
 */
const ModelSpec& ModelOnDevice(const RunnerSupplies& supplies);

/**
 * @brief What a device cannot do of a job.
 * @param job to be run
 * @return empty, or the thing in words
 */
std::string WhyNotOnDevice(const NodeJob& job);

} // namespace dpdl

#endif // DPDL_TRAINING_DEVICE_SUPPORT_H
