// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PROPERTY_DRAWS_H
#define DPDL_PROPERTY_DRAWS_H

#include "dpdl/base/random.h"

#include <cstdint>
#include <initializer_list>

namespace dpdltest
{

/// Random choices, one after the other: a function of a number.
class PropertyDraws
{
  public:
    /// @param number names the sequence
    explicit PropertyDraws(uint32_t number)
        : m_stream({1, 1}, dpdl::RandomPurpose::TEST, number, 3)
    {
    }

    /// An integer in [0, @p bound).
    uint32_t Below(std::size_t bound)
    {
        return m_stream.Integer(m_next++, static_cast<uint32_t>(bound));
    }

    /// True with probability @p p.
    bool Chance(double p)
    {
        return m_stream.Uniform(m_next++) < p;
    }

    /// One of @p choices, each with the same probability.
    template <typename T>
    T Pick(std::initializer_list<T> choices)
    {
        return *(choices.begin() + Below(choices.size()));
    }

  private:
    dpdl::RandomStream m_stream; ///< where they come from
    uint64_t m_next{0};          ///< number of the next draw
};

} // namespace dpdltest

#endif // DPDL_PROPERTY_DRAWS_H
