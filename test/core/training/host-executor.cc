// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "host-executor.h"

#include "blas.h"

#include <cstring>
#include <new>

namespace dpdl
{

namespace
{

/// Alignment of what is allocated.
constexpr std::align_val_t HOST_ALIGNMENT{64};
/// What a test's program may take: it then has to split up its work as it would on a device.
constexpr std::size_t MEMORY = std::size_t{1} << 30;

/// Work that is simply called again.
class HostRecording : public cuda::DeviceRecording
{
  public:
    explicit HostRecording(std::function<void()> work)
        : m_work(std::move(work))
    {
    }

    void Replay() override
    {
        m_work();
    }

  private:
    std::function<void()> m_work;
};

} // namespace

std::string
HostExecutor::Name() const
{
    return "host";
}

std::size_t
HostExecutor::FreeBytes() const
{
    return MEMORY;
}

void*
HostExecutor::Allocate(std::size_t bytes)
{
    return ::operator new(bytes, HOST_ALIGNMENT);
}

void
HostExecutor::Free(void* memory) noexcept
{
    ::operator delete(memory, HOST_ALIGNMENT);
}

void
HostExecutor::Upload(void* device, const void* host, std::size_t bytes)
{
    std::memcpy(device, host, bytes);
}

void
HostExecutor::Download(void* host, const void* device, std::size_t bytes)
{
    std::memcpy(host, device, bytes);
}

void
HostExecutor::Copy(void* to, const void* from, std::size_t bytes)
{
    std::memcpy(to, from, bytes);
}

void
HostExecutor::ForEach(const cuda::IndexOp& op, std::size_t count)
{
    std::visit(
        [count](const auto& body) {
            for (std::size_t index = 0; index < count; ++index)
            {
                body(index);
            }
        },
        op);
}

void
HostExecutor::SumRows(const cuda::RowOp& op, std::size_t rows)
{
    std::visit(
        [rows](const auto& body) {
            for (std::size_t row = 0; row < rows; ++row)
            {
                double sum = 0.0;
                for (std::size_t i = 0; i < body.Width(row); ++i)
                {
                    sum += body.Term(row, i);
                }
                body.Store(row, sum);
            }
        },
        op);
}

void
HostExecutor::Multiply(const cuda::BatchedProduct& product)
{
    for (std::size_t i = 0; i < product.batch; ++i)
    {
        const cuda::MatrixBatch& a = product.a;
        const cuda::MatrixBatch& b = product.b;
        dpdl::Multiply({a.data + i * a.batchStride, a.stride, a.transpose},
                       {b.data + i * b.batchStride, b.stride, b.transpose},
                       product.rows,
                       product.columns,
                       product.inner,
                       product.beta,
                       product.c + i * product.cBatchStride);
    }
}

std::unique_ptr<cuda::DeviceRecording>
HostExecutor::Record(const std::function<void()>& work)
{
    return std::make_unique<HostRecording>(work);
}

} // namespace dpdl
