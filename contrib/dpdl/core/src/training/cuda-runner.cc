// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "cuda/cuda-executor.h"
#include "device-runner.h"
#include "dpdl/base/errors.h"
#include "job-runner.h"
#include "worker-runner.h"

namespace dpdl
{

namespace
{

[[noreturn]] void
Refuse(const std::string& why)
{
    throw UsageError("device: 'cuda' is not accepted: " + why + "; expected auto or cpu");
}

} // namespace

std::unique_ptr<JobRunner>
MakeCudaRunner(const RunnerSupplies& supplies, const TrainingBackend::Options& options)
{
    if (ResolveEngine(options.engine, *supplies.model) != "native")
    {
        return std::make_unique<WorkerRunner>(supplies, "libtorch-cuda", 1);
    }
    const std::string why = cuda::WhyNoDevice();
    if (!why.empty())
    {
        Refuse(why);
    }
    try
    {
        return std::make_unique<DeviceRunner>(supplies, options.seed, cuda::MakeCudaExecutor());
    }
    catch (const cuda::DeviceError& error)
    {
        Refuse(error.what());
    }
}

} // namespace dpdl
