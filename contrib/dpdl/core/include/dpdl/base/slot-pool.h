// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_SLOT_POOL_H
#define DPDL_BASE_SLOT_POOL_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace dpdl
{

/// Allocator of small integers (numbers), for use as keys. The last released number is reused
/// first.
class SlotNumbers
{
  public:
    /// Allocates a released number or, if there is none, the smallest unused one.
    std::uint32_t Acquire()
    {
        if (m_free.empty())
        {
            return m_end++;
        }
        const std::uint32_t number = m_free.back();
        m_free.pop_back();
        return number;
    }

    /// Frees a number.
    /// @param number number that Acquire() returned
    void Release(std::uint32_t number)
    {
        m_free.push_back(number);
    }

    /// Count of the numbers in use.
    std::size_t Held() const
    {
        return m_end - m_free.size();
    }

    /// Releases all numbers.
    void Clear()
    {
        m_free.clear();
        m_end = 0;
    }

  private:
    std::vector<std::uint32_t> m_free; ///< freed numbers; the last one is reused first
    std::uint32_t m_end{0};            ///< smallest number that was never acquired
};

/**
 * @brief Container of values, each with a small integer, its number, as key.
 *
 * Take() frees the number of a value, and a later Add() reuses it.
 * @tparam T type of the values, movable
 */
template <typename T>
class SlotPool
{
  public:
    /// Stores a value.
    /// @return its number, valid until Take() or Clear()
    std::uint32_t Add(T value)
    {
        const std::uint32_t number = m_numbers.Acquire();
        if (number == m_slots.size())
        {
            m_slots.emplace_back();
        }
        m_slots[number].emplace(std::move(value));
        return number;
    }

    /// The value with a number in use. The reference is valid until the next Add().
    T& operator[](std::uint32_t number)
    {
        return *m_slots[number];
    }

    /// Removes and returns a value, and frees its number.
    T Take(std::uint32_t number)
    {
        T value = std::move(*m_slots[number]);
        m_slots[number].reset();
        m_numbers.Release(number);
        return value;
    }

    /// Number of stored values.
    std::size_t Size() const
    {
        return m_numbers.Held();
    }

    /// Calls @p visit with every stored value, in ascending order of numbers.
    template <typename Visit>
    void ForEach(Visit visit)
    {
        for (std::optional<T>& slot : m_slots)
        {
            if (slot.has_value())
            {
                visit(*slot);
            }
        }
    }

    /// Removes all values.
    void Clear()
    {
        m_slots.clear();
        m_numbers.Clear();
    }

  private:
    std::vector<std::optional<T>> m_slots; ///< values, by number; empty: the number is free
    SlotNumbers m_numbers;                 ///< numbers in use
};

} // namespace dpdl

#endif // DPDL_BASE_SLOT_POOL_H
