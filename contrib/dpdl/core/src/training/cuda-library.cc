// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "cuda/cuda-executor.h"
#include "device-runner.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/training/cuda-device.h"
#include "dpdl/training/local-step.h"
#include "job-runner.h"
#include "part-library.h"
#include "torch-library.h"

#include <cstdlib>
#include <limits>

// Loads the library dpdl-core-cuda only if a run requests a device, because loading CUDA's
// libraries takes 0.1 s and 200 MB.

namespace dpdl
{

namespace
{

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

} // namespace

std::string
WhyNoDevice()
{
    const CudaLibrary* const library = LoadedLibrary();
#ifdef DPDL_HAS_CUDA
    const char* const missing = "CUDA's libraries cannot be loaded";
#else
    const char* const missing = "this build has no CUDA";
#endif
    return library == nullptr ? missing : library->whyNoDevice();
}

std::unique_ptr<DeviceExecutor>
MakeCudaExecutor()
{
    const std::string why = WhyNoDevice();
    if (!why.empty())
    {
        throw DeviceError(why, false);
    }
    return LoadedLibrary()->makeExecutor();
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
    try
    {
        std::shared_ptr<cuda::DeviceExecutor> executor = cuda::MakeCudaExecutor();
        const bool isNative = ResolveEngine(options.engine, *supplies.model) == "native";
        // LibTorch also needs memory for activations and intermediate values.
        auto engine = isNative ? nullptr : Torch().cuda(*supplies.model, executor->FreeBytes() / 8);
        return std::make_unique<DeviceRunner>(supplies, options.seed, executor, std::move(engine));
    }
    catch (const cuda::DeviceError& error)
    {
        throw UsageError(std::string("device: 'cuda' is not accepted: ") + error.what() +
                         "; expected auto or cpu");
    }
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
