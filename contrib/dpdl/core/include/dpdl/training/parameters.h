// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_PARAMETERS_H
#define DPDL_TRAINING_PARAMETERS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>

namespace dpdl
{

/// Values of a parameter vector in the memory of a GPU.
class RemoteValues
{
  public:
    virtual ~RemoteValues() = default;

    /// Copies the values to host memory.
    /// @param[out] out receives the values, [Size() of the vector]
    virtual void Fetch(float* out) const = 0;

    /// Address of the first value in device memory.
    virtual const float* Row() const = 0;
};

/// Flat float32 parameter vector. Its first element is aligned to 64 bytes.
class ParameterVector
{
  public:
    ParameterVector(const ParameterVector&) = delete;
    ParameterVector& operator=(const ParameterVector&) = delete;

    /// First element, for writing. If the values are on a device, they are first copied to the
    /// host, and the vector no longer refers to the device.
    float* Data()
    {
        if (m_remote)
        {
            TakeFromBackend();
        }
        return m_data;
    }

    /// First element, for reading. If the values are on a device, the first call copies the values
    /// to the host; they also stay on the device.
    const float* Data() const
    {
        if (m_remote && !m_fetched)
        {
            Fetch();
        }
        return m_data;
    }

    /// Replaces the vector's values by values on a device.
    /// @param remote Size() values; nullptr: the vector has the values in host memory, unchanged
    void SetRemote(std::shared_ptr<const RemoteValues> remote);

    /// Values on a device; nullptr: the values are in host memory only.
    const RemoteValues* Remote() const
    {
        return m_remote.get();
    }

    /// Number of elements d.
    std::size_t Size() const
    {
        return m_size;
    }

    /// Sets the identifier of the vector in journals, valid until the vector returns to the pool;
    /// 0: none.
    void SetName(std::uint64_t name)
    {
        m_name = name;
    }

    /// Identifier of the vector in journals; 0: none.
    std::uint64_t Name() const
    {
        return m_name;
    }

  private:
    friend class ParameterPool;

    ParameterVector(float* data, std::size_t size)
        : m_data(data),
          m_size(size)
    {
    }

    void Fetch() const;
    void TakeFromBackend();

    float* m_data;                                ///< first element, in memory owned by the pool
    std::size_t m_size;                           ///< number of elements d
    std::uint64_t m_name{0};                      ///< identifier of the vector; 0: none
    std::shared_ptr<const RemoteValues> m_remote; ///< values on a device; null: in host memory only
    mutable bool m_fetched{false}; ///< true: the values on the device have been copied to m_data
};

/**
 * @brief Shared ownership of a parameter vector. Messages hold handles, so vectors are not copied.
 *
 * Copying a handle only increments a reference count. Code may write to a vector only if it holds
 * the only handle.
 */
using ParameterHandle = std::shared_ptr<ParameterVector>;

/**
 * @brief Pool of reusable parameter vectors of equal length.
 *
 * A vector returns to the pool when its last handle is destroyed, on any thread. A later Acquire()
 * reuses the vector. The memory is freed when the pool and all handles are destroyed, in any order.
 */
class ParameterPool
{
  public:
    /// @param dimension length d of every vector
    explicit ParameterPool(std::size_t dimension);
    ~ParameterPool();
    ParameterPool(const ParameterPool&) = delete;
    ParameterPool& operator=(const ParameterPool&) = delete;

    /// Returns a vector with unspecified values.
    ParameterHandle Acquire();

    /// Returns a vector with a copy of @p values.
    /// @param values values to copy, [Dimension()]
    ParameterHandle AcquireCopy(const float* values);

    /// Length d of every vector.
    std::size_t Dimension() const;

    /// Calls @p visit with each vector that has a handle and an identifier.
    void ForEachNamed(const std::function<void(ParameterVector&)>& visit) const;

    /// Number of vectors in memory, with or without a handle.
    std::size_t Allocated() const;

  private:
    struct Slot;
    struct State;
    template <typename T>
    class SlotAllocator;

    std::shared_ptr<State> m_state; ///< state of the pool, shared with all handles
};

/**
 * @brief Writes parameters in the format of messages: float32, little-endian.
 * @param values [count]
 * @param count number of values
 * @param[out] out receives the bytes, [4 * count]
 */
void EncodeParameters(const float* values, std::size_t count, std::uint8_t* out);

/**
 * @brief Inverse of EncodeParameters(). The values are bit-identical.
 * @param in bytes, [4 * count]
 * @param count number of values
 * @param[out] values receives the values, [count]
 */
void DecodeParameters(const std::uint8_t* in, std::size_t count, float* values);

/**
 * @brief Splits a flat parameter vector into chunks of equal length. The last chunk may be shorter.
 *
 * If nodes share only leading parameters of the vector, the chunks cover only these parameters.
 */
class ChunkLayout
{
  public:
    /// Largest number of chunks. Messages have a chunk index of 16 bits; 65535 marks messages
    /// without a chunk.
    static constexpr std::size_t MOST_CHUNKS = 65535;

    /// A single chunk for a vector of any length.
    ChunkLayout() = default;

    /**
     * @param parameters number d >= 1 of parameters that the chunks cover
     * @param length number of parameters per chunk; 0 or more than d: one chunk
     */
    ChunkLayout(std::size_t parameters, std::size_t length)
        : m_parameters(parameters),
          m_length(length == 0 ? parameters : std::min(length, parameters))
    {
    }

    /// Number of parameters d that the chunks cover; the largest std::size_t if
    /// default-constructed.
    std::size_t Parameters() const
    {
        return m_parameters;
    }

    /// Number of chunks, >= 1.
    std::size_t Count() const
    {
        return m_parameters / m_length + (m_parameters % m_length > 0 ? 1 : 0);
    }

    /// Index of the first parameter of a chunk.
    /// @param chunk index of the chunk, below Count()
    std::size_t Begin(std::size_t chunk) const
    {
        return chunk * m_length;
    }

    /// Index past the last parameter of a chunk.
    /// @param chunk index of the chunk, below Count()
    std::size_t End(std::size_t chunk) const
    {
        return std::min(m_parameters - Begin(chunk), m_length) + Begin(chunk);
    }

    /// Number of parameters of a chunk.
    /// @param chunk index of the chunk, below Count()
    std::size_t Size(std::size_t chunk) const
    {
        return End(chunk) - Begin(chunk);
    }

  private:
    /// Number of parameters d that the chunks cover.
    std::size_t m_parameters{std::numeric_limits<std::size_t>::max()};
    /// Number of parameters in each chunk except the last.
    std::size_t m_length{std::numeric_limits<std::size_t>::max()};
};

} // namespace dpdl

#endif // DPDL_TRAINING_PARAMETERS_H
