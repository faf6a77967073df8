// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "cuda/cuda-executor.h"
#include "device-runner.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/training/cuda-device.h"
#include "job-runner.h"
#include "part-library.h"
#include "worker-runner.h"

#include <cstdlib>
#include <limits>

// Loads the library dpdl-core-cuda only if a run requests a device, because loading CUDA's
// libraries takes 0.1 s and 200 MB.

namespace dpdl
{

namespace
{

[[noreturn]] void
Refuse(const std::string& why)
{
    throw UsageError("device: 'cuda' is not accepted: " + why + "; expected auto or cpu");
}

/// Parses DPDL_DEVICE_THRESHOLD, a number of floating-point operations per round.
/// @throws UsageError naming the variable if the text is not a number >= 0
double
ThresholdOf(const std::string& text)
{
    return ParseNumber("DPDL_DEVICE_THRESHOLD",
                       text,
                       "a number of operations, at least 0",
                       [](double value) { return value >= 0.0; });
}

} // namespace

namespace cuda
{

namespace
{

/// The library dpdl-core-cuda, which the first call loads; nullptr if it cannot be loaded.
const CudaLibrary*
LoadedLibrary()
{
#ifdef DPDL_HAS_CUDA
    static void* const symbol = LoadPart("libdpdl-core-cuda.so", "DpdlCudaLibrary");
    if (symbol != nullptr)
    {
        return reinterpret_cast<decltype(&DpdlCudaLibrary)>(symbol)();
    }
#endif
    return nullptr;
}

/// Reason why LoadedLibrary() is nullptr, in one line.
std::string
WhyNoLibrary()
{
#ifdef DPDL_HAS_CUDA
    return "CUDA's libraries cannot be loaded";
#else
    return "this build has no CUDA";
#endif
}

} // namespace

std::string
WhyNoDevice()
{
    const CudaLibrary* const library = LoadedLibrary();
    return library == nullptr ? WhyNoLibrary() : library->whyNoDevice();
}

std::unique_ptr<DeviceExecutor>
MakeCudaExecutor()
{
    const CudaLibrary* const library = LoadedLibrary();
    if (library == nullptr)
    {
        throw DeviceError(WhyNoLibrary(), false);
    }
    return library->makeExecutor();
}

} // namespace cuda

std::string
WhyNoCudaDevice()
{
    return cuda::WhyNoDevice();
}

double
DeviceThreshold()
{
    const char* const asked = std::getenv("DPDL_DEVICE_THRESHOLD");
#ifdef DPDL_DEVICE_THRESHOLD
    return ThresholdOf(asked == nullptr ? DPDL_DEVICE_THRESHOLD : asked);
#else
    return asked == nullptr ? std::numeric_limits<double>::infinity() : ThresholdOf(asked);
#endif
}

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

const ModelSpec&
ModelOnDevice(const RunnerSupplies& supplies)
{
    DPDL_REFUSE_IF(supplies.model->Layers().empty(),
                   "device",
                   "cuda",
                   "cpu for model '" + supplies.model->Name() +
                       "', which is not a chain of layers");
    DPDL_REFUSE_IF(supplies.noise->Name() != "philox",
                   "device",
                   "cuda",
                   "cpu for noise source '" + supplies.noise->Name() + "'");
    return *supplies.model;
}

std::string
WhyNotOnDevice(const NodeJob& job)
{
    const LocalUpdate& update = job.update;
    if (!update.enabled)
    {
        return "";
    }
    if (update.step != nullptr && !update.step->IsPlain())
    {
        return "local steps other than one noisy gradient";
    }
    if (!update.chunkSteps.empty())
    {
        return "chunks with their own step sizes";
    }
    if (job.increment)
    {
        return "algorithms that send before they step";
    }
    if (job.standardNoise)
    {
        return "noise that waits for a sensitivity";
    }
    if (job.recordNoise && update.noise > 0.0)
    {
        return "runs that keep their noise";
    }
    return "";
}

} // namespace dpdl
