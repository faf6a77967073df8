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

/// Floats on a 64-byte boundary, zero at first.
class FloatBuffer
{
  public:
    FloatBuffer() = default;

    explicit FloatBuffer(std::size_t size)
        : m_data(static_cast<float*>(::operator new(size * sizeof(float), ALIGNMENT))),
          m_size(size)
    {
        Zero();
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
