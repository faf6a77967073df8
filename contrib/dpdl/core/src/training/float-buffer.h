// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_FLOAT_BUFFER_H
#define DPDL_TRAINING_FLOAT_BUFFER_H

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

namespace dpdl
{

/// Array of numbers, aligned to 64 bytes and initially zero. SIMD code may read up to 64 bytes past
/// the last number.
/// @tparam Number float or double
template <typename Number>
class AlignedBuffer
{
  public:
    AlignedBuffer() = default;

    explicit AlignedBuffer(std::size_t size)
        : m_data(static_cast<Number*>(::operator new((size + SLACK) * sizeof(Number), ALIGNMENT))),
          m_size(size)
    {
        std::fill_n(m_data.get(), m_size + SLACK, Number{});
    }

    Number* Data()
    {
        return m_data.get();
    }

    const Number* Data() const
    {
        return m_data.get();
    }

    std::size_t Size() const
    {
        return m_size;
    }

    void Zero()
    {
        std::fill_n(m_data.get(), m_size, Number{});
    }

  private:
    static constexpr std::align_val_t ALIGNMENT{64};
    static constexpr std::size_t SLACK = 64 / sizeof(Number);

    struct Free
    {
        void operator()(Number* data) const
        {
            ::operator delete(data, ALIGNMENT);
        }
    };

    std::unique_ptr<Number, Free> m_data;
    std::size_t m_size{0};
};

using FloatBuffer = AlignedBuffer<float>;
using DoubleBuffer = AlignedBuffer<double>;

} // namespace dpdl

#endif // DPDL_TRAINING_FLOAT_BUFFER_H
