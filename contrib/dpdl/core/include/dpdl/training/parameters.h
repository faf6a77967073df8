// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_PARAMETERS_H
#define DPDL_TRAINING_PARAMETERS_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace dpdl
{

/// The values of a vector where they lie elsewhere: on a device.
class RemoteValues
{
  public:
    virtual ~RemoteValues() = default;

    /// Copies the values. @param[out] out [Size() of the vector]
    virtual void Fetch(float* out) const = 0;

    /// The first of them, on the device.
    virtual const float* Row() const = 0;
};

/// A flat float32 parameter vector whose first element is aligned to 64 bytes.
class ParameterVector
{
  public:
    ParameterVector(const ParameterVector&) = delete;
    ParameterVector& operator=(const ParameterVector&) = delete;

    /// First element, writable: values that are elsewhere are fetched and left there.
    float* Data()
    {
        if (m_remote)
        {
            TakeBack();
        }
        return m_data;
    }

    /// First element. Values that lie elsewhere are fetched once and also stay there.
    const float* Data() const
    {
        if (m_remote && !m_fetched)
        {
            Fetch();
        }
        return m_data;
    }

    /// From now on the values are those that lie elsewhere. @param remote for a vector of this size
    void SetRemote(std::shared_ptr<const RemoteValues> remote);

    /// Where the values lie; null: here.
    const RemoteValues* Remote() const
    {
        return m_remote.get();
    }

    /// d, the number of elements.
    std::size_t Size() const
    {
        return m_size;
    }

    /// A number that says which vector it is, until it returns to the pool; 0: none does.
    void SetName(std::uint64_t name)
    {
        m_name = name;
    }

    /// See SetName().
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
    void TakeBack();

    float* m_data;                                ///< owned by the pool
    std::size_t m_size;                           ///< elements
    std::uint64_t m_name{0};                      ///< see Name()
    std::shared_ptr<const RemoteValues> m_remote; ///< values at another process; null: here
    mutable bool m_fetched{false};                ///< whether values of another place are also here
};

/**
 * @brief Shared ownership of a parameter vector: this is what a message carries and an inbox holds.
 *
 * Passing one on costs a reference count, whatever the size of the model. Code that writes to a
 * vector must be its only user; everyone else takes the vector as it is.
 */
using ParameterHandle = std::shared_ptr<ParameterVector>;

/**
 * @brief Hands out parameter vectors of one length and takes them back.
 *
 * A vector returns to the pool when its last handle goes, on whichever thread, and the next
 * Acquire() takes it again: a run in its steady state allocates nothing. The memory is freed when
 * the pool and all handles are gone, in any order.
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

    std::shared_ptr<State> m_state; ///< shared with every handle
};

/**
 * @brief Writes parameters the way they travel: float32, little-endian, whatever the machine.
 * @param values [count]
 * @param count how many
 * @param out [4 * count]
 */
void EncodeParameters(const float* values, std::size_t count, std::uint8_t* out);

/**
 * @brief Reads what EncodeParameters() wrote, bit for bit.
 * @param in [4 * count]
 * @param count how many
 * @param values [count]
 */
void DecodeParameters(const std::uint8_t* in, std::size_t count, float* values);

} // namespace dpdl

#endif // DPDL_TRAINING_PARAMETERS_H
