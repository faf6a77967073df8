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

/// Small numbers that are given out, given back and given out again; the newest one back first.
class SlotNumbers
{
  public:
    /// A free number: one given back, else the smallest that never was given out.
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

    /// Gives a number back. @param number which is held
    void Release(std::uint32_t number)
    {
        m_free.push_back(number);
    }

    /// Numbers that are held.
    std::size_t Held() const
    {
        return m_end - m_free.size();
    }

    /// Takes all numbers back.
    void Clear()
    {
        m_free.clear();
        m_end = 0;
    }

  private:
    std::vector<std::uint32_t> m_free; ///< given back
    std::uint32_t m_end{0};            ///< numbers below it have been given out
};

/**
 * @brief Values that are waiting for something, each under a small number.
 *
 * Numbers are used again, and a value that has been taken leaves nothing behind that it kept alive.
 * @tparam T the values, movable
 */
template <typename T>
class SlotPool
{
  public:
    /// Keeps a value. @return its number until it is taken
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

    /// The value of a number that is held; the reference is valid until the next Add().
    T& operator[](std::uint32_t number)
    {
        return *m_slots[number];
    }

    /// Hands out a value that is held; its number is free from now on.
    T Take(std::uint32_t number)
    {
        T value = std::move(*m_slots[number]);
        m_slots[number].reset();
        m_numbers.Release(number);
        return value;
    }

    /// Values that are held.
    std::size_t Size() const
    {
        return m_numbers.Held();
    }

    /// Calls @p visit with every value that is held, in the order of their numbers.
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

    /// Drops all values.
    void Clear()
    {
        m_slots.clear();
        m_numbers.Clear();
    }

  private:
    std::vector<std::optional<T>> m_slots; ///< by number; empty: the number is free
    SlotNumbers m_numbers;                 ///< which of them are held
};

} // namespace dpdl

#endif // DPDL_BASE_SLOT_POOL_H
