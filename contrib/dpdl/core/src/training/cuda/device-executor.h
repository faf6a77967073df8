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

/// A failure of a device; what() is one line.
class DeviceError : public std::runtime_error
{
  public:
    /// @param what one line
    /// @param memory true: memory ran out
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
    bool m_memory; ///< true if the device had too little memory
};

/// A batch of row-major matrices, optionally transposed.
struct MatrixBatch
{
    const float* data;       ///< first element of the first matrix
    std::size_t stride;      ///< elements between rows
    std::size_t batchStride; ///< elements between matrices
    bool transpose{false};   ///< the product uses the transpose
};

/// C = A B + beta C for a batch of matrices of the same sizes, all row-major.
struct BatchedProduct
{
    MatrixBatch a;            ///< [rows, inner] after transposition
    MatrixBatch b;            ///< [inner, columns] after transposition
    float* c;                 ///< [rows, columns], contiguous
    std::size_t cBatchStride; ///< elements between results
    std::size_t rows;         ///< number of rows of C
    std::size_t columns;      ///< number of columns of C
    std::size_t inner;        ///< terms of each sum
    float beta;               ///< 0: C is overwritten; 1: C is added to
    std::size_t batch;        ///< number of products
};

/// Recorded work that can be replayed.
class DeviceRecording
{
  public:
    virtual ~DeviceRecording() = default;

    /// Repeats the work on the current contents of the device's memory.
    virtual void Replay() = 0;
};

/**
 * @brief Interface of a device: memory, operations and matrix products.
 *
 * Work runs in the order of the calls; Download() waits for all earlier calls. device-ops.h lists
 * the operations. The CUDA executor and the one in plain C++ support all of them, so the arithmetic
 * is tested without a device.
 *
 * All methods throw DeviceError.
 */
class DeviceExecutor
{
  public:
    virtual ~DeviceExecutor() = default;

    /// Name of the device, for messages.
    virtual std::string Name() const = 0;

    /// Bytes that can still be allocated.
    virtual std::size_t FreeBytes() const = 0;

    /// Allocates device memory with unspecified content. @param bytes above 0
    virtual void* Allocate(std::size_t bytes) = 0;

    /// Frees memory.
    virtual void Free(void* memory) noexcept = 0;

    /// Copies from the host to the device. The source may change once the call has returned.
    virtual void Upload(void* device, const void* host, std::size_t bytes) = 0;

    /// Copies from the device to the host and waits for it.
    virtual void Download(void* host, const void* device, std::size_t bytes) = 0;

    /// Copies on the device. The two do not overlap.
    virtual void Copy(void* to, const void* from, std::size_t bytes) = 0;

    /// Calls an operation for the indices 0..count-1. @param count below 2^32, except for MixRows
    virtual void ForEach(const IndexOp& op, std::size_t count) = 0;

    /// Sums up the rows 0..rows-1, each of @p width terms, in double precision. The order of the
    /// terms is always the same.
    virtual void SumRows(const RowOp& op, std::size_t rows, std::size_t width) = 0;

    /// Computes a batch of matrix products.
    virtual void Multiply(const BatchedProduct& product) = 0;

    /// Records the calls of @p work without running them. @p work may call ForEach(), SumRows(),
    /// Multiply() and Copy(), and must have run once before.
    virtual std::unique_ptr<DeviceRecording> Record(const std::function<void()>& work) = 0;
};

/// An array of values in device memory.
template <typename T>
class DeviceArray
{
  public:
    DeviceArray() = default;

    /// @param executor outlives the array
    /// @param size number of values, which are unspecified
    DeviceArray(DeviceExecutor& executor, std::size_t size)
        : m_data(size == 0 ? nullptr : static_cast<T*>(executor.Allocate(size * sizeof(T))),
                 Give{&executor}),
          m_size(size)
    {
    }

    /// First value, on the device.
    T* Data() const
    {
        return m_data.get();
    }

    /// Number of values.
    std::size_t Size() const
    {
        return m_size;
    }

  private:
    /// Frees the memory.
    struct Give
    {
        DeviceExecutor* executor{nullptr};

        void operator()(T* memory) const
        {
            executor->Free(memory);
        }
    };

    std::unique_ptr<T, Give> m_data; ///< memory that the executor allocated
    std::size_t m_size{0};           ///< number of values
};

} // namespace cuda
} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_DEVICE_EXECUTOR_H
