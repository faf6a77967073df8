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

/// Floats on a 64-byte boundary, zero at first. Another 64 bytes behind the last one may be read.
class FloatBuffer
{
  public:
    FloatBuffer() = default;

    explicit FloatBuffer(std::size_t size)
        : m_data(static_cast<float*>(::operator new((size + SLACK) * sizeof(float), ALIGNMENT))),
          m_size(size)
    {
        std::fill_n(m_data.get(), m_size + SLACK, 0.0F);
    }

    float* Data()
    {
        return m_data.get();
    }

    const float* Data() const
    {
        return m_data.get();
    }

    std::size_t Size() const
    {
        return m_size;
    }

    void Zero()
    {
        std::fill_n(m_data.get(), m_size, 0.0F);
    }

  private:
    static constexpr std::align_val_t ALIGNMENT{64};
    static constexpr std::size_t SLACK = 16;

    struct Free
    {
        void operator()(float* data) const
        {
            ::operator delete(data, ALIGNMENT);
        }
    };

    std::unique_ptr<float, Free> m_data;
    std::size_t m_size{0};
};

} // namespace dpdl

#endif // DPDL_TRAINING_FLOAT_BUFFER_H
