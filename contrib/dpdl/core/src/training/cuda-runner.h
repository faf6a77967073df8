// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CUDA_RUNNER_H
#define DPDL_TRAINING_CUDA_RUNNER_H

#include "job-runner.h"

namespace dpdl
{

/**
 * @brief Makes the runner of the first CUDA device.
 * @param supplies what is learnt, from what
 * @param options of the backend
 * @throws UsageError if this build, this machine or this run has no use for such a device
 */
std::unique_ptr<JobRunner> MakeCudaRunner(const RunnerSupplies& supplies,
                                          const TrainingBackend::Options& options);

} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_RUNNER_H
