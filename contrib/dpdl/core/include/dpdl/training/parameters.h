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

/// Values of a parameter vector in the memory of a device.
class RemoteValues
{
  public:
    virtual ~RemoteValues() = default;

    /// Copies the values to host memory. @param[out] out [Size() of the vector]
    virtual void Fetch(float* out) const = 0;

    /// Address of the first value in device memory.
    virtual const float* Row() const = 0;
};

/// A flat float32 parameter vector whose first element is aligned to 64 bytes.
class ParameterVector
{
  public:
    ParameterVector(const ParameterVector&) = delete;
    ParameterVector& operator=(const ParameterVector&) = delete;

    /// First element, writable. Values on a device are copied to the host first; the vector then no
    /// longer uses the device's copy.
    float* Data()
    {
        if (m_remote)
        {
            TakeFromBackend();
        }
        return m_data;
    }

    /// First element. Values on a device are copied to the host by the first call, and also stay on
    /// the device.
    const float* Data() const
    {
        if (m_remote && !m_fetched)
        {
            Fetch();
        }
        return m_data;
    }

    /// Replaces the vector's values by values on a device. @param remote has Size() values
    void SetRemote(std::shared_ptr<const RemoteValues> remote);

    /// Values on a device; null: the values are only in host memory.
    const RemoteValues* Remote() const
    {
        return m_remote.get();
    }

    /// d, the number of elements.
    std::size_t Size() const
    {
        return m_size;
    }

    /// Sets the identifier of the vector, which journals use. It is valid until the vector returns
    /// to the pool; 0: none.
    void SetName(std::uint64_t name)
    {
        m_name = name;
    }

    /// Identifier of the vector; 0: none.
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

    float* m_data;                                ///< first element, in memory of the pool
    std::size_t m_size;                           ///< number of elements d
    std::uint64_t m_name{0};                      ///< identifier of the vector; 0: none
    std::shared_ptr<const RemoteValues> m_remote; ///< values on a device; null: in host memory
    mutable bool m_fetched{false}; ///< true: the values on the device have been copied to the host
};

/**
 * @brief Shared ownership of a parameter vector. Messages and inboxes hold handles, so vectors are
 *        not copied.
 *
 * Copying a handle only increments a reference count, for any size of the model. Code that writes
 * to a vector has to hold its only handle; vectors with several handles are read only.
 */
using ParameterHandle = std::shared_ptr<ParameterVector>;

/**
 * @brief Pool of parameter vectors of one length, which are reused.
 *
 * A vector returns to the pool when its last handle is destroyed, on any thread, and a later
 * Acquire() reuses it, so a run soon stops allocating memory. The memory is freed when the pool and
 * all handles are destroyed, in any order.
 */
class ParameterPool
{
  public:
    /// @param dimension d, the length of every vector
    explicit ParameterPool(std::size_t dimension);
    ~ParameterPool();
    ParameterPool(const ParameterPool&) = delete;
    ParameterPool& operator=(const ParameterPool&) = delete;

    /// A vector whose elements are unspecified.
    ParameterHandle Acquire();

    /// A vector that holds a copy of the values. @param values [Dimension()]
    ParameterHandle AcquireCopy(const float* values);

    /// d, the length of every vector.
    std::size_t Dimension() const;

    /// Calls @p visit with each vector that has a handle and an identifier.
    void ForEachNamed(const std::function<void(ParameterVector&)>& visit) const;

    /// Number of vectors in memory: with and without a handle.
    std::size_t Allocated() const;

  private:
    struct Slot;
    struct State;
    template <typename T>
    class SlotAllocator;

    std::shared_ptr<State> m_state; ///< state of the pool, shared with every handle
};

/**
 * @brief Writes parameters in the format of messages: float32, little-endian.
 * @param values [count]
 * @param count number of values
 * @param out [4 * count]
 */
void EncodeParameters(const float* values, std::size_t count, std::uint8_t* out);

/**
 * @brief Inverse of EncodeParameters(); bit-identical.
 * @param in [4 * count]
 * @param count number of values
 * @param values [count]
 */
void DecodeParameters(const std::uint8_t* in, std::size_t count, float* values);

/**
 * @brief Splits a flat parameter vector into chunks of equal length; the last one may be shorter.
 *
 * If nodes share only the first parameters of the vector, the chunks cover only these.
 */
class ChunkLayout
{
  public:
    /// Largest number of chunks. Messages number chunks in 16 bits, and 65535 means that there is
    /// no chunk.
    static constexpr std::size_t MOST_CHUNKS = 65535;

    /// One chunk for a vector of any length.
    ChunkLayout() = default;

    /**
     * @param parameters d >= 1, number of parameters that the chunks cover
     * @param length number of parameters per chunk; 0 or more than d: one chunk
     */
    ChunkLayout(std::size_t parameters, std::size_t length)
        : m_parameters(parameters),
          m_length(length == 0 ? parameters : std::min(length, parameters))
    {
    }

    /// d, the number of parameters that the chunks cover; the largest std::size_t if
    /// default-constructed.
    std::size_t Parameters() const
    {
        return m_parameters;
    }

    /// Number of chunks.
    std::size_t Count() const
    {
        return m_parameters / m_length + (m_parameters % m_length > 0 ? 1 : 0);
    }

    /// Index of the first parameter of a chunk. @param chunk below Count()
    std::size_t Begin(std::size_t chunk) const
    {
        return chunk * m_length;
    }

    /// Index one past the last parameter of a chunk. @param chunk below Count()
    std::size_t End(std::size_t chunk) const
    {
        return std::min(m_parameters - Begin(chunk), m_length) + Begin(chunk);
    }

    /// Number of parameters of a chunk. @param chunk below Count()
    std::size_t Size(std::size_t chunk) const
    {
        return End(chunk) - Begin(chunk);
    }

  private:
    std::size_t m_parameters{std::numeric_limits<std::size_t>::max()}; ///< number of parameters d
    /// Number of parameters in a full chunk.
    std::size_t m_length{std::numeric_limits<std::size_t>::max()};
};

} // namespace dpdl

#endif // DPDL_TRAINING_PARAMETERS_H
