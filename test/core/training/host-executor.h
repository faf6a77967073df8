// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_HOST_EXECUTOR_H
#define DPDL_TRAINING_HOST_EXECUTOR_H

#include "cuda/device-executor.h"

namespace dpdl
{

/**
 * @brief Runs device programs in plain C++ on the calling thread: what a CUDA device is checked
 *        against, and how they are tested where there is none.
 */
class HostExecutor : public cuda::DeviceExecutor
{
  public:
    std::string Name() const override;
    std::size_t FreeBytes() const override;
    void* Allocate(std::size_t bytes) override;
    void Free(void* memory) noexcept override;
    void Upload(void* device, const void* host, std::size_t bytes) override;
    void Download(void* host, const void* device, std::size_t bytes) override;
    void Copy(void* to, const void* from, std::size_t bytes) override;
    void ForEach(const cuda::IndexOp& op, std::size_t count) override;
    void SumRows(const cuda::RowOp& op, std::size_t rows) override;
    void Multiply(const cuda::BatchedProduct& product) override;
    std::unique_ptr<cuda::DeviceRecording> Record(const std::function<void()>& work) override;
};

} // namespace dpdl

#endif // DPDL_TRAINING_HOST_EXECUTOR_H
