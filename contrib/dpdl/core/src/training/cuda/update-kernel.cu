// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "update-kernel.h"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace dpdl
{
namespace cuda
{

namespace
{

constexpr unsigned THREADS = 256;
constexpr std::uint64_t MOST_GROUPS = 1U << 16;

/// One thread makes the four normals of a Philox block; neighbours write neighbouring elements.
__global__ void
UpdateKernel(float* z, const float* sum, std::uint64_t count, float scale, UpdateRule rule)
{
    const std::uint64_t blocks = (count + 4 * LANES - 1) / (4 * LANES) * LANES;
    const std::uint64_t stride = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
    for (std::uint64_t index = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
         index < blocks;
         index += stride)
    {
        const Block words = PhiloxBlock(rule.stream, index);
        float normal[4];
        NormalPair(words.word[0], words.word[1], normal);
        NormalPair(words.word[2], words.word[3], normal + 2);
        for (int k = 0; k < 4; ++k)
        {
            const std::uint64_t i = ElementOf(index, k);
            if (i < count)
            {
                z[i] -= scale * (sum[i] + rule.noise * normal[k]);
            }
        }
    }
}

std::string
TextOf(cudaError_t error)
{
    return error == cudaSuccess ? std::string() : std::string("CUDA: ") + cudaGetErrorString(error);
}

/// Frees device memory at the end of its scope.
struct DeviceFree
{
    void operator()(float* memory) const
    {
        cudaFree(memory);
    }
};

using DeviceVector = std::unique_ptr<float, DeviceFree>;

/// Copies @p count floats to new device memory, which @p copy then owns.
cudaError_t
CopyToDevice(const float* values, std::size_t count, DeviceVector& copy)
{
    float* memory = nullptr;
    const cudaError_t error = cudaMalloc(&memory, count * sizeof(float));
    copy.reset(memory);
    if (error != cudaSuccess)
    {
        return error;
    }
    return cudaMemcpy(memory, values, count * sizeof(float), cudaMemcpyHostToDevice);
}

} // namespace

std::string
WhyNoDevice()
{
    int devices = 0;
    const cudaError_t error = cudaGetDeviceCount(&devices);
    if (error != cudaSuccess)
    {
        return TextOf(error);
    }
    return devices > 0 ? "" : "CUDA: no device";
}

std::string
LaunchUpdate(float* z,
             const float* sum,
             std::size_t count,
             const UpdateRule& rule,
             cudaStream_t stream)
{
    if (count == 0)
    {
        return "";
    }
    const std::uint64_t threads = (count + 4 * LANES - 1) / (4 * LANES) * LANES;
    const std::uint64_t groups = std::min((threads + THREADS - 1) / THREADS, MOST_GROUPS);
    const float scale = rule.stepSize / rule.divisor;
    UpdateKernel<<<static_cast<unsigned>(groups), THREADS, 0, stream>>>(z, sum, count, scale, rule);
    return TextOf(cudaGetLastError());
}

std::string
UpdateHostVector(float* z, const float* sum, std::size_t count, const UpdateRule& rule)
{
    if (count == 0)
    {
        return "";
    }
    DeviceVector deviceZ;
    DeviceVector deviceSum;
    cudaError_t error = CopyToDevice(z, count, deviceZ);
    if (error == cudaSuccess)
    {
        error = CopyToDevice(sum, count, deviceSum);
    }
    if (error != cudaSuccess)
    {
        return TextOf(error);
    }
    const std::string launch = LaunchUpdate(deviceZ.get(), deviceSum.get(), count, rule, nullptr);
    if (!launch.empty())
    {
        return launch;
    }
    error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
    {
        error = cudaMemcpy(z, deviceZ.get(), count * sizeof(float), cudaMemcpyDeviceToHost);
    }
    return TextOf(error);
}

} // namespace cuda
} // namespace dpdl
