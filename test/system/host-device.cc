// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Preloaded, it makes `--device=cuda` compute on the host: device_run.py runs whole programs with
// it where there is no device. DPDL_TEST_FAIL_AFTER=N makes the N-th transfer to the device fail.
// At the end it prints the number of bytes that came from the device.

#include "cuda/cuda-executor.h"
#include "host-executor.h"

#include <cstdio>
#include <cstdlib>

namespace dpdl
{
namespace cuda
{

namespace
{

class FailingExecutor : public HostExecutor
{
  public:
    FailingExecutor()
    {
        const char* after = std::getenv("DPDL_TEST_FAIL_AFTER");
        m_left = after == nullptr ? 0 : std::atol(after);
    }

    void Upload(void* device, const void* host, std::size_t bytes) override
    {
        if (m_left > 0 && --m_left == 0)
        {
            throw DeviceError("CUDA: unspecified launch failure", false);
        }
        HostExecutor::Upload(device, host, bytes);
    }

    void Download(void* host, const void* device, std::size_t bytes) override
    {
        m_fetched += bytes;
        HostExecutor::Download(host, device, bytes);
    }

    ~FailingExecutor() override
    {
        if (m_fetched > 0)
        {
            std::fprintf(stderr, "fetched %zu bytes\n", m_fetched);
        }
    }

  private:
    long m_left;              ///< transfers until one fails; 0: none does
    std::size_t m_fetched{0}; ///< bytes that came from the device
};

} // namespace

std::string
WhyNoDevice()
{
    return "";
}

std::unique_ptr<DeviceExecutor>
MakeCudaExecutor()
{
    return std::make_unique<FailingExecutor>();
}

} // namespace cuda
} // namespace dpdl
