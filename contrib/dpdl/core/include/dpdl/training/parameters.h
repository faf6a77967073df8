// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_PARAMETERS_H
#define DPDL_TRAINING_PARAMETERS_H

#include <cstddef>
#include <cstdint>
#include <memory>

namespace dpdl
{

/// A flat float32 parameter vector whose first element is aligned to 64 bytes.
class ParameterVector
{
  public:
    ParameterVector(const ParameterVector&) = delete;
    ParameterVector& operator=(const ParameterVector&) = delete;

    /// First element.
    float* Data()
    {
        return m_data;
    }

    /// First element.
    const float* Data() const
    {
        return m_data;
    }

    /// d, the number of elements.
    std::size_t Size() const
    {
        return m_size;
    }

  private:
    friend class ParameterPool;

    ParameterVector(float* data, std::size_t size)
        : m_data(data),
          m_size(size)
    {
    }

    float* m_data;      ///< owned by the pool
    std::size_t m_size; ///< elements
};

/**
 * @brief Shared ownership of a parameter vector: this is what a message carries and an inbox holds.
 *
 * Passing one on costs a reference count, whatever the size of the model. Whoever writes to a
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

    /// How many vectors exist: those in use and those that wait.
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
 * @brief Reads what EncodeParameters() wrote, to the last bit.
 * @param in [4 * count]
 * @param count how many
 * @param values [count]
 */
void DecodeParameters(const std::uint8_t* in, std::size_t count, float* values);

} // namespace dpdl

#endif // DPDL_TRAINING_PARAMETERS_H
