// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CUDA_HOST_DEVICE_H
#define DPDL_TRAINING_CUDA_HOST_DEVICE_H

#include <cfloat>
#include <cstddef>
#include <cstdint>

/// Marks a function that runs on the host, and also on a device if nvcc compiles it.
#ifdef __CUDACC__
#define DPDL_HOST_DEVICE __host__ __device__
#else
#define DPDL_HOST_DEVICE
#endif

/// Unrolls the loop that follows in device code. Several loads from memory are then pending at a
/// time.
#ifdef __CUDA_ARCH__
#define DPDL_UNROLL _Pragma("unroll 8")
#else
#define DPDL_UNROLL
#endif

namespace dpdl
{

namespace cuda
{

/// A divisor of indices that is known before a kernel starts. For indices below 2^31, a quotient
/// takes one multiplication and one shift (Granlund and Montgomery, Division by invariant integers,
/// 1994).
class Divisor
{
  public:
    /// @param value divisor, from 1 to 2^32 - 1
    Divisor(std::size_t value) // NOLINT(google-explicit-constructor)
        : m_value(static_cast<std::uint32_t>(value))
    {
        std::uint32_t log = 0;
        while ((std::uint64_t{1} << log) < m_value)
        {
            ++log;
        }
        const std::uint64_t power = std::uint64_t{1} << (31 + log);
        m_factor = static_cast<std::uint32_t>((power + m_value - 1) / m_value);
        m_shift = 31 + log;
    }

    DPDL_HOST_DEVICE operator std::uint32_t() const // NOLINT(google-explicit-constructor)
    {
        return m_value;
    }

    /// Integer quotient index / divisor.
    /// @param index dividend, below 2^32
    DPDL_HOST_DEVICE std::uint32_t Quotient(std::uint32_t index) const
    {
        return index >> 31 != 0
                   ? index / m_value
                   : static_cast<std::uint32_t>(std::uint64_t{index} * m_factor >> m_shift);
    }

  private:
    std::uint32_t m_value;
    std::uint32_t m_factor; ///< 2^m_shift / m_value, rounded up
    std::uint32_t m_shift;
};

/// Integer quotient index / divisor. A 64-bit division would be several times slower on a device.
/// @param index dividend, below 2^32
DPDL_HOST_DEVICE inline std::uint32_t
Quotient(std::size_t index, const Divisor& divisor)
{
    return divisor.Quotient(static_cast<std::uint32_t>(index));
}

/// Biases of one layer in the states of all nodes, for values [nodes, rows, width].
struct Biases
{
    const float* first{nullptr}; ///< [width] biases of the first node; null: there are none
    std::size_t stride{0};       ///< number of floats from a node's biases to those of the next
    Divisor rowsPerNode{1};      ///< number of rows of a node
    Divisor width{1};            ///< number of values in a row, one for each bias

    /// Bias of a value; 0 if there are none.
    /// @param index offset of the value in [nodes, rows, width]
    DPDL_HOST_DEVICE float Of(std::size_t index) const
    {
        if (first == nullptr)
        {
            return 0.0F;
        }
        const std::size_t row = Quotient(index, width);
        const std::size_t node = Quotient(row, rowsPerNode);
        return first[node * stride + (index - row * width)];
    }
};

/// Relative margin by which clipped norms stay below the clip norm, to allow for float32 rounding.
constexpr double CLIP_RESERVE = 1e-6;

/// Clip factor by the rule of dpdl::ClipFactor().
/// @param norm L2 norm of a gradient
/// @param clip clip norm; infinity: the factor is 1
DPDL_HOST_DEVICE inline double
ClipFactorOf(double norm, double clip)
{
    if (clip > DBL_MAX)
    {
        return 1.0;
    }
    if (!(norm <= DBL_MAX))
    {
        return 0.0;
    }
    const double bound = clip * (1.0 - CLIP_RESERVE);
    const double factor = norm > bound ? bound / norm : 1.0;
    // Below FLT_MIN, rounding to float32 could enlarge the factor by more than CLIP_RESERVE.
    return factor < FLT_MIN ? 0.0 : factor;
}

} // namespace cuda

} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_HOST_DEVICE_H
