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

/// Values of a vector that are stored on a device.
class RemoteValues
{
  public:
    virtual ~RemoteValues() = default;

    /// Copies the values. @param[out] out [Size() of the vector]
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

    /// First element, writable. Values on a device are fetched, and the device's copy is no longer
    /// used.
    float* Data()
    {
        if (m_remote)
        {
            TakeFromBackend();
        }
        return m_data;
    }

    /// First element. Values on a device are fetched once and also stay there.
    const float* Data() const
    {
        if (m_remote && !m_fetched)
        {
            Fetch();
        }
        return m_data;
    }

    /// Replaces the values by values on a device. @param remote for a vector of this size
    void SetRemote(std::shared_ptr<const RemoteValues> remote);

    /// Values on a device; null: the values are in host memory.
    const RemoteValues* Remote() const
    {
        return m_remote.get();
    }

    /// d, the number of elements.
    std::size_t Size() const
    {
        return m_size;
    }

    /// Sets the identifier of the vector, valid until it returns to the pool; 0: none.
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
 * @brief Shared ownership of a parameter vector: messages carry it and inboxes hold it.
 *
 * Passing one costs a reference count, for any size of the model. Code that writes to a vector must
 * be its only user; all other users only read it.
 */
using ParameterHandle = std::shared_ptr<ParameterVector>;

/**
 * @brief Hands out parameter vectors of one length and takes them back.
 *
 * A vector returns to the pool when its last handle is destroyed, on any thread, and the next
 * Acquire() reuses it. A run in its steady state allocates nothing. The memory is freed once the
 * pool and all handles are destroyed, in any order.
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

    /// A vector that holds a copy. @param values [Dimension()]
    ParameterHandle AcquireCopy(const float* values);

    /// d, the length of every vector.
    std::size_t Dimension() const;

    /// Calls @p visit with each vector that has a handle and a name.
    void ForEachNamed(const std::function<void(ParameterVector&)>& visit) const;

    /// Number of vectors that exist: those in use and those free for reuse.
    std::size_t Allocated() const;

  private:
    struct Slot;
    struct State;
    template <typename T>
    class SlotAllocator;

    std::shared_ptr<State> m_state; ///< state of the pool, shared with every handle
};

/**
 * @brief Writes parameters in the format of messages: float32, little-endian on every machine.
 * @param values [count]
 * @param count number of values
 * @param out [4 * count]
 */
void EncodeParameters(const float* values, std::size_t count, std::uint8_t* out);

/**
 * @brief Reads what EncodeParameters() wrote, bit for bit.
 * @param in [4 * count]
 * @param count number of values
 * @param values [count]
 */
void DecodeParameters(const std::uint8_t* in, std::size_t count, float* values);

/**
 * @brief Cuts a flat parameter vector into chunks of equal length; the last one may be shorter.
 *
 * If only the first parameters of a vector are shared, the chunks cover only these.
 */
class ChunkLayout
{
  public:
    /// Largest number of chunks: messages number them with 16 bits, and 65535 means no chunk.
    static constexpr std::size_t MOST_CHUNKS = 65535;

    /// One chunk that covers a vector of any length.
    ChunkLayout() = default;

    /**
     * @param parameters d >= 1, the length of the vector
     * @param length parameters per chunk; 0 or more than d: one chunk
     */
    ChunkLayout(std::size_t parameters, std::size_t length)
        : m_parameters(parameters),
          m_length(length == 0 ? parameters : std::min(length, parameters))
    {
    }

    /// d; the largest std::size_t if default-constructed.
    std::size_t Parameters() const
    {
        return m_parameters;
    }

    /// Number of chunks.
    std::size_t Count() const
    {
        return m_parameters / m_length + (m_parameters % m_length > 0 ? 1 : 0);
    }

    /// Index of the chunk's first parameter.
    std::size_t Begin(std::size_t chunk) const
    {
        return chunk * m_length;
    }

    /// Index one past the chunk's last parameter.
    std::size_t End(std::size_t chunk) const
    {
        return std::min(m_parameters - Begin(chunk), m_length) + Begin(chunk);
    }

    /// Number of the chunk's parameters.
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
