// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CUDA_DEVICE_EXECUTOR_H
#define DPDL_TRAINING_CUDA_DEVICE_EXECUTOR_H

#include "device-ops.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

namespace dpdl
{
namespace cuda
{

/// Failure of a device. The message has one line.
class DeviceError : public std::runtime_error
{
  public:
    /// @param what error message, one line
    /// @param memory true: the device ran out of memory
    DeviceError(const std::string& what, bool memory)
        : std::runtime_error(what),
          m_memory(memory)
    {
    }

    /// True if the device's memory ran out.
    bool IsOutOfMemory() const
    {
        return m_memory;
    }

  private:
    bool m_memory; ///< true: the device ran out of memory
};

/// A batch of row-major matrices, optionally transposed.
struct MatrixBatch
{
    const float* data;       ///< address of the first matrix's first element
    std::size_t stride;      ///< number of elements from one row to the next
    std::size_t batchStride; ///< number of elements from one matrix to the next
    bool transpose{false};   ///< true: the product uses the transposed matrices
};

/// C = A B + beta C for a batch of matrices of the same sizes, all row-major.
struct BatchedProduct
{
    MatrixBatch a;            ///< matrices A; each is [rows, inner], after transposition if
                              ///< requested
    MatrixBatch b;            ///< matrices B; each is [inner, columns], after transposition if
                              ///< requested
    float* c;                 ///< matrices C; each is [rows, columns], contiguous
    std::size_t cBatchStride; ///< number of elements from one result to the next
    std::size_t rows;         ///< number of rows of C
    std::size_t columns;      ///< number of columns of C
    std::size_t inner;        ///< number of columns of A, and of rows of B
    float beta;               ///< 0: the product overwrites C; 1: it is added to C
    std::size_t batch;        ///< number of matrix products
};

/// Recorded device calls that can be replayed, such as a CUDA graph.
class DeviceRecording
{
  public:
    virtual ~DeviceRecording() = default;

    /// Runs the recorded calls again, on the current contents of the device's memory.
    virtual void Replay() = 0;
};

/**
 * @brief Interface of a device: memory, operations and matrix products.
 *
 * Work runs in the order of the calls; Download() waits for all earlier calls. device-ops.h lists
 * the operations. The CUDA executor and an executor in plain C++ support all operations, so tests
 * of their arithmetic need no device.
 *
 * All methods except Free() throw DeviceError if the device fails.
 */
class DeviceExecutor
{
  public:
    virtual ~DeviceExecutor() = default;

    /// Name of the device, for messages.
    virtual std::string Name() const = 0;

    /// Number of bytes that can still be allocated.
    virtual std::size_t FreeBytes() const = 0;

    /// Allocates device memory with unspecified content.
    /// @param bytes number of bytes, above 0
    virtual void* Allocate(std::size_t bytes) = 0;

    /// Frees memory that Allocate() returned.
    virtual void Free(void* memory) noexcept = 0;

    /// Copies from the host to the device. The caller may change the source after the call.
    virtual void Upload(void* device, const void* host, std::size_t bytes) = 0;

    /// Copies from the device to the host, and waits until the data have arrived.
    virtual void Download(void* host, const void* device, std::size_t bytes) = 0;

    /// Copies on the device. Source and destination must not overlap.
    virtual void Copy(void* to, const void* from, std::size_t bytes) = 0;

    /// Calls an operation once for each index in 0..count-1, in any order.
    /// @param count number of calls, below 2^32 except for MixRows
    virtual void ForEach(const IndexOp& op, std::size_t count) = 0;

    /// For each row in 0..rows-1: adds op.Term(row, i) over all i in 0..op.Width(row)-1 in double
    /// precision, then calls op.Store(row, sum). The order of the additions depends only on the
    /// width.
    virtual void SumRows(const RowOp& op, std::size_t rows) = 0;

    /// Computes a batch of matrix products, without waiting for the result.
    virtual void Multiply(const BatchedProduct& product) = 0;

    /// Records the calls of @p work without running them. @p work may call ForEach(), SumRows(),
    /// Multiply() and Copy(), and must have run once before.
    virtual std::unique_ptr<DeviceRecording> Record(const std::function<void()>& work) = 0;
};

/// An array of values in device memory, which it frees at the end of its lifetime.
template <typename T>
class DeviceArray
{
  public:
    DeviceArray() = default;

    /// @param executor allocates and frees the memory; must outlive the array
    /// @param size number of values; their content is unspecified
    DeviceArray(DeviceExecutor& executor, std::size_t size)
        : m_data(size == 0 ? nullptr : static_cast<T*>(executor.Allocate(size * sizeof(T))),
                 Give{&executor}),
          m_size(size)
    {
    }

    /// Address of the first value, in device memory; nullptr if the array is empty.
    T* Data() const
    {
        return m_data.get();
    }

    /// Number of values in the array.
    std::size_t Size() const
    {
        return m_size;
    }

  private:
    /// Deleter that returns the memory to the executor.
    struct Give
    {
        DeviceExecutor* executor{nullptr};

        void operator()(T* memory) const
        {
            executor->Free(memory);
        }
    };

    std::unique_ptr<T, Give> m_data; ///< memory that the executor allocated
    std::size_t m_size{0};           ///< number of values in the array
};

} // namespace cuda
} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_DEVICE_EXECUTOR_H
